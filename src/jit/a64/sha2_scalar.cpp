// The SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in general registers.
// Needs: nothing. Bound by the integer units, or by issue where two instructions issue at a time: 20 in the
// last sixteen rounds and 29 in the others.
//
//   registers as in sha2_rounds.hpp, and
//   0-2 16 17 19-28 30   w[16]   the last sixteen words of the message schedule, a ring
//   stack                        the arguments
#include "jit/a64/kernels.hpp"
#include "jit/a64/sha2_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

template <class Compression>
class sha2_scalar {
  using rounds = sha2_rounds<Compression>;

 public:
  static constexpr std::int32_t saved_state = 0, saved_blocks = 8, saved_count = 16;
  static constexpr frame_needs needs{.general = 0x5ffbffff, .stack = 32};

  explicit sha2_scalar(block_emitter& e) noexcept
      : e_(e), a_(e.a), rounds_(e.a), k_(e.constant(Compression::k)) {}

  void load_state() noexcept {
    rounds_.load(e_.state);
    a_.stp(e_.state, e_.blocks, e_.stack(saved_state));
    a_.str(e_.count, e_.stack(saved_count));
  }

  void compress_block() noexcept {
    const Gp pointer = rounds::temp[0].x();
    a_.ldr(pointer, e_.stack(saved_blocks));
    for (unsigned t = 0; t < 16; t += 2) a_.ldp(w[t], w[t + 1], ptr(pointer, rounds::offset(t)));
    a_.add(pointer, pointer, Compression::block_size);
    a_.str(pointer, e_.stack(saved_blocks));
    for (const Gp& words : w) a_.rev(words, words);

    rounds_.begin(*this);
    for (unsigned t = 0; t < rounds::round_count; ++t) rounds_.round(t, *this);

    a_.ldr(pointer, e_.stack(saved_state));
    rounds_.feed_forward(pointer);
    a_.ldr(pointer, e_.stack(saved_count));
    a_.subs(pointer, pointer, 1);
    a_.str(pointer, e_.stack(saved_count));
  }

  void store_state() noexcept {}

 private:
  friend rounds;
  static constexpr Gp w[16] = {rounds::word(0),  rounds::word(1),  rounds::word(2),  rounds::word(16),
                               rounds::word(17), rounds::word(19), rounds::word(20), rounds::word(21),
                               rounds::word(22), rounds::word(23), rounds::word(24), rounds::word(25),
                               rounds::word(26), rounds::word(27), rounds::word(28), rounds::word(30)};

  void fetch(unsigned t) noexcept { a_.ldr(rounds::temp[0], ptr(k_, rounds::offset(t))); }
  void add_k(unsigned, const Gp& h) noexcept { a_.add(h, h, rounds::temp[0]); }
  void add_w(unsigned t, const Gp& h) noexcept { a_.add(h, h, w[t % 16]); }

  // W[t+16] = sigma1(W[t+14]) + W[t+9] + sigma0(W[t+1]) + W[t], in the place of W[t].
  void step(unsigned t, unsigned n) noexcept {
    if (t + 16 >= rounds::round_count) return;
    const auto at = [t](unsigned i) { return w[(t + i) % 16]; };
    const auto r0 = Compression::amounts.sigma0, r1 = Compression::amounts.sigma1;
    const Gp to = at(0), sigma0 = rounds::temp[2], sigma1 = rounds::temp[0];
    const std::tuple instructions{
        [&] { a_.ror(sigma0, at(1), r0[0]); },
        [&] { a_.ror(sigma1, at(14), r1[0]); },
        [&] { a_.eor(sigma0, sigma0, at(1), ror(r0[1])); },
        [&] { a_.add(to, to, at(9)); },
        [&] { a_.eor(sigma0, sigma0, at(1), lsr(r0[2])); },
        [&] { a_.eor(sigma1, sigma1, at(14), ror(r1[1])); },
        [&] { a_.add(to, to, sigma0); },
        [&] { a_.eor(sigma1, sigma1, at(14), lsr(r1[2])); },
        [&] { a_.add(to, to, sigma1); },
    };
    call_nth(n, instructions);
  }

  block_emitter& e_;
  Assembler& a_;
  rounds rounds_;
  asmjit::Label k_;
};

}  // namespace

machine_code generate_sha256_scalar(const generator_options&) noexcept {
  return generate_block_function<sha2_scalar<sha256_compression>>();
}
machine_code generate_sha512_scalar(const generator_options&) noexcept {
  return generate_block_function<sha2_scalar<sha512_compression>>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
