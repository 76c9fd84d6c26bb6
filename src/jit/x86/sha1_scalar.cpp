// The SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers.
// Needs: nothing, or BMI1 and BMI2.
// Bound by the four ALUs of today's cores: 12 operations a round, 240 cycles a block.
//
//   registers as in sha1_rounds.hpp, and
//   r14d r15d edi edx     w[4]      the newest words of the message schedule, a ring
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha1_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

template <bool Bmi>
class sha1_scalar {
  using rounds = sha1_rounds<Bmi, Assembler>;

  // The stack: the ring of sixteen words of the message schedule, then arguments.
  static constexpr std::int32_t state = 64, end = 72;

 public:
  static constexpr unsigned block_shift = 6;
  static constexpr frame_needs needs{.general = rounds::registers | mask_of(r14, r15, rdi, rdx), .stack = 80};

  explicit sha1_scalar(block_emitter& e) noexcept : e_(e), a_(e.a), rounds_(e.a) {}

  void load_state() noexcept {
    a_.mov(e_.stack(state), e_.state);
    a_.mov(e_.stack(end), e_.end);
    rounds_.load(e_.state);
  }

  void compress_block() noexcept {
    rounds_.begin();
    next_word(0);
    for (unsigned t = 0; t < rounds::count; ++t) {
      if (t + 1 < rounds::count) next_word(t + 1);  // in good time
      rounds_.round(t, [&](const Gp& e) {
        a_.lea(e, ptr(e.r64(), w[t % 4].r64(), 0, static_cast<std::int32_t>(sha1_k[t / 20])));
      });
    }
    a_.mov(e_.state, e_.stack(state));
    a_.mov(e_.end, e_.stack(end));
    rounds_.feed_forward(e_.state);
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp w[4] = {r14d, r15d, edi, edx};

  Mem ring(unsigned t) noexcept { return e_.stack(rounds::offset(t % 16)); }

  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), or a word of the message
  void next_word(unsigned t) noexcept {
    const Gp to = w[t % 4];
    if (t < 16) {
      a_.mov(to, ptr(e_.blocks, rounds::offset(t)));
      a_.bswap(to);
    } else {
      a_.mov(to, ring(t - 16));
      a_.xor_(to, ring(t - 14));
      a_.xor_(to, ring(t - 8));
      a_.xor_(to, w[(t - 3) % 4]);
      a_.rol(to, 1);
    }
    a_.mov(ring(t), to);
  }

  block_emitter& e_;
  Assembler& a_;
  rounds rounds_;
};

}  // namespace

machine_code generate_sha1_bmi2(const generator_options& options) noexcept {
  return generate_block_function<sha1_scalar<true>>(options);
}
machine_code generate_sha1_scalar(const generator_options& options) noexcept {
  return generate_block_function<sha1_scalar<false>>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
