// The rounds of the SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers, with and
// without BMI. Where K + W comes from is the kernel's.
// 7 to 9 operations a round with K + W in memory, 155 cycles a block on four ALUs. A round computes f for the
// next one, so that the chain is that from a to a: 2 cycles a round, 160 a block.
//
//   eax ebx ecx r8d-r11d  v[7]      a-e, f(b, c, d) and the next f; they change places every round, which is
//                                   a permutation of handles. b is rotated before its round begins
//   r12d                  five      rotl5(a)
//   r13d                  x         parts of the next f
//   rdi rsi rdx           -         the arguments
//   r14 r15               -         the kernel's
#pragma once

#include <span>

#include "jit/x86/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

/// What a round consists of; `next` and `both` are the next step of the coming round's f.
enum class sha1_step : std::uint8_t { kw, f, rotl5, add5, rotl30, next, both };

/// Out is what takes the instructions: the Assembler, or the interleaver.
template <bool Bmi, class Out>
class sha1_rounds {
 public:
  static constexpr unsigned count = 80, instructions_a_round = Bmi ? 8 : 10;
  static constexpr std::uint32_t registers = mask_of(rax, rbx, rcx, r8, r9, r10, r11, r12, r13);

  static constexpr std::int32_t offset(unsigned words) noexcept {
    return 4 * static_cast<std::int32_t>(words);
  }

  explicit sha1_rounds(Out& out) noexcept : out_(out) {}

  /// The working variables from the intermediate hash value.
  void load(const Gp& state) noexcept {
    for (unsigned i = 0; i < 5; ++i) out_.mov(variable(i, 0), ptr(state, offset(i)));
  }

  /// Before round 0.
  void begin() noexcept {
    const Gp b = variable(1, 0), c = variable(2, 0), d = variable(3, 0), f = f_of(0);
    out_.mov(f, c);
    out_.xor_(f, d);
    out_.and_(f, b);
    out_.xor_(f, d);
    out_.ror(b, 2);
  }

  /// Round t; add_kw(e) adds K and W[t].
  ///   e += rotl5(a) + f(b, c, d) + K + W[t],  b = rotl30(b)
  template <class AddKw>
  void round(unsigned t, AddKw&& add_kw) noexcept {
    const Gp a = variable(0, t), e = variable(4, t), next_b = variable(1, t + 1);
    const function next = function_of(t + 1);
    unsigned in_next = 0, in_both = 0;
    for (const sha1_step s : order(next)) {
      if (s == sha1_step::kw) add_kw(e);
      if (s == sha1_step::f) out_.add(e, f_of(t));
      if (s == sha1_step::rotl5) rotr(five, a, 32 - 5);
      if (s == sha1_step::add5) out_.add(e, five);
      if (s == sha1_step::rotl30) rotr(next_b, a, next == function::none ? 0 : 32 - 30);
      if (s == sha1_step::next) next_f(in_next++, next, t);
      if (s == sha1_step::both) add_both(in_both++, t);
    }
  }

  /// Adds the working variables to the intermediate hash value, in memory and here, where round 0 wants them.
  void feed_forward(const Gp& state) noexcept {
    const Gp a = variable(0, 0), detour = Bmi ? five : a;
    for (const unsigned i : {4u, 2u, 0u, 3u, 1u}) {  // each to a place that is free by then, but for a
      const Gp from = variable(i, count), to = i == 0 ? detour : variable(i, 0);
      out_.add(from, ptr(state, offset(i)));
      out_.mov(ptr(state, offset(i)), from);
      if (to != from) out_.mov(to, from);
    }
    if (a != detour) out_.mov(a, detour);
  }

 private:
  enum class function { ch, parity, maj, none };

  static constexpr function function_of(unsigned t) noexcept {
    constexpr function twenties[] = {function::ch, function::parity, function::maj, function::parity,
                                     function::none};
    return twenties[t / 20];
  }

  // The fastest that a search has found; sha2_rounds.hpp says why the order counts.
  static std::span<const sha1_step> order(function of_next) noexcept {
    using enum sha1_step;
    static constexpr sha1_step last[] = {kw, f, rotl5, rotl30, add5};
    if (of_next == function::none) return last;
    if constexpr (Bmi) {
      static constexpr sha1_step ch[] = {kw, rotl5, f, next, rotl30, next, next, add5};
      static constexpr sha1_step parity[] = {kw, f, rotl5, rotl30, next, next, add5};
      static constexpr sha1_step maj[] = {both, kw, f, rotl30, rotl5, both, next, next, add5};
      if (of_next == function::ch) return ch;
      if (of_next == function::maj) return maj;
      return parity;
    } else {
      static constexpr sha1_step ch[] = {kw, next, f, rotl5, next, rotl30, add5, next};
      static constexpr sha1_step parity[] = {kw, next, f, rotl5, next, rotl30, add5};
      static constexpr sha1_step maj[] = {both, kw, next, f, rotl5, both, next, rotl30, add5};
      if (of_next == function::ch) return ch;
      if (of_next == function::maj) return maj;
      return parity;
    }
  }

  static constexpr Gp v[7] = {eax, ebx, ecx, r8d, r9d, r10d, r11d}, five = r12d, x = r13d;

  // Where round t finds its a, b, c, d, e, and its f. With BMI the next f takes the place of a, the next b
  // that of f; without it rotates where it is.
  static constexpr Gp variable(unsigned i, unsigned t) noexcept {
    return Bmi ? v[((i == 0 ? 0 : i + 1) + 84 - t) % 6] : v[(i + 80 - t) % 5];
  }
  static constexpr Gp f_of(unsigned t) noexcept { return Bmi ? v[(1 + 84 - t) % 6] : v[5 + t % 2]; }

  // Step i of f(a, b, c), which the next round knows as f(b, c, d).
  void next_f(unsigned i, function f, unsigned t) noexcept {
    const Gp a = variable(0, t), b = variable(1, t), c = variable(2, t), to = f_of(t + 1);
    const Gp y = Bmi ? v[6] : to;
    if (f == function::ch && Bmi) {  // (a & b) ^ (~a & c)
      call_nth(i, std::tuple{
                      [&] { out_.andn(x, a, c); },
                      [&] { out_.and_(to, b); },
                      [&] { out_.xor_(to, x); },
                  });
    } else if (f == function::ch) {  // ((b ^ c) & a) ^ c
      call_nth(i, std::tuple{
                      [&] { out_.mov(to, b), out_.xor_(to, c); },
                      [&] { out_.and_(to, a); },
                      [&] { out_.xor_(to, c); },
                  });
    } else if (f == function::maj) {  // (b ^ c) & a; add_both() has the rest
      call_nth(i, std::tuple{
                      [&] { out_.mov(y, b), out_.xor_(y, c); },
                      [&] { out_.and_(to, Bmi ? y : a); },
                  });
    } else if (Bmi) {  // a ^ b ^ c
      call_nth(i, std::tuple{
                      [&] { out_.xor_(to, b); },
                      [&] { out_.xor_(to, c); },
                  });
    } else {
      call_nth(i, std::tuple{
                      [&] { out_.mov(to, b), out_.xor_(to, c); },
                      [&] { out_.xor_(to, a); },
                  });
    }
  }

  // The part of Maj that needs no a, b & c, goes to the next e by itself: it has no bit in common with the
  // rest.
  void add_both(unsigned i, unsigned t) noexcept {
    const Gp b = variable(1, t), c = variable(2, t), d = variable(3, t);
    call_nth(i, std::tuple{
                    [&] { out_.mov(x, b), out_.and_(x, c); },
                    [&] { out_.add(d, x); },
                });
  }

  void rotr(const Gp& to, const Gp& from, unsigned n) noexcept {
    if constexpr (Bmi) {
      out_.rorx(to, from, n);
    } else {
      if (to != from) out_.mov(to, from);
      if (n != 0) out_.ror(to, n);
    }
  }

  Out& out_;
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
