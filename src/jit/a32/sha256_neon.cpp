// The SHA-256 compression function (FIPS 180-4 section 6.2.2): the message schedule in Advanced SIMD, four
// words at a time, beside the rounds on core registers. Needs ARMv7 and NEON; touches no register of q4 to
// q7. Bound by the number of instructions: seventeen and a half a round, and seven of the schedule.
//
//   r0-r7       a-h                               q0-q3   W[t-16..t-1], a ring
//   r8,r9       W + K of two rounds               q8-q11  temporaries
//   r10,r12,lr  temporaries, one of them b ^ c    q12-15  K, W + K of sixteen rounds
//
//   sp          W + K of sixteen rounds
#include "jit/a32/block_function.hpp"
#include "jit/a32/kernels.hpp"
#include "jit/a32/sha256_round.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

class sha256_neon {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr unsigned stack_bytes(bool) noexcept { return 16 * 4; }

  sha256_neon(encoder& e, frame& f, const generator_options& options) noexcept
      : e_(e), frame_(f), compact_(options.compact), k_(e.new_label()) {}

  void begin() noexcept {
    e_.ldr(r10, frame_.blocks());
    load_block(r10, r12);
    for (unsigned half = 0; half < 2; ++half) {
      reverse_bytes(half);
      store_sums(half, r10);
    }
    e_.ldr(lr, frame_.state());
    e_.ldm(lr, reg_set::range(r0, r7));
  }

  // Computes the words of each sixteen rounds in those before, and in the last ones begins with the next
  // block, or after the last one with that again.
  void compress_block() noexcept {
    const auto [t0, t1, b_c] = v_.temps;
    load_sums(0);
    e_.eor(b_c, v_.v[1], v_.v[2]);
    if (compact_) {
      const label next = e_.new_label();
      e_.bind(next);
      rounds_and_schedule();
      e_.ldr(t0, frame_.spare());
      e_.address_of(t1, k_);
      e_.sub(t1, t0, t1);
      e_.cmp(t1, 64 * 4);
      e_.b(next, condition::ne);
    } else {
      for (unsigned t = 0; t < 48; t += 16) rounds_and_schedule();
    }
    e_.ldr(t0, frame_.blocks());
    e_.ldr(t1, frame_.end());
    e_.cmp(t0, t1);
    e_.sub(t0, t0, 64, condition::eq);
    load_block(t0, t1);
    rounds([&](unsigned half, unsigned slot) noexcept {
      if (slot == 48) reverse_bytes(half);
    });
    e_.ldr(lr, frame_.state());
    v_.feed_forward(e_);
  }

  void constants() noexcept {
    e_.align(16);
    e_.bind(k_);
    e_.words(sha256_k);
  }

 private:
  static constexpr vreg k[4] = {q(12), q(13), q(14), q(15)};

  void load_block(reg blocks, reg next_k) noexcept {
    e_.vld1(8, q(0), q(1), blocks, true);
    e_.vld1(8, q(2), q(3), blocks, true);
    e_.str(blocks, frame_.blocks());
    e_.address_of(next_k, k_);
    load_k(next_k);
  }

  void load_k(reg next_k) noexcept {
    e_.vld1(32, k[0], k[1], next_k, true);
    e_.vld1(32, k[2], k[3], next_k, true);
    e_.str(next_k, frame_.spare());
  }

  void reverse_bytes(unsigned half) noexcept {
    e_.vrev(32, q(2 * half), q(2 * half));
    e_.vrev(32, q(2 * half + 1), q(2 * half + 1));
  }

  // W + K of eight rounds, when those in their places have been read.
  void store_sums(unsigned half, reg place) noexcept {
    const vreg first = k[2 * half], second = k[2 * half + 1];
    e_.vadd(32, first, first, q(2 * half));
    e_.vadd(32, second, second, q(2 * half + 1));
    if (half == 0) {
      e_.vst1(32, first, second, sp);
    } else {
      e_.add(place, sp, 8 * 4);
      e_.vst1(32, first, second, place);
    }
  }

  void rounds_and_schedule() noexcept {
    e_.ldr(v_.temps[0], frame_.spare());
    load_k(v_.temps[0]);
    rounds([&](unsigned half, unsigned slot) noexcept {
      constexpr unsigned all = 2 * steps;
      const unsigned step = slot * all / 64;
      if (step != (slot + 1) * all / 64) schedule_step(2 * half + step / steps, step % steps);
    });
    load_sums(0);
  }

  // Sixteen rounds; calls fill(half, slot) 64 times in each half.
  template <class Fill>
  void rounds(Fill&& fill) noexcept {
    for (unsigned t = 0; t < 16; ++t) {
      const reg h = v_.v[7];
      e_.add(h, h, t % 2 ? r9 : r8);
      sha256_round(e_, v_, [&](unsigned place) noexcept { fill(t / 8, t % 8 * 8 + place); });
      if (t % 2 && t < 15) load_sums(t + 1);
      if (t % 8 == 7) store_sums(t / 8, v_.temps[0]);
    }
  }

  void load_sums(unsigned t) noexcept { e_.ldrd(r8, at(sp, static_cast<int>(t * 4))); }

  static constexpr unsigned steps = 27;

  // The instructions that compute quad i of the ring anew.
  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]
  // sigma0(x) = rotr7(x) ^ rotr18(x) ^ shr3(x);  sigma1(x) = rotr17(x) ^ rotr19(x) ^ shr10(x)
  void schedule_step(unsigned i, unsigned step) noexcept {
    const vreg now = q(i % 4), w12 = q((i + 1) % 4), w8 = q((i + 2) % 4), w4 = q((i + 3) % 4);
    const vreg x = q(8), y = q(9), z = q(10), w7 = q(11);
    switch (step) {
      case 0:
        return e_.vext(x, now, w12, 4);  // W[t-15]
      case 1:
        return e_.vext(w7, w8, w4, 4);
      case 2:
        return e_.vshr(32, y, x, 7);
      case 3:
        return e_.vshr(32, z, x, 18);
      case 4:
        return e_.vsli(32, y, x, 25);
      case 5:
        return e_.vsli(32, z, x, 14);
      case 6:
        return e_.vshr(32, x, x, 3);
      case 7:
        return e_.vadd(32, now, now, w7);
      case 8:
        return e_.veor(y, y, z);
      case 9:
        return e_.veor(x, x, y);
      case 10:
        return e_.vadd(32, now, now, x);
    }
    // The lower two words of W[t-2] are there, the upper two are the first of the new ones.
    const bool upper = step >= 19;
    const vreg from = upper ? now.low() : w4.high(), to = upper ? now.high() : now.low();
    switch (upper ? step - 8 : step) {
      case 11:
        return e_.vshr(32, x.low(), from, 17);
      case 12:
        return e_.vshr(32, y.low(), from, 19);
      case 13:
        return e_.vshr(32, z.low(), from, 10);
      case 14:
        return e_.vsli(32, x.low(), from, 15);
      case 15:
        return e_.vsli(32, y.low(), from, 13);
      case 16:
        return e_.veor(z.low(), z.low(), x.low());
      case 17:
        return e_.veor(z.low(), z.low(), y.low());
      case 18:
        return e_.vadd(32, to, to, z.low());
    }
  }

  encoder& e_;
  frame& frame_;
  bool compact_;
  label k_;
  sha256_variables v_;
};

}  // namespace

machine_code generate_sha256_neon(const generator_options& options) noexcept {
  return generate_block_function<sha256_neon>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
