// The SHA-1 compression function (FIPS 180-4 section 6.1.2) with the SHA1 instructions of ARMv8 in 32-bit
// code. Needs: NEON, SHA1; touches no register of q4 to q7. Bound by the chain of 20 sha1c, sha1p and sha1m.
//
//   q0       abcd    the working variables, a in the lowest word
//   q1,q2    e[2]    e of the coming four rounds and of those after, in the lowest word
//   q3       sum     W + K of four rounds
//   q8-q11   w[4]    the last sixteen words of the message schedule, four each, a ring
//   q12-q15  k[4]    the constants, one for twenty rounds each
#include "jit/a32/kernels.hpp"
#include "jit/a32/vector_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha1_sha1 : vector_arguments {
 public:
  explicit sha1_sha1(encoder& emitter) noexcept : e_(emitter) {}

  void begin() noexcept {
    e_.vld1(32, constant(0), constant(1), k, true);
    e_.vld1(32, constant(2), constant(3), k);
    e_.vld1(32, abcd, abcd, state);
    e_.add(r12, state, 16);
    e_.vld1_lane(e[0].low(), 0, r12);
  }

  void compress_block() noexcept {
    e_.vld1(8, w(0), w(1), blocks, true);
    e_.vld1(8, w(2), w(3), blocks, true);
    for (unsigned i = 0; i < 4; ++i) e_.vrev(32, w(i), w(i));
    e_.vadd(32, sum, w(0), constant(0));
    for (unsigned i = 0; i < 20; ++i) four_rounds(i);
    e_.vld1(32, w(0), w(0), state);
    e_.vld1_lane(w(1).low(), 0, r12);
    e_.vadd(32, abcd, abcd, w(0));
    e_.vadd(32, e[0].low(), e[0].low(), w(1).low());
    e_.vst1(32, abcd, abcd, state);
    e_.vst1_lane(e[0].low(), 0, r12);
  }

  void end() noexcept {}

  void constants() noexcept {
    for (const std::uint32_t each : sha1_k) {
      for (unsigned i = 0; i < 4; ++i) e_.word(each);
    }
  }

 private:
  static constexpr vreg abcd = q(0), e[2] = {q(1), q(2)}, sum = q(3);

  static constexpr vreg w(unsigned i) noexcept { return q(8 + i % 4); }
  static constexpr vreg constant(unsigned i) noexcept { return q(12 + i); }

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile.
  void four_rounds(unsigned i) noexcept {
    e_.sha1h(e[(i + 1) % 2], abcd);  // e is rotl30 of the a of four rounds ago
    switch (i / 5) {
      case 0:
        e_.sha1c(abcd, e[i % 2], sum);
        break;
      case 2:
        e_.sha1m(abcd, e[i % 2], sum);
        break;
      default:
        e_.sha1p(abcd, e[i % 2], sum);
    }
    if (i < 19) e_.vadd(32, sum, w(i + 1), constant((i + 1) / 5));
    if (i < 16) {  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), t = 4(i+4)..
      e_.sha1su0(w(i), w(i + 1), w(i + 2));
      e_.sha1su1(w(i), w(i + 3));
    }
  }

  encoder& e_;
};

}  // namespace

machine_code generate_sha1_sha1(const generator_options& options) noexcept {
  return generate_vector_function<sha1_sha1>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
