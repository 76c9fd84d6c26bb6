// The rounds of the SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers. Where K + W
// comes from, and what else is done between the instructions of a round, is the caller's.
//
//   w3-7     v[5]     a-e, the working variables; they change places every round, which the round
//                     loop follows by permuting the handles. c and d still want the rotation by 30 that b had coming:
//                     whatever reads them rotates
//   w8-10    temp[3]
#pragma once

#include "jit/a64/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {

class sha1_rounds {
 public:
  static constexpr unsigned round_count = 80;
  static constexpr std::uint32_t registers = 0x7f8;

  explicit sha1_rounds(Assembler& assembler) noexcept : a_(assembler) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    a_.ldp(v[0], v[1], ptr(state));
    a_.ldp(v[2], v[3], ptr(state, 8));
    a_.ldr(v[4], ptr(state, 16));
  }

  /// What comes before the first round, from a Source as round() has it.
  template <class Source>
  void begin(Source& source) noexcept {
    source.fetch(0);
    a_.ror(v[2], v[2], 30);
    a_.ror(v[3], v[3], 30);
    source.add_k(0, v[4]);
    source.add_w(0, v[4]);
  }

  /// Round t, without K + W, which the round before has added; instead it adds the next one's. The order is
  /// for cores that issue two instructions at a time as they come. A Source has
  ///   fetch(t)          brings what add_k(t) and add_w(t) want
  ///   add_k(t, e)       K of round t to e
  ///   add_w(t, e)       W[t], or K + W[t], to e
  ///   step(t, n)        an instruction of its own, or none, at the n-th of four places in round t
  template <class Source>
  void round(unsigned t, Source& source) noexcept {
    const auto at = [t](unsigned i) { return v[(i + 80 - t) % 5]; };
    const Gp a = at(0), b = at(1), c = at(2), d = at(3), e = at(4);
    const Gp f = temp[0], rotated_a = temp[1], c_and_d = temp[2];
    const unsigned quarter = t / 20;
    const bool last = t + 1 == round_count;

    // e += rotl5(a) + f(b, c, d), where
    //   Ch(b, c, d) = ((c ^ d) & b) ^ d
    //   Parity(b, c, d) = b ^ c ^ d
    //   Maj(b, c, d) = ((c ^ d) & b) ^ (c & d)
    a_.eor(f, c, d);
    if (quarter == 2) a_.and_(c_and_d, c, d);
    source.step(t, 0);
    if (!last) source.fetch(t + 1);
    source.step(t, 1);
    if (quarter == 0) {
      a_.and_(f, b, f, ror(2));
      a_.ror(rotated_a, a, 32 - 5);
      a_.eor(f, f, d, ror(2));
      a_.ror(d, d, 2);
    } else if (quarter == 2) {
      a_.ror(d, d, 2);
      a_.and_(f, b, f, ror(2));
      a_.ror(rotated_a, a, 32 - 5);
      a_.eor(f, f, c_and_d, ror(2));
    } else {
      a_.ror(d, d, 2);
      a_.eor(f, b, f, ror(2));
      a_.ror(rotated_a, a, 32 - 5);
    }
    source.step(t, 2);
    source.step(t, 3);
    a_.add(e, e, f);
    if (!last) source.add_k(t + 1, d);
    a_.add(e, e, rotated_a);
    if (!last) source.add_w(t + 1, d);
  }

  /// Adds the working variables to the intermediate hash value, in memory and here.
  void feed_forward(const Gp& state) noexcept {
    a_.ldp(temp[0], temp[1], ptr(state));
    a_.ror(v[2], v[2], 2);
    a_.ror(v[3], v[3], 2);
    a_.add(v[0], v[0], temp[0]);
    a_.add(v[1], v[1], temp[1]);
    a_.ldp(temp[0], temp[1], ptr(state, 8));
    a_.ldr(temp[2], ptr(state, 16));
    a_.stp(v[0], v[1], ptr(state));
    a_.add(v[2], v[2], temp[0]);
    a_.add(v[3], v[3], temp[1]);
    a_.add(v[4], v[4], temp[2]);
    a_.stp(v[2], v[3], ptr(state, 8));
    a_.str(v[4], ptr(state, 16));
  }

 private:
  static constexpr Gp v[5] = {w3, w4, w5, w6, w7};
  static constexpr Gp temp[3] = {w8, w9, w10};

  Assembler& a_;
};

}  // namespace a64
}  // namespace v0
}  // namespace jithash
