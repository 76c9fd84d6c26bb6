// The SHA-512 compression function (FIPS 180-4 section 6.4.2) in Advanced SIMD, a 64-bit word in a doubleword
// register. Needs ARMv7 and NEON.
// Bound by the number of instructions: 27 a round, and ten of the schedule.
//
//   d16-d23          a-h
//   q0-q7            W[t-16..t-1], a ring
//   d24-d27,d30,d31  temporaries
//   q14              K, W + K of two rounds
//   r12              turns left
#include <algorithm>
#include <array>

#include "jit/a32/kernels.hpp"
#include "jit/a32/vector_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha512_neon : vector_arguments {
 public:
  explicit sha512_neon(encoder& e) noexcept : e_(e) {}

  void begin() noexcept {
    e_.vpush(d(8), d(15));
    e_.vld1(64, d(16), d(19), state, true);
    e_.vld1(64, d(20), d(23), state);
    e_.sub(state, state, 32);
  }

  // Sixteen rounds and the words of the next sixteen, four times; then the last sixteen rounds.
  void compress_block() noexcept {
    for (unsigned i = 0; i < 8; i += 2) e_.vld1(8, w(i), w(i + 1), blocks, true);
    for (unsigned i = 0; i < 8; ++i) e_.vrev(64, w(i), w(i));
    const label next = e_.new_label();
    e_.mov(r12, 4);
    e_.bind(next);
    for (unsigned i = 0; i < 8; ++i) {
      two_rounds(i);
      schedule(i);
    }
    finish();
    e_.subs(r12, r12, 1);
    e_.b(next, condition::ne);
    for (unsigned i = 0; i < 8; ++i) two_rounds(i);
    finish();
    e_.sub(k, k, 80 * 8);
    feed_forward();
  }

  void end() noexcept { e_.vpop(d(8), d(15)); }

  void constants() noexcept { e_.words(sha512_k); }

 private:
  static constexpr vreg w(unsigned i) noexcept { return q(i % 8); }

  void two_rounds(unsigned i) noexcept {
    e_.vld1(64, kw, kw, k, true);
    round([&]() noexcept { e_.vadd(64, kw, kw, w(i)); }, kw.low());
    round([]() noexcept {}, kw.high());
  }

  // T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];  T2 = Sigma0(a) + Maj(a, b, c);
  // h = g;  g = f;  f = e;  e = d + T1;  d = c;  c = b;  b = a;  a = T1 + T2
  // Sigma1(e) = rotr14(e) ^ rotr18(e) ^ rotr41(e);  Sigma0(a) = rotr28(a) ^ rotr34(a) ^ rotr39(a)
  // Ch(e, f, g) = e ? f : g;  Maj(a, b, c) = a ^ b ? c : b, bit by bit
  template <class Prepare>
  void round(Prepare&& prepare_k_plus_w, vreg k_plus_w) noexcept {
    const auto [a, b, c, d_, e, f, g, h] = v_;
    e_.vshr(64, s0, e, 14);
    finish(0);
    finish(1);
    e_.vshr(64, s1, e, 18);
    e_.vmov(bits, e);
    finish(2);
    prepare_k_plus_w();
    e_.vsli(64, s0, e, 50);
    e_.vsli(64, s1, e, 46);
    e_.vbsl(bits, f, g);
    e_.vshr(64, s2, e, 41);
    e_.vadd(64, h, h, k_plus_w);
    e_.veor(s0, s0, s1);
    e_.vsli(64, s2, e, 23);
    e_.vadd(64, h, h, bits);
    e_.vshr(64, u0, a, 28);
    e_.veor(s0, s0, s2);
    e_.vshr(64, u1, a, 34);
    e_.vsli(64, u0, a, 36);
    e_.vadd(64, h, h, s0);
    e_.vsli(64, u1, a, 30);
    e_.vshr(64, u2, a, 39);
    e_.vadd(64, d_, d_, h);
    e_.veor(bits, a, b);
    e_.vsli(64, u2, a, 25);
    e_.veor(u0, u0, u1);
    e_.vbsl(bits, c, b);
    unfinished_ = unfinished::round;
    std::rotate(v_.begin(), v_.begin() + 7, v_.end());
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], two words
  // sigma0(x) = rotr1(x) ^ rotr8(x) ^ shr7(x);  sigma1(x) = rotr19(x) ^ rotr61(x) ^ shr6(x)
  void schedule(unsigned i) noexcept {
    const vreg now = w(i), w14 = w(i + 1), w8 = w(i + 4), w6 = w(i + 5), w2 = w(i + 7);
    const vreg z = kw;
    e_.vshr(64, z, w2, 6);
    finish(0);
    finish(1);
    e_.vshr(64, x, w2, 19);
    e_.vshr(64, y, w2, 61);
    finish(2);
    e_.vsli(64, x, w2, 45);
    e_.vsli(64, y, w2, 3);
    e_.vext(w15, now, w14, 8);
    e_.veor(x, x, z);
    e_.vext(z, w8, w6, 8);  // W[t-7]
    e_.veor(x, x, y);
    e_.vshr(64, y, w15, 1);
    e_.vadd(64, now, now, z);
    e_.vshr(64, z, w15, 8);
    e_.vsli(64, y, w15, 63);
    e_.vadd(64, now, now, x);
    e_.vsli(64, z, w15, 56);
    e_.vshr(64, w15, w15, 7);
    e_.veor(y, y, z);
    unfinished_ = unfinished::schedule;
    unfinished_word_ = now;
  }

  // The last three steps of a round or the last two of a schedule stand between the first ones of what
  // follows, so that cores which run in order need not wait for each.
  enum class unfinished { nothing, round, schedule };

  void finish(unsigned step) noexcept {
    if (unfinished_ == unfinished::round) {
      const vreg a = v_[0];
      switch (step) {
        case 0:
          return e_.veor(u0, u0, u2);
        case 1:
          return e_.vadd(64, a, a, bits);
        case 2:
          e_.vadd(64, a, a, u0);
      }
    } else if (unfinished_ == unfinished::schedule) {
      switch (step) {
        case 0:
          return;
        case 1:
          return e_.veor(w15, w15, y);
        case 2:
          e_.vadd(64, unfinished_word_, unfinished_word_, w15);
      }
    }
    unfinished_ = unfinished::nothing;
  }
  void finish() noexcept {
    for (unsigned step = 0; step < 3; ++step) finish(step);
  }

  void feed_forward() noexcept {
    e_.vld1(64, q(12), q(13), state, true);
    e_.vld1(64, q(14), q(15), state);
    for (unsigned i = 0; i < 4; ++i) e_.vadd(64, q(8 + i), q(8 + i), q(12 + i));
    e_.sub(state, state, 32);
    e_.vst1(64, q(8), q(9), state, true);
    e_.vst1(64, q(10), q(11), state);
    e_.sub(state, state, 32);
  }

  static constexpr vreg kw = q(14);
  // The temporaries of a round, and those of the schedule, which are the same registers.
  static constexpr vreg s0 = d(24), s1 = d(25), s2 = d(26), bits = d(27), u0 = d(30), u1 = d(31), u2 = s1;
  static constexpr vreg x = q(12), y = q(13), w15 = q(15);

  encoder& e_;
  unfinished unfinished_ = unfinished::nothing;
  vreg unfinished_word_;
  std::array<vreg, 8> v_{d(16), d(17), d(18), d(19), d(20), d(21), d(22), d(23)};
};

}  // namespace

machine_code generate_sha512_neon(const generator_options& options) noexcept {
  return generate_vector_function<sha512_neon>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
