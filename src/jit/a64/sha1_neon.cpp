// The SHA-1 compression function (FIPS 180-4 section 6.1.2): the message schedule in vector registers, four
// words at a time, between the rounds in general registers.
// Needs: NEON. Bound by the integer units, which the rounds leave some 8 instructions each.
//
//   registers as in sha1_rounds.hpp, and
//   w11,12   kw[2]    K + W of the round to come and of the next
//   v0-7     w[8]     the last 32 words of the message schedule, four each, a ring
//   v16-19   k[4]     the round constants, each in all four words
//   v20,21   temp[2]
//   v22      zero
//   stack             K + W of sixteen rounds, a ring
#include "jit/a64/kernels.hpp"
#include "jit/a64/sha1_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha1_neon {
 public:
  static constexpr frame_needs needs{
      .general = sha1_rounds::registers | mask_of(w11, w12), .vector = 0x007f00ff, .stack = 64};

  explicit sha1_neon(block_emitter& e) noexcept
      : e_(e), a_(e.a), rounds_(e.a), constants_(e.constant(sha1_k)) {}

  void load_state() noexcept {
    a_.adr(x11, constants_);
    a_.ld4r(k[0].s4(), k[1].s4(), k[2].s4(), k[3].s4(), ptr(x11));
    a_.movi(zero.b16(), 0);
    rounds_.load(e_.state);
  }

  void compress_block() noexcept {
    a_.ld1(w[0].b16(), w[1].b16(), w[2].b16(), w[3].b16(), ptr_post(e_.blocks, 64));
    for (unsigned i = 0; i < 4; ++i) a_.rev32(w[i].b16(), w[i].b16());
    for (unsigned i = 0; i < 4; ++i) {
      a_.add(temp[i % 2].s4(), w[i].s4(), k[0].s4());
      a_.str(temp[i % 2].q(), ring(i));
    }
    rounds_.begin(*this);
    for (unsigned t = 0; t < sha1_rounds::round_count; ++t) rounds_.round(t, *this);
    rounds_.feed_forward(e_.state);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {}

 private:
  friend sha1_rounds;
  static constexpr Vec w[8] = {q0, q1, q2, q3, q4, q5, q6, q7};
  static constexpr Vec k[4] = {q16, q17, q18, q19}, temp[2] = {q20, q21}, zero = q22;
  static constexpr Gp kw[2] = {w11, w12};

  // K + W of rounds 4i to 4i+3.
  [[nodiscard]] Mem ring(unsigned i) const noexcept {
    return e_.stack(16 * static_cast<std::int32_t>(i % 4));
  }

  void fetch(unsigned t) noexcept {
    if (t % 2 == 0) a_.ldp(kw[0], kw[1], e_.stack(4 * static_cast<std::int32_t>(t % 16)));
  }
  void add_k(unsigned, const Gp&) noexcept {}
  void add_w(unsigned t, const Gp& e) noexcept { a_.add(e, e, kw[t % 2]); }

  // Over rounds 4i-16 to 4i-13: W[4i..4i+3] and K + W of them.
  void step(unsigned t, unsigned n) noexcept {
    const unsigned i = t / 4 + 4;
    if (i >= 20) return;
    n += 4 * (t % 4);
    if (i < 8) {
      first_words(i, n);
    } else {
      words(i, n);
    }
  }

  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]). The last of four wants the first; it gets its share,
  // rotl2 of what the first is rotl1 of, at the end.
  void first_words(unsigned i, unsigned n) noexcept {
    const Vec to = w[i], x = temp[0], y = temp[1];
    const auto before = [i](unsigned words) { return w[i - words / 4]; };
    const std::tuple instructions{
        [&] { a_.ext(y.b16(), before(4).b16(), zero.b16(), 4); },
        [&] { a_.ext(x.b16(), before(16).b16(), before(12).b16(), 8); },
        [&] { a_.eor(y.b16(), y.b16(), before(8).b16()); },
        [&] { a_.eor(x.b16(), x.b16(), before(16).b16()); },
        [&] { a_.eor(x.b16(), x.b16(), y.b16()); },
        [&] { a_.shl(to.s4(), x.s4(), 1); },
        [&] { a_.ext(y.b16(), zero.b16(), x.b16(), 4); },
        [&] { a_.sri(to.s4(), x.s4(), 31); },
        [&] { a_.shl(x.s4(), y.s4(), 2); },
        [&] { a_.sri(x.s4(), y.s4(), 30); },
        [&] { a_.eor(to.b16(), to.b16(), x.b16()); },
        [&] { a_.add(x.s4(), to.s4(), k[i / 5].s4()); },
        [&] { a_.str(x.q(), ring(i)); },
    };
    call_nth(n, instructions);
  }

  // The same twice over, for t >= 32: W[t] = rotl2(W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32]), where nothing
  // depends on the four words themselves.
  void words(unsigned i, unsigned n) noexcept {
    const Vec to = w[i % 8], x = temp[0], y = temp[1];
    const auto before = [i](unsigned words) { return w[(i - words / 4) % 8]; };
    if (n % 2 != 0) return;
    const std::tuple instructions{
        [&] { a_.eor(x.b16(), to.b16(), before(28).b16()); },
        [&] { a_.ext(y.b16(), before(8).b16(), before(4).b16(), 8); },
        [&] { a_.eor(x.b16(), x.b16(), before(16).b16()); },
        [&] { a_.eor(x.b16(), x.b16(), y.b16()); },
        [&] { a_.shl(to.s4(), x.s4(), 2); },
        [&] { a_.sri(to.s4(), x.s4(), 30); },
        [&] { a_.add(x.s4(), to.s4(), k[i / 5].s4()); },
        [&] { a_.str(x.q(), ring(i)); },
    };
    call_nth(n / 2, instructions);
  }

  block_emitter& e_;
  Assembler& a_;
  sha1_rounds rounds_;
  asmjit::Label constants_;
};

}  // namespace

machine_code generate_sha1_neon(const generator_options&) noexcept {
  return generate_block_function<sha1_neon>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
