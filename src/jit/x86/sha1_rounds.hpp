// The rounds of the SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers, with and
// without BMI. Where K + W comes from is the caller's.
//
//   eax ebx ecx r8d r9d  a-e       the working variables; they change places every round, which the round
//                                  loop follows by permuting the handles
//   r10d r11d            temp[2]
//   rdi rsi rdx          -         the arguments
//   r12-r15              -         the caller's
#pragma once

#include "jit/x86/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

template <bool Bmi>
class sha1_rounds {
 public:
  static constexpr std::uint32_t registers = mask_of(rax, rbx, rcx, r8, r9, r10, r11);

  explicit sha1_rounds(Assembler& assembler) noexcept : a_(assembler) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    for (unsigned i = 0; i < 5; ++i) a_.mov(v[i], ptr(state, 4 * static_cast<std::int32_t>(i)));
  }

  /// Round t; add_kw(e) adds K and W[t] to it.
  template <class AddKw>
  void round(unsigned t, AddKw&& add_kw) noexcept {
    const auto at = [t](unsigned i) { return v[(i + 80 - t) % 5]; };
    const Gp a = at(0), b = at(1), c = at(2), d = at(3), e = at(4);
    // e = rotl5(a) + f(b, c, d) + e + K + W, b = rotl30(b)
    add_kw(e);
    add_f(t / 20, e, b, c, d);
    rotl(temp[0], a, 5);
    a_.ror(b, 2);
    a_.add(e, temp[0]);
  }

  /// Adds the working variables to the intermediate hash value, in memory and here.
  void feed_forward(const Gp& state) noexcept {
    for (unsigned i = 0; i < 5; ++i) {
      const Mem to = ptr(state, 4 * static_cast<std::int32_t>(i));
      a_.add(v[i], to);
      a_.mov(to, v[i]);
    }
  }

 private:
  static constexpr Gp v[5] = {eax, ebx, ecx, r8d, r9d};
  static constexpr Gp temp[2] = {r10d, r11d};

  // The function of the quarter: Ch, Parity, Maj, Parity.
  void add_f(unsigned quarter, const Gp& to, const Gp& b, const Gp& c, const Gp& d) noexcept {
    a_.mov(temp[0], c);
    a_.xor_(temp[0], d);
    if (quarter == 0) {  // ((c ^ d) & b) ^ d
      a_.and_(temp[0], b);
      a_.xor_(temp[0], d);
    } else if (quarter == 2) {  // (c & d) + ((c ^ d) & b), which have no bit in common
      a_.mov(temp[1], c);
      a_.and_(temp[1], d);
      a_.add(to, temp[1]);
      a_.and_(temp[0], b);
    } else {
      a_.xor_(temp[0], b);
    }
    a_.add(to, temp[0]);
  }

  void rotl(const Gp& to, const Gp& from, unsigned n) noexcept {
    if constexpr (Bmi) {
      a_.rorx(to, from, 32 - n);
    } else {
      a_.mov(to, from);
      a_.rol(to, n);
    }
  }

  Assembler& a_;
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
