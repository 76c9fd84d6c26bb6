// What SHA-1 and SHA-2 cost with the cryptographic instructions but no thought for a core.
#include <arm_neon.h>

#include "algorithms.hpp"
#include "arm/subjects.hpp"

namespace jithash {
inline namespace v0 {
namespace intrinsics {
namespace {

const std::uint8_t* bytes_at(const std::byte* p, std::size_t offset) {
  return reinterpret_cast<const std::uint8_t*>(p) + offset;
}

}  // namespace

void compress_sha1(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept {
  uint32x4_t abcd = vld1q_u32(state);
  std::uint32_t e = state[4];
  for (; n != 0; --n, blocks += 64) {
    const uint32x4_t saved_abcd = abcd;
    const std::uint32_t saved_e = e;
    uint32x4_t w[4];
    for (std::size_t i = 0; i < 4; ++i) {
      w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes_at(blocks, 16 * i))));
    }
#pragma GCC unroll 20
    for (std::size_t i = 0; i < 20; ++i) {
      const uint32x4_t kw = vaddq_u32(w[i % 4], vdupq_n_u32(sha1_k[i / 5]));
      const std::uint32_t next_e = vsha1h_u32(vgetq_lane_u32(abcd, 0));
      if (i / 5 == 0) {
        abcd = vsha1cq_u32(abcd, e, kw);
      } else if (i / 5 == 2) {
        abcd = vsha1mq_u32(abcd, e, kw);
      } else {
        abcd = vsha1pq_u32(abcd, e, kw);
      }
      e = next_e;
      if (i < 16) {
        w[i % 4] = vsha1su1q_u32(vsha1su0q_u32(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4]), w[(i + 3) % 4]);
      }
    }
    abcd = vaddq_u32(abcd, saved_abcd);
    e += saved_e;
  }
  vst1q_u32(state, abcd);
  state[4] = e;
}

void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept {
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; n != 0; --n, blocks += 64) {
    const uint32x4_t saved_abcd = abcd, saved_efgh = efgh;
    uint32x4_t w[4];
    for (std::size_t i = 0; i < 4; ++i) {
      w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes_at(blocks, 16 * i))));
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) {
      const uint32x4_t kw = vaddq_u32(w[i % 4], vld1q_u32(&sha256_k[4 * i]));
      const uint32x4_t old = abcd;
      abcd = vsha256hq_u32(abcd, efgh, kw);
      efgh = vsha256h2q_u32(efgh, old, kw);
      if (i < 12) {
        w[i % 4] = vsha256su1q_u32(vsha256su0q_u32(w[i % 4], w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
      }
    }
    abcd = vaddq_u32(abcd, saved_abcd);
    efgh = vaddq_u32(efgh, saved_efgh);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept {
  uint64x2_t ab = vld1q_u64(state), cd = vld1q_u64(state + 2), ef = vld1q_u64(state + 4),
             gh = vld1q_u64(state + 6);
  for (; n != 0; --n, blocks += 128) {
    const uint64x2_t saved[4] = {ab, cd, ef, gh};
    uint64x2_t w[8];
    for (std::size_t i = 0; i < 8; ++i) {
      w[i] = vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(bytes_at(blocks, 16 * i))));
    }
#pragma GCC unroll 40
    for (std::size_t i = 0; i < 40; ++i) {
      const uint64x2_t kw = vaddq_u64(w[i % 8], vld1q_u64(&sha512_k[2 * i]));
      const uint64x2_t t1 =
          vsha512hq_u64(vaddq_u64(gh, vextq_u64(kw, kw, 1)), vextq_u64(ef, gh, 1), vextq_u64(cd, ef, 1));
      const uint64x2_t next_ab = vsha512h2q_u64(t1, cd, ab);
      gh = ef;
      ef = vaddq_u64(cd, t1);
      cd = ab;
      ab = next_ab;
      if (i < 32) {
        w[i % 8] = vsha512su1q_u64(vsha512su0q_u64(w[i % 8], w[(i + 1) % 8]), w[(i + 7) % 8],
                                   vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1));
      }
    }
    ab = vaddq_u64(ab, saved[0]);
    cd = vaddq_u64(cd, saved[1]);
    ef = vaddq_u64(ef, saved[2]);
    gh = vaddq_u64(gh, saved[3]);
  }
  vst1q_u64(state, ab);
  vst1q_u64(state + 2, cd);
  vst1q_u64(state + 4, ef);
  vst1q_u64(state + 6, gh);
}

}  // namespace intrinsics
}  // namespace v0
}  // namespace jithash
