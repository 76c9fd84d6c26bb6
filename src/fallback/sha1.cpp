// The compression function of SHA-1 (FIPS 180-4, sections 4.1.1 and 6.1.2) in portable C++.
#include <array>
#include <bit>
#include <cstddef>

#include "algorithms.hpp"
#include "big_endian.hpp"
#include "fallback/fallback.hpp"
#include "fallback/unroll.hpp"

namespace jithash {
inline namespace v0 {
namespace fallback {
namespace {

using word = sha1_compression::word;
constexpr std::size_t rounds = 20 * sha1_k.size();

constexpr word ch(word x, word y, word z) { return z ^ (x & (y ^ z)); }
constexpr word parity(word x, word y, word z) { return x ^ y ^ z; }
constexpr word maj(word x, word y, word z) { return (x & y) | (z & (x | y)); }

template <std::size_t T>
constexpr word f(word x, word y, word z) {
  if constexpr (T / 20 == 0)
    return ch(x, y, z);
  else if constexpr (T / 20 == 2)
    return maj(x, y, z);
  else
    return parity(x, y, z);
}

// W[t] = ROTL1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), from the seventeenth on.
template <std::size_t T>
constexpr word schedule(std::array<word, 16>& w, const std::byte* block) {
  if constexpr (T < 16)
    return w[T] = load_big_endian<word>(block + sizeof(word) * T);
  else
    return w[T % 16] = std::rotl(w[(T - 3) % 16] ^ w[(T - 8) % 16] ^ w[(T - 14) % 16] ^ w[T % 16], 1);
}

// a becomes ROTL5(a) + f(b, c, d) + e + K[t] + W[t], and b moves on as ROTL30(b).
template <std::size_t T>
constexpr void round(std::array<word, 5>& variables, word w) {
  const auto named = [&](std::size_t name) -> word& { return variables[(name + rounds - T) % 5]; };
  const word a = named(0), c = named(2), d = named(3);
  word &b = named(1), &e = named(4);
  e += std::rotl(a, 5) + f<T>(b, c, d) + sha1_k[T / 20] + w;
  b = std::rotl(b, 30);
}

}  // namespace

[[gnu::flatten]] void compress_sha1(word* state, const std::byte* blocks, std::size_t n) noexcept {
  for (; n != 0; --n, blocks += sha1_compression::block_size) {
    std::array<word, 5> v;
    std::array<word, 16> w;
    unroll<5>([&](auto i) { v[i] = state[i]; });
    unroll<rounds>([&](auto t) { round<t>(v, schedule<t>(w, blocks)); });
    unroll<5>([&](auto i) { state[i] += v[i]; });
  }
}

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
