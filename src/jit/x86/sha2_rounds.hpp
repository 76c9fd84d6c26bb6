// The rounds of the SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in
// general registers: the same text over two word sizes, with and without BMI. Where K + W comes from is the
// caller's.
//
//   rax rbx rcx r8-r12   a-h       the working variables; they change places every round, which the round
//                                  loop follows by permuting the handles
//   rdi r15 rdx          temp[3]   rdx holds Sigma0(a) from the end of a round, where it is not yet added, to
//                                  the next one's begin
//   r13 r14              maj[2]    a ^ b of this round and of the last, which is b ^ c of this one
//   rsi                  -         the caller's
#pragma once

#include "jit/x86/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

/// The rotations of Sigma0, Sigma1, sigma0 and sigma1 (sections 4.1.2 and 4.1.3), ascending; the last of the
/// sigmas' is a shift.
struct sha2_rotations {
  unsigned big_sigma0[3], big_sigma1[3], sigma0[3], sigma1[3];
};

template <class Compression>
struct sha2_facts;

template <>
struct sha2_facts<sha256_compression> {
  static constexpr auto& k = sha256_k;
  static constexpr sha2_rotations rotations{{2, 13, 22}, {6, 11, 25}, {7, 18, 3}, {17, 19, 10}};
};

template <>
struct sha2_facts<sha512_compression> {
  static constexpr auto& k = sha512_k;
  static constexpr sha2_rotations rotations{{28, 34, 39}, {14, 18, 41}, {1, 8, 7}, {19, 61, 6}};
};

template <class Compression, bool Bmi>
class sha2_rounds {
 public:
  using facts = sha2_facts<Compression>;
  static constexpr std::int32_t word_size = sizeof(typename Compression::word);
  static constexpr unsigned round_count = facts::k.size();
  static constexpr std::uint32_t registers =
      mask_of(rax, rbx, rcx, rdx, rdi, rsi) | mask_of(r8, r9, r10, r11, r12, r13, r14, r15);

  /// The register `r` at the width of a word.
  static constexpr Gp word(const Gp& r) noexcept {
    return word_size == 4 ? Gp(gpd(r.id())) : Gp(gpq(r.id()));
  }
  static constexpr Gp temp[3] = {word(rdi), word(r15), word(rdx)};

  explicit sha2_rounds(Assembler& assembler) noexcept : a_(assembler) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; ++i) a_.mov(v[i], ptr(state, word_size * static_cast<std::int32_t>(i)));
  }

  /// Before the first round, or before a loop of rounds whose count eight divides.
  void begin() noexcept {
    a_.xor_(lazy, lazy);
    a_.mov(maj[1], v[1]);
    a_.xor_(maj[1], v[2]);
  }

  /// Round t; add_kw(h) adds K[t] + W[t] to it.
  template <class AddKw>
  void round(unsigned t, AddKw&& add_kw) noexcept {
    const auto at = [t](unsigned i) { return v[(i - t) % 8]; };
    const Gp a = at(0), b = at(1), d = at(3), e = at(4), f = at(5), g = at(6), h = at(7);
    // T1 = h + Sigma1(e) + Ch(e, f, g) + K + W
    a_.add(a, lazy);
    add_kw(h);
    add_ch(h, e, f, g);
    rotations(temp[0], e, temp[1], facts::rotations.big_sigma1);
    a_.add(h, temp[0]);
    // e = d + T1, a = T1 + Sigma0(a) + Maj(a, b, c)
    a_.add(d, h);
    rotations(lazy, a, temp[1], facts::rotations.big_sigma0);
    add_maj(h, a, b, maj[t % 2], maj[(t + 1) % 2]);
  }

  /// After the last round.
  void end() noexcept { a_.add(v[0], lazy); }

  /// Adds the working variables to the intermediate hash value, in memory and here.
  void feed_forward(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; ++i) {
      const Mem to = ptr(state, word_size * static_cast<std::int32_t>(i));
      a_.add(v[i], to);
      a_.mov(to, v[i]);
    }
  }

  /// to = rotr(from, r[0]) ^ rotr(from, r[1]) ^ rotr(from, r[2])
  void rotations(const Gp& to, const Gp& from, const Gp& scratch, const unsigned (&r)[3]) noexcept {
    if constexpr (Bmi) {
      a_.rorx(to, from, r[0]);
      a_.rorx(scratch, from, r[1]);
      a_.xor_(to, scratch);
      a_.rorx(scratch, from, r[2]);
      a_.xor_(to, scratch);
    } else {
      a_.mov(to, from);
      a_.ror(to, r[2] - r[1]);
      a_.xor_(to, from);
      a_.ror(to, r[1] - r[0]);
      a_.xor_(to, from);
      a_.ror(to, r[0]);
    }
  }

  /// to = rotr(from, r[0]) ^ rotr(from, r[1]) ^ (from >> r[2]), r[0] < r[1]
  void rotations_and_shift(const Gp& to, const Mem& from, const Gp& scratch,
                           const unsigned (&r)[3]) noexcept {
    if constexpr (Bmi) {
      a_.rorx(to, from, r[0]);
      a_.rorx(scratch, from, r[1]);
      a_.xor_(to, scratch);
    } else {
      a_.mov(to, from);
      a_.ror(to, r[1] - r[0]);
      a_.xor_(to, from);
      a_.ror(to, r[0]);
    }
    a_.mov(scratch, from);
    a_.shr(scratch, r[2]);
    a_.xor_(to, scratch);
  }

 private:
  static constexpr Gp v[8] = {word(rax), word(rbx), word(rcx), word(r8),
                              word(r9),  word(r10), word(r11), word(r12)};
  static constexpr Gp lazy = temp[2], maj[2] = {word(r13), word(r14)};

  // Ch(e, f, g) = (e & f) ^ (~e & g), two halves without a bit in common
  void add_ch(const Gp& to, const Gp& e, const Gp& f, const Gp& g) noexcept {
    if constexpr (Bmi) {
      a_.mov(temp[1], f);
      a_.and_(temp[1], e);
      a_.andn(temp[0], e, g);
      a_.add(to, temp[1]);
      a_.add(to, temp[0]);
    } else {  // ((f ^ g) & e) ^ g
      a_.mov(temp[1], f);
      a_.xor_(temp[1], g);
      a_.and_(temp[1], e);
      a_.xor_(temp[1], g);
      a_.add(to, temp[1]);
    }
  }

  // Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b
  void add_maj(const Gp& to, const Gp& a, const Gp& b, const Gp& a_xor_b, const Gp& b_xor_c) noexcept {
    a_.mov(a_xor_b, a);
    a_.xor_(a_xor_b, b);
    a_.and_(b_xor_c, a_xor_b);
    a_.xor_(b_xor_c, b);
    a_.add(to, b_xor_c);
  }

  Assembler& a_;
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
