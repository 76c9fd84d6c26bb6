// The SHA-512 compression function (FIPS 180-4 section 6.4.2): the message schedule in vector registers, two
// words at a time, between the rounds in general registers.
// Needs: NEON. Bound by the integer units, which the rounds leave some 18 instructions each.
//
//   registers as in sha2_rounds.hpp, and
//   v0-7     w[8]     the last sixteen words of the message schedule, two each, a ring
//   v16-22   temp[7]
//   v23      turn     for tbl: the bytes of both words turned by one, which is rotr8
//   stack             K + W of sixteen rounds, a ring
#include "jit/a64/kernels.hpp"
#include "jit/a64/sha2_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

constexpr std::array<std::uint8_t, 16> byte_turn{1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8};

class sha512_neon : sha2_words_on_stack<sha512_compression> {
  using rounds = sha2_rounds<sha512_compression>;

 public:
  static constexpr frame_needs needs{
      .general = rounds::registers | mask_of(kw[0], kw[1]), .vector = 0x00ff00ff, .stack = 128};

  explicit sha512_neon(block_emitter& e) noexcept
      : sha2_words_on_stack(e), rounds_(e.a), k_(e.constant(sha512_k)), byte_turn_(e.constant(byte_turn)) {}

  void load_state() noexcept {
    rounds_.load(e_.state);
    a_.ldr(turn.q(), ptr(byte_turn_));
  }

  void compress_block() noexcept {
    for (unsigned i = 0; i < 8; i += 4) {
      a_.ld1(w[i].b16(), w[i + 1].b16(), w[i + 2].b16(), w[i + 3].b16(), ptr_post(e_.blocks, 64));
    }
    for (const Vec& words : w) a_.rev64(words.b16(), words.b16());
    for (unsigned i = 0; i < 8; ++i) {
      const Vec sum = temp[i % 7];
      a_.ldr(sum.q(), ptr(k_, rounds::offset(2 * i)));
      a_.add(sum.d2(), sum.d2(), w[i].d2());
      a_.str(sum.q(), ring(2 * i));
    }
    rounds_.begin(*this);
    for (unsigned t = 0; t < rounds::round_count; ++t) rounds_.round(t, *this);
    rounds_.feed_forward(e_.state);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {}

 private:
  friend rounds;
  static constexpr Vec w[8] = {q0, q1, q2, q3, q4, q5, q6, q7};
  static constexpr Vec temp[7] = {q16, q17, q18, q19, q20, q21, q22}, turn = q23;

  // Over rounds t = 2i and t+1: W[t+16..t+17] = sigma1(W[t+14..]) + W[t+9..] + sigma0(W[t+1..]) + W[t..] in
  // the place of W[t..t+1], and K + W of them.
  void step(unsigned t, unsigned n) noexcept {
    if (t >= 64) return;
    const unsigned i = t / 2;
    const auto at = [i](unsigned words) { return w[(i + words / 2) % 8]; };
    const Vec to = at(0), w14 = at(14);
    const Vec w1 = temp[0], sum = temp[1], sigma0 = temp[2], sigma1 = temp[3], x = temp[4], y = temp[5];
    const Vec z = temp[6];
    const std::tuple instructions{
        [&] { a_.ext(w1.b16(), to.b16(), at(2).b16(), 8); },
        [&] {
          a_.ushr(sigma1.d2(), w14.d2(), 19);
          a_.ext(sum.b16(), at(8).b16(), at(10).b16(), 8);
        },
        [&] { a_.ushr(y.d2(), w14.d2(), 61); },
        [&] { a_.ushr(sigma0.d2(), w1.d2(), 1); },
        [&] { a_.sli(sigma1.d2(), w14.d2(), 64 - 19); },
        [&] { a_.sli(y.d2(), w14.d2(), 64 - 61); },
        [&] { a_.sli(sigma0.d2(), w1.d2(), 64 - 1); },
        [&] {
          a_.tbl(x.b16(), w1.b16(), turn.b16());
          a_.add(sum.d2(), sum.d2(), to.d2());
        },
        [&] { a_.ushr(w1.d2(), w1.d2(), 7); },
        [&] {
          a_.eor(sigma1.b16(), sigma1.b16(), y.b16());
          a_.ushr(z.d2(), w14.d2(), 6);
        },
        [&] { a_.eor(sigma0.b16(), sigma0.b16(), x.b16()); },
        [&] { a_.eor(sigma1.b16(), sigma1.b16(), z.b16()); },
        [&] { a_.eor(sigma0.b16(), sigma0.b16(), w1.b16()); },
        [&] { a_.add(sum.d2(), sum.d2(), sigma0.d2()); },
        [&] { a_.add(to.d2(), sum.d2(), sigma1.d2()); },
        [&] { a_.ldr(y.q(), ptr(k_, rounds::offset(t - t % 2 + 16))); },
        [&] { a_.add(y.d2(), y.d2(), to.d2()); },
        [&] { a_.str(y.q(), ring(2 * i)); },
    };
    call_nth(9 * (t % 2) + n, instructions);
  }

  rounds rounds_;
  asmjit::Label k_, byte_turn_;
};

}  // namespace

machine_code generate_sha512_neon(const generator_options&) noexcept {
  return generate_block_function<sha512_neon>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
