// The rounds of the SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) in
// general registers: the same text over two word sizes. Where K + W comes from, and what else is done between
// the instructions of a round, is the caller's.
//
//   3-10     v[8]     a-h, the working variables; they change places every round, which the round
//                     loop follows by permuting the handles
//   11,12    maj[2]   a ^ b of this round and of the last, which is b ^ c of this one
//   13-15    temp[3]
#pragma once

#include "jit/a64/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {

template <class Compression>
class sha2_rounds {
 public:
  static constexpr std::int32_t word_size = sizeof(typename Compression::word);
  static constexpr unsigned round_count = Compression::k.size();
  static constexpr std::uint32_t registers = 0xfff8;

  /// The register of that number at the width of a word.
  static constexpr Gp word(std::uint32_t id) noexcept { return word_size == 4 ? Gp(w(id)) : Gp(x(id)); }
  static constexpr Gp temp[3] = {word(13), word(14), word(15)};

  static constexpr std::int32_t offset(unsigned words) noexcept {
    return word_size * static_cast<std::int32_t>(words);
  }

  explicit sha2_rounds(Assembler& assembler) noexcept : a_(assembler) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; i += 2) a_.ldp(v[i], v[i + 1], ptr(state, offset(i)));
  }

  /// What comes before the first round, from a Source as round() has it.
  template <class Source>
  void begin(Source& source) noexcept {
    source.fetch(0);
    a_.eor(maj[1], v[1], v[2]);
    source.add_k(0, v[7]);
    source.add_w(0, v[7]);
  }

  /// Round t, without K + W, which the round before has added; instead it adds the next one's. The order is
  /// for cores that issue two instructions at a time as they come. A Source has
  ///   fetch(t)          brings what add_k(t) wants; keeps to temp[0]
  ///   add_k(t, h)       K[t], or K[t] + W[t], to h
  ///   add_w(t, h)       W[t], where it is not in that
  ///   step(t, n)        an instruction of its own, or none, at the n-th of nine places in round t;
  ///                     temp[2] is free for them and temp[0] from n = 1 on
  template <class Source>
  void round(unsigned t, Source& source) noexcept {
    const auto at = [t](unsigned i) { return v[(i - t) % 8]; };
    const Gp a = at(0), b = at(1), d = at(3), e = at(4), f = at(5), g = at(6), h = at(7);
    const Gp a_xor_b = maj[t % 2], b_xor_c = maj[(t + 1) % 2];
    const auto& sigma0 = Compression::amounts.big_sigma0;
    const auto& sigma1 = Compression::amounts.big_sigma1;
    const bool last = t + 1 == round_count;

    // h += Ch(e, f, g) + Sigma1(e), where Ch(e, f, g) = (e & f) ^ (~e & g), two halves without a common bit,
    // and Sigma(x) = rotr(x, r0) ^ rotr(x ^ rotr(x, r2 - r1), r1)
    a_.and_(temp[0], e, f);
    a_.ror(temp[1], e, sigma1[0]);
    a_.add(h, h, temp[0]);
    a_.bic(temp[0], g, e);
    a_.eor(temp[2], e, e, ror(sigma1[2] - sigma1[1]));
    a_.add(h, h, temp[0]);
    if (!last) source.fetch(t + 1);
    a_.eor(temp[1], temp[1], temp[2], ror(sigma1[1]));
    a_.eor(a_xor_b, a, b);
    a_.add(h, h, temp[1]);
    // d += h, h += Sigma0(a) + Maj(a, b, c), where Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b
    a_.ror(temp[1], a, sigma0[0]);
    a_.eor(temp[2], a, a, ror(sigma0[2] - sigma0[1]));
    a_.add(d, d, h);
    a_.and_(b_xor_c, b_xor_c, a_xor_b);
    a_.eor(temp[1], temp[1], temp[2], ror(sigma0[1]));
    source.step(t, 0);
    if (!last) source.add_k(t + 1, g);
    source.step(t, 1);
    a_.add(h, h, temp[1]);
    if (!last) source.add_w(t + 1, g);
    for (unsigned n = 2; n < 5; ++n) source.step(t, n);
    a_.eor(b_xor_c, b_xor_c, b);
    source.step(t, 5);
    a_.add(h, h, b_xor_c);
    for (unsigned n = 6; n < 9; ++n) source.step(t, n);
  }

  /// Adds the working variables to the intermediate hash value, in memory and here; `state` may be temp[0].
  void feed_forward(const Gp& state) noexcept {
    for (unsigned i = 0; i < 8; i += 4) {
      const Mem low = ptr(state, offset(i)), high = ptr(state, offset(i + 2));
      a_.ldp(maj[0], maj[1], low);
      a_.ldp(temp[1], temp[2], high);
      a_.add(v[i], v[i], maj[0]);
      a_.add(v[i + 1], v[i + 1], maj[1]);
      a_.add(v[i + 2], v[i + 2], temp[1]);
      a_.add(v[i + 3], v[i + 3], temp[2]);
      a_.stp(v[i], v[i + 1], low);
      a_.stp(v[i + 2], v[i + 3], high);
    }
  }

 private:
  static constexpr Gp v[8] = {word(3), word(4), word(5), word(6), word(7), word(8), word(9), word(10)};
  static constexpr Gp maj[2] = {word(11), word(12)};

  Assembler& a_;
};

/// K + W of sixteen rounds on the stack, a ring that a vector schedule fills and the rounds read two words at a time:
/// a Source of theirs but for step().
///
///   16,17    kw[2]    K + W of the round to come and of the next
template <class Compression>
class sha2_words_on_stack {
 public:
  void fetch(unsigned t) noexcept {
    if (t % 2 == 0) a_.ldp(kw[0], kw[1], ring(t));
  }
  void add_k(unsigned t, const Gp& h) noexcept { a_.add(h, h, kw[t % 2]); }
  void add_w(unsigned, const Gp&) noexcept {}

 protected:
  using rounds = sha2_rounds<Compression>;
  static constexpr Gp kw[2] = {rounds::word(16), rounds::word(17)};

  explicit sha2_words_on_stack(block_emitter& e) noexcept : e_(e), a_(e.a) {}

  [[nodiscard]] Mem ring(unsigned t) const noexcept { return e_.stack(rounds::offset(t % 16)); }

  block_emitter& e_;
  Assembler& a_;
};

}  // namespace a64
}  // namespace v0
}  // namespace jithash
