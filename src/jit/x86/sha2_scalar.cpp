// The SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in general registers.
// Needs: nothing, or BMI1 and BMI2. Bound by the four ALUs of today's cores: 25 operations in each of the
// first sixteen rounds and 36 in the others, which makes 532 cycles a block of SHA-256 and 676 of SHA-512.
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha2_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

template <class Compression, bool Bmi>
class sha2_scalar {
  using rounds = sha2_rounds<Compression, Bmi>;
  using facts = sha2_facts<Compression>;
  static constexpr std::int32_t word_size = rounds::word_size;

 public:
  static constexpr unsigned block_shift = word_size == 4 ? 6 : 7;
  // The ring of sixteen words of the message schedule, then the arguments.
  static constexpr std::int32_t saved_state = 16 * word_size, saved_blocks = saved_state + 8,
                                saved_end = saved_state + 16;
  static constexpr frame_needs needs{.general = rounds::registers, .stack = 16 * word_size + 32};

  explicit sha2_scalar(block_emitter& e) noexcept : e_(e), a_(e.a), rounds_(e.a), k_(e.constant(facts::k)) {}

  void load_state() noexcept {
    a_.mov(e_.stack(saved_state), e_.state);
    a_.mov(e_.stack(saved_end), e_.end);
    rounds_.load(e_.state);
  }

  void compress_block() noexcept {
    const asmjit::Label more_rounds = e_.new_label();
    rounds_.begin();
    for (unsigned t = 0; t < 16; ++t) {
      rounds_.round(t, [&](const Gp& h) {
        const Gp w = rounds::temp[0];
        a_.mov(w, ptr(e_.blocks, offset(t)));
        a_.bswap(w);
        a_.mov(ring(t), w);
        a_.add(h, ptr(k_, offset(t)));
        a_.add(h, w);
      });
    }
    a_.mov(e_.stack(saved_blocks), e_.blocks);
    a_.lea(cursor, ptr(k_, offset(16)));
    a_.bind(more_rounds);
    for (unsigned t = 16; t < 32; ++t) {
      rounds_.round(t, [&](const Gp& h) {
        a_.add(h, ptr(cursor, offset(t - 16)));
        schedule(t);
        a_.add(h, rounds::temp[0]);
      });
    }
    a_.add(cursor, offset(16));
    a_.lea(last, ptr(k_, offset(rounds::round_count)));
    a_.cmp(cursor, last);
    a_.jne(more_rounds);
    rounds_.end();
    a_.mov(e_.state, e_.stack(saved_state));
    a_.mov(e_.blocks, e_.stack(saved_blocks));
    a_.mov(e_.end, e_.stack(saved_end));
    rounds_.feed_forward(e_.state);
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp cursor = rsi, last = rdi;

  static constexpr std::int32_t offset(unsigned words) noexcept {
    return word_size * static_cast<std::int32_t>(words);
  }
  Mem ring(unsigned t) noexcept { return e_.stack(offset(t % 16)); }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]
  void schedule(unsigned t) noexcept {
    const auto& r = facts::rotations;
    const Gp w = rounds::temp[0];
    rounds_.rotations_and_shift(w, ring(t - 15), rounds::temp[1], r.sigma0);
    a_.add(w, ring(t - 16));
    a_.add(w, ring(t - 7));
    rounds_.rotations_and_shift(rounds::temp[1], ring(t - 2), rounds::temp[2], r.sigma1);
    a_.add(w, rounds::temp[1]);
    a_.mov(ring(t), w);
  }

  block_emitter& e_;
  Assembler& a_;
  rounds rounds_;
  asmjit::Label k_;
};

}  // namespace

machine_code generate_sha256_bmi2(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha256_compression, true>>(options);
}
machine_code generate_sha512_bmi2(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha512_compression, true>>(options);
}
machine_code generate_sha256_scalar(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha256_compression, false>>(options);
}
machine_code generate_sha512_scalar(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha512_compression, false>>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
