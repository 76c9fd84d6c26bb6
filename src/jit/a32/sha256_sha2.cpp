// The SHA-256 compression function (FIPS 180-4 section 6.2.2) with the SHA256 instructions of ARMv8 in 32-bit
// code. Needs: NEON, SHA2; touches no register of q4 to q7. Bound by the chain of 16 times sha256h and
// sha256h2.
//
//   q0,q1    abcd, efgh  the working variables, a and e in the lowest word
//   q2       before      abcd before four rounds
//   q8-q11   w[4]        the last sixteen words of the message schedule, four each, a ring
//   q12-q15  sum[4]      K, W + K of four rounds each, a ring
#include "jit/a32/kernels.hpp"
#include "jit/a32/vector_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha256_sha2 : vector_arguments {
 public:
  explicit sha256_sha2(encoder& e) noexcept : e_(e) {}

  void begin() noexcept { e_.vld1(32, abcd, efgh, state); }

  void compress_block() noexcept {
    e_.vld1(8, w(0), w(1), blocks, true);
    e_.vld1(8, w(2), w(3), blocks, true);
    load_k(0);
    for (unsigned i = 0; i < 4; ++i) e_.vrev(32, w(i), w(i));
    for (unsigned i = 0; i < 16; ++i) four_rounds(i);
    e_.vld1(32, w(0), w(1), state);
    e_.sub(k, k, 64 * 4);
    e_.vadd(32, abcd, abcd, w(0));
    e_.vadd(32, efgh, efgh, w(1));
    e_.vst1(32, abcd, efgh, state);
  }

  void end() noexcept {}

  void constants() noexcept { e_.words(sha256_k); }

 private:
  static constexpr vreg abcd = q(0), efgh = q(1), before = q(2);

  static constexpr vreg w(unsigned i) noexcept { return q(8 + i % 4); }
  static constexpr vreg sum(unsigned i) noexcept { return q(12 + i % 4); }

  void load_k(unsigned i) noexcept { e_.vld1(32, sum(i), sum(i + 1), k, true); }

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile.
  void four_rounds(unsigned i) noexcept {
    if (i % 2 == 0 && i < 14) load_k(i + 2);
    e_.vadd(32, sum(i), sum(i), w(i));
    e_.vmov(before, abcd);
    // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], t = 4(i+4)..
    if (i < 12) e_.sha256su0(w(i), w(i + 1));
    e_.sha256h(abcd, efgh, sum(i));
    e_.sha256h2(efgh, before, sum(i));
    if (i < 12) e_.sha256su1(w(i), w(i + 2), w(i + 3));
  }

  encoder& e_;
};

}  // namespace

machine_code generate_sha256_sha2(const generator_options& options) noexcept {
  return generate_vector_function<sha256_sha2>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
