// SHA-1 and SHA-2 (FIPS 180-4, section 6) as one writes them first.
#include <array>
#include <bit>

#include "algorithms.hpp"
#include "arm/subjects.hpp"
#include "big_endian.hpp"

namespace jithash {
inline namespace v0 {
namespace rolled {
namespace {

template <class Compression>
[[gnu::always_inline]] inline void compress_sha2(typename Compression::word* state, const std::byte* blocks,
                                                 std::size_t n) noexcept {
  using word = typename Compression::word;
  constexpr std::size_t rounds = Compression::k.size();
  constexpr auto rotated = [](word x, const std::array<unsigned, 3>& by, unsigned i) {
    return std::rotr(x, static_cast<int>(by[i]));
  };
  constexpr auto big_sigma = [=](word x, const std::array<unsigned, 3>& by) {
    return rotated(x, by, 0) ^ rotated(x, by, 1) ^ rotated(x, by, 2);
  };
  constexpr auto sigma = [=](word x, const std::array<unsigned, 3>& by) {
    return rotated(x, by, 0) ^ rotated(x, by, 1) ^ (x >> by[2]);
  };
  constexpr const sha2_amounts& by = Compression::amounts;

  for (; n != 0; --n, blocks += Compression::block_size) {
    word w[rounds];
    for (std::size_t t = 0; t < 16; ++t) w[t] = load_big_endian<word>(blocks + sizeof(word) * t);
    for (std::size_t t = 16; t < rounds; ++t) {
      w[t] = sigma(w[t - 2], by.sigma1) + w[t - 7] + sigma(w[t - 15], by.sigma0) + w[t - 16];
    }
    word a = state[0], b = state[1], c = state[2], d = state[3];
    word e = state[4], f = state[5], g = state[6], h = state[7];
    for (std::size_t t = 0; t < rounds; ++t) {
      const word t1 = h + big_sigma(e, by.big_sigma1) + ((e & f) ^ (~e & g)) + Compression::k[t] + w[t];
      const word t2 = big_sigma(a, by.big_sigma0) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

}  // namespace

void compress_sha1(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept {
  using word = std::uint32_t;
  for (; n != 0; --n, blocks += sha1_compression::block_size) {
    word w[80];
    for (std::size_t t = 0; t < 16; ++t) w[t] = load_big_endian<word>(blocks + sizeof(word) * t);
    for (std::size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    word a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (std::size_t t = 0; t < 80; ++t) {
      const word ch = (b & c) ^ (~b & d), parity = b ^ c ^ d, maj = (b & c) ^ (b & d) ^ (c & d);
      const word f = t < 20 ? ch : t < 40 ? parity : t < 60 ? maj : parity;
      const word next = std::rotl(a, 5) + f + e + sha1_k[t / 20] + w[t];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  }
}

void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept {
  compress_sha2<sha256_compression>(state, blocks, n);
}

void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept {
  compress_sha2<sha512_compression>(state, blocks, n);
}

}  // namespace rolled
}  // namespace v0
}  // namespace jithash
