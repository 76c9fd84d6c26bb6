// The SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in general registers.
// Needs: nothing, or BMI1 and BMI2.
// Bound by the four ALUs of today's cores: 24 operations in each of the first sixteen rounds and 36 in the
// others, 528 cycles a block of SHA-256 and 672 of SHA-512.
//
//   registers as in sha2_rounds.hpp, and
//   rdi                  w         W[t]
//   rsi                  blocks, then k: the constants of the next rounds
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha2_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

template <class Compression, bool Bmi>
class sha2_scalar {
  using rounds = sha2_rounds<Compression, Bmi, Assembler>;

  // The stack: the ring of sixteen words of the message schedule, then the arguments.
  static constexpr std::int32_t state = rounds::offset(16), blocks = state + 8, end = state + 16;

 public:
  static constexpr unsigned block_shift = rounds::word_size == 4 ? 6 : 7;
  static constexpr frame_needs needs{.general = rounds::registers, .stack = state + 32};

  explicit sha2_scalar(block_emitter& e) noexcept
      : e_(e), a_(e.a), rounds_(e.a), k_(e.constant(Compression::k)) {}

  void load_state() noexcept {
    a_.mov(e_.stack(state), e_.state);
    a_.mov(e_.stack(end), e_.end);
    rounds_.load(e_.state);
  }

  void compress_block() noexcept {
    const asmjit::Label more = e_.new_label();
    rounds_.begin();
    for (unsigned t = 0; t < 16; ++t) {
      a_.mov(w, ptr(e_.blocks, rounds::offset(t)));
      a_.bswap(w);
      round(t, ptr(k_, rounds::offset(t)));
    }
    a_.mov(e_.stack(blocks), e_.blocks);
    a_.lea(k, ptr(k_, rounds::offset(16)));

    a_.bind(more);
    for (unsigned t = 16; t < 32; ++t) {
      schedule(t);
      round(t, ptr(k, rounds::offset(t - 16)));
    }
    a_.add(k, rounds::offset(16));
    a_.lea(k_end, ptr(k_, rounds::offset(rounds::count)));
    a_.cmp(k, k_end);
    a_.jne(more);

    rounds_.end();
    a_.mov(e_.state, e_.stack(state));
    rounds_.feed_forward(e_.state);
    a_.mov(e_.blocks, e_.stack(blocks));
    a_.mov(e_.end, e_.stack(end));
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp w = rounds::word(rdi), k = rsi, k_end = rdi;

  Mem ring(unsigned t) noexcept { return e_.stack(rounds::offset(t % 16)); }

  void round(unsigned t, const Mem& k_of_t) noexcept {
    a_.mov(ring(t), w);
    rounds_.round(t, [&](const Gp& h) {
      a_.add(h, w);
      a_.add(h, k_of_t);
    });
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]
  void schedule(unsigned t) noexcept {
    const Gp x = rounds::scratch(t, 0), y = rounds::scratch(t, 1);
    sigma(w, ring(t - 15), x, Compression::amounts.sigma0);
    a_.add(w, ring(t - 16));
    a_.add(w, ring(t - 7));
    sigma(x, ring(t - 2), y, Compression::amounts.sigma1);
    a_.add(w, x);
  }

  // to = rotr(from, n[0]) ^ rotr(from, n[1]) ^ (from >> n[2]), n[0] < n[1]
  void sigma(const Gp& to, const Mem& from, const Gp& other, const std::array<unsigned, 3>& n) noexcept {
    if constexpr (Bmi) {
      a_.rorx(to, from, n[0]);
      a_.rorx(other, from, n[1]);
      a_.xor_(to, other);
    } else {
      a_.mov(to, from);
      a_.ror(to, n[1] - n[0]);
      a_.xor_(to, from);
      a_.ror(to, n[0]);
    }
    a_.mov(other, from);
    a_.shr(other, n[2]);
    a_.xor_(to, other);
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
machine_code generate_sha256_scalar(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha256_compression, false>>(options);
}
machine_code generate_sha512_bmi2(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha512_compression, true>>(options);
}
machine_code generate_sha512_scalar(const generator_options& options) noexcept {
  return generate_block_function<sha2_scalar<sha512_compression, false>>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
