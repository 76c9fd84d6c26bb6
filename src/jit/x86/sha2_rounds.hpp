// The rounds of the SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in
// general registers: one text over two word sizes, with and without BMI. Where K + W comes from is the
// kernel's. 22 operations a round with K + W in memory, 5.5 cycles on four ALUs; the chain from e to e is 5
// cycles with BMI, 6 without.
//
//   rax rbx rcx r8-r12    v[8]      a-h; they change places every round, which is a permutation of handles
//   r13 r14               maj[2]    a ^ b of this round and of the last, which is b ^ c of this one;
//                                   before its a ^ b is there, scratch for Ch
//   r15                   sigma1    Sigma1(e), then scratch for Sigma0
//   rdx                   sigma0    Sigma0(a), which the next round adds, then scratch for Sigma1
//   rdi rsi               -         the kernel's
#pragma once

#include "jit/x86/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

/// Out is what takes the instructions: the Assembler, or the interleaver.
template <class Compression, bool Bmi, class Out>
class sha2_rounds {
 public:
  static constexpr std::int32_t word_size = sizeof(typename Compression::word);
  static constexpr unsigned count = Compression::k.size(), instructions_a_round = Bmi ? 24 : 28;
  static constexpr std::uint32_t registers =
      mask_of(rax, rbx, rcx, rdx, rdi, rsi) | mask_of(r8, r9, r10, r11, r12, r13, r14, r15);

  /// The register at the width of a word.
  static constexpr Gp word(const Gp& r) noexcept {
    return word_size == 4 ? Gp(gpd(r.id())) : Gp(gpq(r.id()));
  }
  static constexpr std::int32_t offset(unsigned words) noexcept {
    return word_size * static_cast<std::int32_t>(words);
  }
  /// Two registers that are free when round t begins.
  static constexpr Gp scratch(unsigned t, unsigned i) noexcept { return i == 0 ? sigma1 : maj[t % 2]; }

  explicit sha2_rounds(Out& out) noexcept : out_(out) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; ++i) out_.mov(v[i], ptr(state, offset(i)));
  }

  /// Before round 0.
  void begin() noexcept {
    out_.xor_(sigma0, sigma0);
    out_.mov(maj[1], v[1]);
    out_.xor_(maj[1], v[2]);
  }

  /// Round t; add_kw(h) adds K[t] + W[t]. After eight rounds all registers are where they were.
  ///   T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t],  d += T1,  h = T1 + Maj(a, b, c) + Sigma0(a)
  template <class AddKw>
  void round(unsigned t, AddKw&& add_kw) noexcept {
    const auto at = [t](unsigned i) { return v[(i - t) % 8]; };
    const Gp a = at(0), b = at(1), d = at(3), e = at(4), f = at(5), g = at(6), h = at(7);
    const Gp a_xor_b = maj[t % 2], b_xor_c = maj[(t + 1) % 2];
    unsigned in_sigma0 = 0, in_sigma1 = 0, in_ch = 0, in_maj = 0;
    for (const step s : order) {
      if (s == step::kw) add_kw(h);
      if (s == step::lazy) out_.add(a, sigma0);
      if (s == step::ch) add_ch(in_ch++, h, e, f, g, a_xor_b);
      if (s == step::sigma1) rotations(in_sigma1++, sigma1, e, sigma0, Compression::amounts.big_sigma1);
      if (s == step::t1) out_.add(h, sigma1);
      if (s == step::d) out_.add(d, h);
      if (s == step::sigma0) rotations(in_sigma0++, sigma0, a, sigma1, Compression::amounts.big_sigma0);
      if (s == step::maj) add_maj(in_maj++, h, a, b, a_xor_b, b_xor_c);
    }
  }

  /// After the last round.
  void end() noexcept { out_.add(v[0], sigma0); }

  /// Adds the working variables to the intermediate hash value, in memory and here.
  void feed_forward(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; ++i) {
      out_.add(v[i], ptr(state, offset(i)));
      out_.mov(ptr(state, offset(i)), v[i]);
    }
  }

 private:
  static constexpr Gp v[8] = {word(rax), word(rbx), word(rcx), word(r8),
                              word(r9),  word(r10), word(r11), word(r12)};
  static constexpr Gp maj[2] = {word(r13), word(r14)}, sigma1 = word(r15), sigma0 = word(rdx);

  // Each stands for the next step of its formula.
  enum class step : std::uint8_t { kw, lazy, ch, sigma1, t1, d, sigma0, maj };

  // Of the orders that the formulas allow, the fastest that a search has found on a core with a queue for
  // each ALU. Such a core chooses the ALU as an operation comes in, so that the order counts for up to a
  // sixth.
  static constexpr std::array<step, 22> bmi_order{
      step::lazy,   step::kw, step::ch,  step::sigma1, step::sigma1, step::sigma1, step::sigma1, step::ch,
      step::ch,     step::ch, step::maj, step::sigma1, step::maj,    step::sigma0, step::t1,     step::sigma0,
      step::sigma0, step::d,  step::maj, step::maj,    step::sigma0, step::sigma0};
  static constexpr std::array<step, 22> base_order{
      step::sigma1, step::ch, step::ch,     step::sigma1, step::lazy, step::ch,    step::sigma1, step::sigma1,
      step::kw,     step::ch, step::sigma1, step::sigma0, step::maj,  step::maj,   step::t1,     step::sigma0,
      step::sigma0, step::d,  step::sigma0, step::maj,    step::maj,  step::sigma0};
  static constexpr const auto& order = Bmi ? bmi_order : base_order;

  // to = rotr(x, r[0]) ^ rotr(x, r[1]) ^ rotr(x, r[2])
  void rotations(unsigned i, const Gp& to, const Gp& x, const Gp& other,
                 const std::array<unsigned, 3>& r) noexcept {
    if constexpr (Bmi) {
      call_nth(i, std::tuple{
                      [&] { out_.rorx(to, x, r[2]); },
                      [&] { out_.rorx(other, x, r[1]); },
                      [&] { out_.xor_(to, other); },
                      [&] { out_.rorx(other, x, r[0]); },
                      [&] { out_.xor_(to, other); },
                  });
    } else {  // rotr(rotr(x, r[2] - r[1]) ^ x, r[1]) ^ rotr(x, r[0])
      call_nth(i, std::tuple{
                      [&] { out_.mov(to, x), out_.ror(to, r[2] - r[1]); },
                      [&] { out_.xor_(to, x); },
                      [&] { out_.ror(to, r[1]); },
                      [&] { out_.mov(other, x), out_.ror(other, r[0]); },
                      [&] { out_.xor_(to, other); },
                  });
    }
  }

  // h += Ch(e, f, g) = (e & f) ^ (~e & g), whose halves have no bit in common; or ((f ^ g) & e) ^ g
  void add_ch(unsigned i, const Gp& h, const Gp& e, const Gp& f, const Gp& g, const Gp& ch) noexcept {
    if constexpr (Bmi) {
      call_nth(i, std::tuple{
                      [&] { out_.mov(ch, f), out_.and_(ch, e); },
                      [&] { out_.add(h, ch); },
                      [&] { out_.andn(ch, e, g); },
                      [&] { out_.add(h, ch); },
                  });
    } else {
      call_nth(i, std::tuple{
                      [&] { out_.mov(ch, f), out_.xor_(ch, g); },
                      [&] { out_.and_(ch, e); },
                      [&] { out_.xor_(ch, g); },
                      [&] { out_.add(h, ch); },
                  });
    }
  }

  // h += Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b
  void add_maj(unsigned i, const Gp& h, const Gp& a, const Gp& b, const Gp& a_xor_b,
               const Gp& b_xor_c) noexcept {
    call_nth(i, std::tuple{
                    [&] { out_.mov(a_xor_b, a), out_.xor_(a_xor_b, b); },
                    [&] { out_.and_(b_xor_c, a_xor_b); },
                    [&] { out_.xor_(b_xor_c, b); },
                    [&] { out_.add(h, b_xor_c); },
                });
  }

  Out& out_;
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
