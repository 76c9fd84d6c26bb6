// The SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers.
// Needs: nothing, or BMI2. Bound by the four ALUs of today's cores: 12 operations a round, 240 cycles a
// block.
//
//   registers as in sha1_rounds.hpp, and
//   r12d-r15d            recent[4] W[t] and the three words before it, a ring
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha1_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

template <bool Bmi>
class sha1_scalar {
 public:
  static constexpr unsigned block_shift = 6;
  // The ring of sixteen words of the message schedule.
  static constexpr frame_needs needs{.general = sha1_rounds<Bmi>::registers | mask_of(r12, r13, r14, r15),
                                     .stack = 64};

  explicit sha1_scalar(block_emitter& e) noexcept : e_(e), a_(e.a), rounds_(e.a) {}

  void load_state() noexcept { rounds_.load(e_.state); }

  void compress_block() noexcept {
    for (unsigned t = 0; t < 80; ++t) {
      rounds_.round(t, [&](const Gp& e) {
        const Gp w = t < 16 ? load_word(t) : schedule(t);
        a_.lea(e, ptr(e.r64(), w.r64(), 0, static_cast<std::int32_t>(sha1_k[t / 20])));
      });
    }
    rounds_.feed_forward(e_.state);
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp recent[4] = {r12d, r13d, r14d, r15d};

  Mem ring(unsigned t) noexcept { return e_.stack(4 * static_cast<std::int32_t>(t % 16)); }

  Gp load_word(unsigned t) noexcept {
    const Gp w = recent[t % 4];
    a_.mov(w, ptr(e_.blocks, 4 * static_cast<std::int32_t>(t)));
    a_.bswap(w);
    a_.mov(ring(t), w);
    return w;
  }

  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16])
  Gp schedule(unsigned t) noexcept {
    const Gp w = recent[t % 4];
    a_.mov(w, ring(t - 16));
    a_.xor_(w, ring(t - 14));
    a_.xor_(w, ring(t - 8));
    a_.xor_(w, recent[(t - 3) % 4]);
    a_.rol(w, 1);
    a_.mov(ring(t), w);
    return w;
  }

  block_emitter& e_;
  Assembler& a_;
  sha1_rounds<Bmi> rounds_;
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
