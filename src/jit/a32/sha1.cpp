// The SHA-1 compression function (FIPS 180-4 section 6.1.2) on core registers, ARMv5TE to ARMv7.
// Bound by the number of instructions: eleven a round, of which the schedule is four. First the whole
// schedule is computed, with the words that are used again in registers, then the rounds; rotations are never
// instructions of their own. Words, like working variables, wait unrotated, and the barrel shifter rotates
// them where they are used.
//
//   the schedule                               the rounds
//   r0-r7    W[t-8..t-1], four pairs           r0-r4    a-e
//   r8,r9    W[t-16], W[t-15]                  r5       K
//   r10,r12  W[t-14], W[t-13]                  r6,r7    two words of the schedule
//   lr       the place of W[t]                 r8,r9    temporaries
//                                              lr       the place of the next words
#include <algorithm>
#include <array>

#include "jit/a32/block_function.hpp"
#include "jit/a32/kernels.hpp"
#include "jit/a32/sha1_round.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha1_scalar {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr unsigned stack_bytes(bool) noexcept { return 80 * 4; }

  sha1_scalar(encoder& e, frame& f, const generator_options& options) noexcept
      : e_(e), frame_(f), compact_(options.compact) {}

  void begin() noexcept {}

  void compress_block() noexcept {
    load_message(e_, frame_, 0, 64, compact_);
    if (compact_) {
      expand_loop();
    } else {
      expand();
    }
    e_.ldr(next_words, frame_.state());
    e_.ldm(next_words, reg_set::range(r0, r4));
    if (compact_) {
      round_loops();
    } else {
      rounds();
    }
    e_.ldr(lr, frame_.state());
    sha1_feed_forward(e_, lr, v_);
    frame_.compare_end();
  }

  void constants() noexcept {}

 private:
  static constexpr reg k = r5, w[2] = {r6, r7}, t0 = r8, t1 = r9, next_words = lr;

  // How far the word of index t, as it is stored, has still to be rotated left: once more than the word
  // sixteen before it.
  static constexpr unsigned turns(unsigned t) noexcept { return t / 16; }

  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), two words a step; they are stored a step later, when
  // no core has to wait for them.
  void expand() noexcept {
    std::array<reg_pair, 6> pairs{{{r8, r9}, {r10, r12}, {r0, r1}, {r2, r3}, {r4, r5}, {r6, r7}}};
    e_.add(lr, sp, 64);
    load_pair(e_, pairs[0], at(lr, -16 * 4));
    load_pair(e_, pairs[1], at(lr, -14 * 4));
    for (unsigned t = 16; t < 80; t += 2) {
      const auto& [now, w14, w8, w6, w4, w2] = pairs;
      mix(t, now.first, w14.first, 14);
      mix(t + 1, now.second, w14.second, 14);
      mix(t, now.first, w8.first, 8);
      mix(t + 1, now.second, w8.second, 8);
      if (t > 16) store_next(w2);
      if (t < 78) load_pair(e_, w8, at(lr, -12 * 4));
      mix(t, now.first, w4.second, 3);
      mix(t + 1, now.second, w2.first, 3);
      std::rotate(pairs.begin(), pairs.begin() + 1, pairs.end());
    }
    store_next(pairs.back());
  }

  // Takes W[t-distance] into what is W[t-16] and becomes W[t].
  void mix(unsigned t, reg to, reg from, unsigned distance) noexcept {
    e_.eor(to, to, ror(from, (turns(t - 16) - turns(t - distance)) % 32));
  }

  void store_next(const reg_pair& from) noexcept {
    if (from.dual()) {
      e_.strd(from.first, post(lr, 8));
    } else {
      e_.stm(lr, reg_set(from.first, from.second), true);
    }
  }

  // The same, a word each turn; here the words are rotated at once.
  void expand_loop() noexcept {
    const label next = e_.new_label();
    e_.mov(lr, sp);
    e_.bind(next);
    e_.ldr(r1, at(lr, (16 - 14) * 4));
    e_.ldr(r2, at(lr, (16 - 8) * 4));
    e_.ldr(r3, at(lr, (16 - 3) * 4));
    e_.ldr(r0, post(lr, 4));
    e_.eor(r1, r1, r2);
    e_.eor(r0, r0, r3);
    e_.eor(r0, r0, r1);
    e_.mov(r0, ror(r0, 31));
    e_.str(r0, at(lr, 15 * 4));
    e_.sub(r1, lr, sp);
    e_.cmp(r1, 64 * 4);
    e_.b(next, condition::ne);
  }

  void rounds() noexcept {
    v_ = {{{r0}, {r1}, {r2}, {r3}, {r4}}};
    e_.mov(next_words, sp);
    e_.ldrd(w[0], post(next_words, 8));
    for (unsigned t = 0; t < 80; ++t) {
      if (t % 20 == 0) e_.load_constant(k, sha1_k[t / 20]);
      round(t, ror(w[t % 2], (32 - turns(t)) % 32));
      if (t % 2 && t < 79) e_.ldrd(w[0], post(next_words, 8));
    }
  }

  // Five rounds a turn bring the working variables back to their registers.
  void round_loops() noexcept {
    v_ = {{{r0}, {r1}, {r2, 2}, {r3, 2}, {r4, 2}}};
    for (const rotated& x : v_) {
      if (x.by) e_.mov(x.r, ror(x.r, 32 - x.by));
    }
    e_.mov(next_words, sp);
    for (unsigned t = 0; t < 80; t += 20) {
      const label next = e_.new_label();
      e_.load_constant(k, sha1_k[t / 20]);
      e_.bind(next);
      for (unsigned i = 0; i < 5; ++i) {
        e_.ldr(w[0], post(next_words, 4));
        round(t, w[0]);
      }
      e_.sub(t0, next_words, sp);
      e_.cmp(t0, (t + 20) * 4);
      e_.b(next, condition::ne);
    }
  }

  void round(unsigned t, operand word) noexcept {
    const reg sum = v_[4].r;
    sha1_round(e_, t, v_, k, t0, t1, [&](unsigned place) noexcept {
      if (place == 1) e_.add(sum, sum, word);
    });
  }

  encoder& e_;
  frame& frame_;
  bool compact_;
  sha1_variables v_{};
};

}  // namespace

machine_code generate_sha1(const generator_options& options) noexcept {
  return generate_block_function<sha1_scalar>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
