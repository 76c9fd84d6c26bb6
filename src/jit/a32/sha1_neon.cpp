// The SHA-1 compression function (FIPS 180-4 section 6.1.2): the message schedule in Advanced SIMD, four
// words at a time, beside the rounds on core registers. Needs ARMv7 and NEON; touches no register of q4 to
// q7. Bound by the number of instructions: six and a half a round, and two of the schedule.
//
//   r0-r4     a-e                              q0-q3,  W[4i..4i+3] of the last eight i, a ring
//   r6,r7     W + K of two rounds              q8-q11
//   r8,r9     temporaries                      q12,13  temporaries
//   r10       the place of the next W + K      q14     K
//   r12       the place of the next K          q15     zero
//   lr        the place of the next block
//
//   sp        W + K of sixteen rounds, a ring
#include "jit/a32/block_function.hpp"
#include "jit/a32/kernels.hpp"
#include "jit/a32/sha1_round.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha1_neon {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr unsigned stack_bytes(bool) noexcept { return 16 * 4; }

  sha1_neon(encoder& e, frame& f, const generator_options&) noexcept : e_(e), frame_(f), k_(e.new_label()) {}

  void begin() noexcept {
    e_.ldr(lr, frame_.state());
    e_.ldm(lr, reg_set::range(r0, r4));
    e_.veor(zero, zero, zero);
    e_.address_of(next_k, k_);
    e_.mov(next_place, sp);
    e_.ldr(next_block, frame_.blocks());
    for (unsigned round = 0; round < 16; ++round) load_step(round);
    load_sums(0);
  }

  // Computes the words of each four rounds sixteen rounds before, and in the last sixteen rounds begins with
  // the next block, or after the last one with that again.
  void compress_block() noexcept {
    sha1_variables v{{{r0}, {r1}, {r2}, {r3}, {r4}}};
    for (unsigned t = 0; t < 80; ++t) {
      if (t % 16 == 0) e_.mov(next_place, sp);
      if (t == 64) turn_to_next_block();
      sha1_round(e_, t, v, t % 2 ? r7 : r6, r8, r9, [&](unsigned place) noexcept {
        if (t < 64) {
          schedule_steps(t / 4 + 4, t % 4 * 4 + place);
        } else if (place == 0) {
          load_step(t - 64);
        }
      });
      if (t % 2 && t < 79) load_sums(t + 1);
    }
    e_.ldr(r10, frame_.state());
    sha1_feed_forward(e_, r10, v);
    load_sums(0);
  }

  void constants() noexcept {
    e_.align(16);
    e_.bind(k_);
    for (const std::uint32_t k : sha1_k) {
      for (unsigned i = 0; i < 4; ++i) e_.word(k);
    }
  }

 private:
  static constexpr reg next_place = r10, next_k = r12, next_block = lr;
  static constexpr vreg x = q(12), y = q(13), k_now = q(14), zero = q(15);

  static constexpr vreg w(unsigned quad) noexcept { return quad % 8 < 4 ? q(quad % 8) : q(quad % 8 + 4); }

  void load_sums(unsigned t) noexcept { e_.ldrd(r6, at(sp, static_cast<int>(t % 16 * 4))); }

  void turn_to_next_block() noexcept {
    e_.ldr(r8, frame_.end());
    e_.sub(next_k, next_k, 4 * 16);
    e_.cmp(next_block, r8);
    e_.sub(next_block, next_block, 64, condition::eq);
  }

  // What of loading a block is done in each of sixteen rounds: the sums W + K are stored when those in their
  // places have been read.
  void load_step(unsigned round) noexcept {
    switch (round) {
      case 0:
        return e_.vld1(8, w(0), w(1), next_block, true);
      case 1:
        return e_.vld1(8, w(2), w(3), next_block, true);
      case 2:
        return e_.vld1(32, k_now, k_now, next_k, true);
      case 4:
      case 5:
      case 6:
      case 7:
        return e_.vrev(32, w(round - 4), w(round - 4));
      case 8:
      case 14: {
        const unsigned quad = round == 8 ? 0 : 2;
        e_.vadd(32, x, w(quad), k_now);
        return e_.vadd(32, y, w(quad + 1), k_now);
      }
      case 9:
      case 15:
        return e_.vst1(32, x, y, next_place, true);
    }
  }

  // Spreads the instructions that compute and store the words of a quad over sixteen slots.
  void schedule_steps(unsigned quad, unsigned slot) noexcept {
    const unsigned words = quad < 8 ? 11 : 6, load_k = quad % 5 == 0, all = words + load_k + 2;
    const unsigned step = slot * all / 16;
    if (step == (slot + 1) * all / 16) return;
    if (step < words) {
      schedule_step(quad, step);
    } else if (step == all - 1) {
      e_.vst1(32, y, y, next_place, true);
    } else if (step == all - 2) {
      e_.vadd(32, y, w(quad), k_now);
    } else {
      e_.vld1(32, k_now, k_now, next_k, true);
    }
  }

  void schedule_step(unsigned quad, unsigned step) noexcept {
    const vreg now = w(quad), w16 = w(quad - 4), w12 = w(quad - 3), w8 = w(quad - 2), w4 = w(quad - 1);
    if (quad < 8) {
      // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]). The last of the four words depends on the first,
      // and takes it in, rotated once more, when it is there.
      switch (step) {
        case 0:
          return e_.vext(x, w16, w12, 8);  // W[t-14]
        case 1:
          return e_.vext(y, w4, zero, 4);  // W[t-3], but for the last
        case 2:
          return e_.veor(x, x, w16);
        case 3:
          return e_.veor(y, y, w8);
        case 4:
          return e_.veor(x, x, y);
        case 5:
          return e_.vext(y, zero, x, 4);
        case 6:
          return e_.vshr(32, now, x, 31);
        case 7:
          return e_.vsli(32, now, x, 1);
        case 8:
          return e_.vshr(32, x, y, 30);
        case 9:
          return e_.vsli(32, x, y, 2);
        case 10:
          return e_.veor(now, now, x);
      }
    } else {
      // The same four times over: W[t] = rotl2(W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32])
      switch (step) {
        case 0:
          return e_.vext(x, w8, w4, 8);  // W[t-6]
        case 1:
          return e_.veor(y, now, w(quad - 7));
        case 2:
          return e_.veor(x, x, w16);
        case 3:
          return e_.veor(x, x, y);
        case 4:
          return e_.vshr(32, now, x, 30);
        case 5:
          return e_.vsli(32, now, x, 2);
      }
    }
  }

  encoder& e_;
  frame& frame_;
  label k_;
};

}  // namespace

machine_code generate_sha1_neon(const generator_options& options) noexcept {
  return generate_block_function<sha1_neon>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
