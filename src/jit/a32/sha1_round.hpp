// A round of SHA-1 (FIPS 180-4 section 6.1.2) on core registers: five to seven instructions, none of them a
// rotation. Working variables wait unrotated, and the barrel shifter rotates them where they are used.
#pragma once

#include <array>

#include "jit/a32/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

using sha1_variables = std::array<rotated, 5>;  // a to e

/// T = rotl5(a) + f(b, c, d) + e + addend;  e = d;  d = c;  c = rotl30(b);  b = a;  a = T
///
/// Calls fill(place), place = 0 to 3, between its instructions: for what else there is to do, or to add to
/// `e`, which is v[4].r meanwhile.
template <class Fill>
void sha1_round(encoder& emitter, unsigned t, sha1_variables& v, reg addend, reg t0, reg t1,
                Fill&& fill) noexcept {
  const auto [a, b, c, d, e] = v;
  const operand c_like_d = ror(c.r, (c.by - d.by) % 32);
  emitter.eor(t0, d.r, c_like_d);
  emitter.add(e.r, addend, e);
  fill(0);
  switch (t / 20) {
    case 0:  // Ch(b, c, d) = ((c ^ d) & b) ^ d
      emitter.and_(t0, b.r, ror(t0, d.by));
      fill(1);
      emitter.eor(t0, t0, d);
      break;
    case 2:  // Maj(b, c, d) = ((c ^ d) & b) + (c & d)
      emitter.and_(t1, d.r, c_like_d);
      fill(1);
      emitter.and_(t0, b.r, ror(t0, d.by));
      emitter.add(e.r, e.r, ror(t1, d.by));
      break;
    default:  // Parity(b, c, d) = b ^ c ^ d
      emitter.eor(t0, b.r, ror(t0, d.by));
      fill(1);
  }
  fill(2);
  emitter.add(e.r, e.r, t0);
  emitter.add(e.r, e.r, ror(a.r, 27));
  fill(3);
  v = {rotated{e.r}, a, {b.r, 2}, c, d};
}

/// The state at `pointer` takes in the working variables after round 79; r5 to r9 are clobbered.
inline void sha1_feed_forward(encoder& emitter, reg pointer, const sha1_variables& v) noexcept {
  emitter.ldm(pointer, reg_set::range(r5, r9));
  for (unsigned i = 0; i < v.size(); ++i) {
    emitter.add(v[i].r, reg{static_cast<std::uint8_t>(5 + i)}, v[i]);
  }
  emitter.stm(pointer, reg_set::range(r0, r4));
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
