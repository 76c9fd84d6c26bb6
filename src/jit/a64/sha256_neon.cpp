// The SHA-256 compression function (FIPS 180-4 section 6.2.2): the message schedule in vector registers, four
// words at a time, between the rounds in general registers.
// Needs: NEON. Bound by the integer units, which the rounds leave some 18 instructions each.
//
//   registers as in sha2_rounds.hpp, and
//   v0-3     w[4]     the last sixteen words of the message schedule, four each, a ring
//   v4       newest   W[t-2], W[t-2], W[t-1], W[t-1], where t is the next word
//   v5,6     half[2]  the two earlier and the two later of four words to come
//   v16-21   temp[6]
//   stack             K + W of sixteen rounds, a ring
#include "jit/a64/kernels.hpp"
#include "jit/a64/sha2_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha256_neon : sha2_words_on_stack<sha256_compression> {
  using rounds = sha2_rounds<sha256_compression>;

 public:
  static constexpr frame_needs needs{
      .general = rounds::registers | mask_of(kw[0], kw[1]), .vector = 0x003f007f, .stack = 64};

  explicit sha256_neon(block_emitter& e) noexcept
      : sha2_words_on_stack(e), rounds_(e.a), k_(e.constant(sha256_k)) {}

  void load_state() noexcept { rounds_.load(e_.state); }

  void compress_block() noexcept {
    a_.ld1(w[0].b16(), w[1].b16(), w[2].b16(), w[3].b16(), ptr_post(e_.blocks, 64));
    for (unsigned i = 0; i < 4; ++i) {
      a_.ldr(temp[i].q(), ptr(k_, rounds::offset(4 * i)));
      a_.rev32(w[i].b16(), w[i].b16());
    }
    for (unsigned i = 0; i < 4; ++i) a_.add(temp[i].s4(), temp[i].s4(), w[i].s4());
    for (unsigned i = 0; i < 4; i += 2) a_.stp(temp[i].q(), temp[i + 1].q(), ring(4 * i));
    a_.zip2(newest.s4(), w[3].s4(), w[3].s4());

    rounds_.begin(*this);
    for (unsigned t = 0; t < rounds::round_count; ++t) rounds_.round(t, *this);
    rounds_.feed_forward(e_.state);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {}

 private:
  friend rounds;
  static constexpr Vec w[4] = {q0, q1, q2, q3};
  static constexpr Vec newest = q4, half[2] = {q5, q6}, temp[6] = {q16, q17, q18, q19, q20, q21};

  // Over rounds t = 4i to t+3: W[t+16..t+19] = sigma1(W[t+14..]) + W[t+9..] + sigma0(W[t+1..]) + W[t..] in
  // the place of W[t..t+3], the two later words after the two earlier ones, and K + W of them. sigma1 is
  // taken of words that stand twice in a row, where a shift of the double word rotates; what it leaves in the
  // upper half of the double word is dropped.
  void step(unsigned t, unsigned n) noexcept {
    if (t >= 48) return;
    const unsigned i = t / 4;
    const auto at = [i](unsigned words) { return w[(i + words / 4) % 4]; };
    const Vec to = at(0), early = half[0], late = half[1];
    const Vec w1 = temp[0], sum = temp[1], sigma0 = temp[2], x = temp[3], y = temp[4], z = temp[5];
    const std::tuple instructions{
        [&] { a_.ext(w1.b16(), to.b16(), at(4).b16(), 4); },
        [&] { a_.ext(sum.b16(), at(8).b16(), at(12).b16(), 4); },
        [&] { a_.ushr(sigma0.s4(), w1.s4(), 7); },
        [&] { a_.ushr(x.s4(), w1.s4(), 18); },
        [&] { a_.ushr(y.d2(), newest.d2(), 19); },
        [&] { a_.ushr(early.d2(), newest.d2(), 17); },
        [&] { a_.eor(early.b16(), early.b16(), y.b16()); },
        [&] { a_.ushr(z.s4(), w1.s4(), 3); },
        [&] { a_.add(sum.s4(), sum.s4(), to.s4()); },
        [&] { a_.sli(x.s4(), w1.s4(), 32 - 18); },
        [&] { a_.sli(sigma0.s4(), w1.s4(), 32 - 7); },
        [&] { a_.eor(sigma0.b16(), sigma0.b16(), x.b16()); },
        [&] { a_.ushr(newest.s4(), newest.s4(), 10); },
        [&] { a_.eor(sigma0.b16(), sigma0.b16(), z.b16()); },
        [&] { a_.add(sum.s4(), sum.s4(), sigma0.s4()); },
        [&] { a_.eor(early.b16(), early.b16(), newest.b16()); },
        [&] { a_.ldr(w1.q(), ptr(k_, rounds::offset(4 * i + 16))); },
        [&] { a_.ushll(x.d2(), sum.s2(), 0); },
        [&] { a_.add(early.s4(), early.s4(), x.s4()); },
        [&] { a_.ushll2(z.d2(), sum.s4(), 0); },
        [&] { a_.trn1(newest.s4(), early.s4(), early.s4()); },
        [&] { a_.ushr(y.d2(), newest.d2(), 19); },
        [&] { a_.ushr(late.d2(), newest.d2(), 17); },
        [&] { a_.ushr(newest.s4(), newest.s4(), 10); },
        [&] { a_.eor(late.b16(), late.b16(), y.b16()); },
        [&] { a_.eor(late.b16(), late.b16(), newest.b16()); },
        [&] { a_.add(late.s4(), late.s4(), z.s4()); },
        [&] { a_.xtn(to.s2(), early.d2()); },
        [&] { a_.trn1(newest.s4(), late.s4(), late.s4()); },
        [&] { a_.xtn2(to.s4(), late.d2()); },
        [&] { a_.add(w1.s4(), w1.s4(), to.s4()); },
        [&] { a_.str(w1.q(), ring(4 * i)); },
    };
    call_nth(9 * (t % 4) + n, instructions);
  }

  rounds rounds_;
  asmjit::Label k_;
};

}  // namespace

machine_code generate_sha256_neon(const generator_options&) noexcept {
  return generate_block_function<sha256_neon>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
