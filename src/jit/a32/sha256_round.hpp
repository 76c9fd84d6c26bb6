// A round of SHA-256 (FIPS 180-4 section 6.2.2) on core registers: sixteen instructions beside the sum of h,
// K and W. The barrel shifter rotates.
#pragma once

#include <algorithm>
#include <array>

#include "jit/a32/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

/// Where the working variables are. Eight rounds bring them back to their registers, and so do two rounds the
/// temporaries.
struct sha256_variables {
  std::array<reg, 8> v{r0, r1, r2, r3, r4, r5, r6, r7};  // a to h
  std::array<reg, 3> temps{r10, r12, lr};                // two, and b ^ c

  /// Loads a to h, and computes b ^ c.
  void load(encoder& emitter, reg pointer) noexcept {
    emitter.ldm(pointer, reg_set::range(r0, r7));
    emitter.eor(temps[2], v[1], v[2]);
  }

  /// The state at lr takes in the working variables; r8 to r10 and r12 are clobbered.
  void feed_forward(encoder& emitter) noexcept {
    for (unsigned half = 0; half < 8; half += 4) {
      emitter.ldm(lr, reg_set(r8, r9, r10, r12), true);
      emitter.add(v[half], v[half], r8);
      emitter.add(v[half + 1], v[half + 1], r9);
      emitter.add(v[half + 2], v[half + 2], r10);
      emitter.add(v[half + 3], v[half + 3], r12);
    }
    emitter.stmdb(lr, reg_set::range(r0, r7));
  }
};

/// T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];  T2 = Sigma0(a) + Maj(a, b, c);
/// h = g;  g = f;  f = e;  e = d + T1;  d = c;  c = b;  b = a;  a = T1 + T2
///
/// h has K[t] + W[t] in it. Calls fill(place), place = 0 to 7, between the instructions: for what else there
/// is to do; at place 0, the second temporary is not in use yet and h may still be added to.
template <class Fill>
void sha256_round(encoder& emitter, sha256_variables& s, Fill&& fill) noexcept {
  const auto [a, b, c, d, e, f, g, h] = s.v;
  const auto [t0, t1, b_c] = s.temps;
  emitter.eor(t0, e, ror(e, 5));  // Sigma1(e) = rotr6(e ^ rotr5(e) ^ rotr19(e))
  fill(0);
  emitter.eor(t1, f, g);  // Ch(e, f, g) = ((f ^ g) & e) ^ g
  emitter.eor(t0, t0, ror(e, 19));
  fill(1);
  emitter.and_(t1, t1, e);
  emitter.eor(t1, t1, g);
  fill(2);
  emitter.add(h, h, t1);
  emitter.eor(t1, a, b);  // Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b
  fill(3);
  emitter.add(h, h, ror(t0, 6));
  emitter.eor(t0, a, ror(a, 11));  // Sigma0(a) = rotr2(a ^ rotr11(a) ^ rotr20(a))
  fill(4);
  emitter.and_(b_c, b_c, t1);
  emitter.add(d, d, h);
  fill(5);
  emitter.eor(t0, t0, ror(a, 20));
  emitter.eor(b_c, b_c, b);
  fill(6);
  emitter.add(h, h, b_c);
  emitter.add(h, h, ror(t0, 2));
  fill(7);
  std::rotate(s.v.begin(), s.v.begin() + 7, s.v.end());
  s.temps = {t0, b_c, t1};  // a ^ b is the next round's b ^ c
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
