// The SHA-256 compression function (FIPS 180-4 section 6.2.2) on core registers, ARMv5TE to ARMv7.
// Bound by the number of instructions. First the whole schedule is computed, with the words that are used
// again in registers, then the rounds.
//
//   the schedule                               the rounds
//   r0-r7    W[t-8..t-1], four pairs; W[t-8]   r0-r7       a-h
//            is not used and a temporary       r8,r9       two words of the schedule
//   r8,r9    W[t-16], W[t-15]                  r10,r12,lr  temporaries, one of them b ^ c
//   r10,r12  W[t-14], W[t-13]
//   lr       temporary
//
// Compact, r8 points at the words and r9 at the constants.
#include <algorithm>
#include <array>

#include "jit/a32/block_function.hpp"
#include "jit/a32/kernels.hpp"
#include "jit/a32/sha256_round.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha256_scalar {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr unsigned stack_bytes(bool) noexcept { return 64 * 4; }

  sha256_scalar(encoder& e, frame& f, const generator_options& options) noexcept
      : e_(e), frame_(f), compact_(options.compact), k_(e.new_label()) {}

  void begin() noexcept {}

  void compress_block() noexcept {
    load_message(e_, frame_, 0, 64, compact_);
    if (compact_) {
      expand_loop();
    } else {
      expand();
    }
    e_.ldr(lr, frame_.state());
    v_.load(e_, lr);
    if (compact_) {
      round_loop();
    } else {
      rounds();
    }
    e_.ldr(lr, frame_.state());
    v_.feed_forward(e_);
    frame_.compare_end();
  }

  void constants() noexcept {
    if (compact_) place_k();
  }

 private:
  static constexpr reg w[2] = {r8, r9};
  static constexpr reg next_word = r8, next_k = r9;  // compact

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], two words a step; they are stored a step
  // later, when no core has to wait for them.
  void expand() noexcept {
    std::array<reg_pair, 6> pairs{{{r8, r9}, {r10, r12}, {r0, r1}, {r2, r3}, {r4, r5}, {r6, r7}}};
    load_pair(e_, pairs[0], word(0));
    load_pair(e_, pairs[1], word(2));
    for (unsigned t = 16; t < 64; t += 2) {
      const auto& [now, w14, w8, w6, w4, w2] = pairs;
      const reg temp = w8.first;
      add_sigmas(now.first, now.second, w8.second, w2.first, temp);
      if (t > 16) store_pair(e_, w2, word(t - 2));
      add_sigmas(now.second, w14.first, w6.first, w2.second, temp);
      if (t < 62) load_pair(e_, w8, word(t - 12));
      std::rotate(pairs.begin(), pairs.begin() + 1, pairs.end());
    }
    store_pair(e_, pairs.back(), word(62));
  }

  // sigma0(x) = rotr7(x) ^ rotr18(x) ^ shr3(x);  sigma1(x) = rotr17(x) ^ rotr19(x) ^ shr10(x)
  void add_sigmas(reg to, reg w15, reg w7, reg w2, reg temp) noexcept {
    e_.mov(lr, ror(w15, 7));
    e_.add(to, to, w7);
    e_.mov(temp, ror(w2, 17));
    e_.eor(lr, lr, ror(w15, 18));
    e_.eor(temp, temp, ror(w2, 19));
    e_.eor(lr, lr, lsr(w15, 3));
    e_.eor(temp, temp, lsr(w2, 10));
    e_.add(to, to, lr);
    e_.add(to, to, temp);
  }

  static constexpr address word(unsigned t) noexcept { return at(sp, static_cast<int>(4 * t)); }

  // The same, a word each turn.
  void expand_loop() noexcept {
    const label next = e_.new_label();
    e_.mov(r8, sp);
    e_.bind(next);
    e_.ldr(r1, at(r8, (16 - 15) * 4));
    e_.ldr(r2, at(r8, (16 - 2) * 4));
    e_.ldr(r3, at(r8, (16 - 7) * 4));
    e_.ldr(r0, post(r8, 4));
    add_sigmas(r0, r1, r3, r2, r4);
    e_.str(r0, at(r8, 15 * 4));
    e_.sub(r1, r8, sp);
    e_.cmp(r1, 48 * 4);
    e_.b(next, condition::ne);
  }

  void rounds() noexcept {
    const label over = e_.new_label();
    e_.ldrd(w[0], at(sp));
    for (unsigned t = 0; t < 64; ++t) {
      if (t == 32) {  // in the middle, so that every round reaches them
        e_.b(over);
        place_k();
        e_.bind(over);
      }
      e_.ldr(v_.temps[1], k_, static_cast<int>(4 * t));
      round(w[t % 2]);
      if (t % 2 && t < 63) e_.ldrd(w[0], word(t + 1));
    }
  }

  // Eight rounds a turn bring the working variables back to their registers.
  void round_loop() noexcept {
    const label next = e_.new_label();
    e_.mov(next_word, sp);
    e_.address_of(next_k, k_);
    e_.bind(next);
    for (unsigned i = 0; i < 8; ++i) {
      e_.ldr(v_.temps[0], post(next_word, 4));
      e_.ldr(v_.temps[1], post(next_k, 4));
      round(v_.temps[0]);
    }
    e_.sub(v_.temps[0], next_word, sp);
    e_.cmp(v_.temps[0], 64 * 4);
    e_.b(next, condition::ne);
  }

  // Finds K[t] in the second temporary.
  void round(reg word) noexcept {
    const reg h = v_.v[7], k = v_.temps[1];
    e_.add(h, h, word);
    sha256_round(e_, v_, [&](unsigned place) noexcept {
      if (place == 0) e_.add(h, h, k);
    });
  }

  void place_k() noexcept {
    e_.bind(k_);
    e_.words(sha256_k);
  }

  encoder& e_;
  frame& frame_;
  bool compact_;
  label k_;
  sha256_variables v_;
};

}  // namespace

machine_code generate_sha256(const generator_options& options) noexcept {
  return generate_block_function<sha256_scalar>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
