// The compression function of SHA-384, SHA-512, SHA-512/224 and SHA-512/256 (FIPS 180-4, sections 4.1.3
// and 6.4.2) in portable C++.
#include <array>
#include <bit>
#include <cstddef>

#include "algorithms.hpp"
#include "fallback/fallback.hpp"
#include "fallback/load.hpp"

namespace jithash {
inline namespace v0 {
namespace fallback {
namespace {

using word = sha512_compression::word;

constexpr word ch(word x, word y, word z) { return z ^ (x & (y ^ z)); }

// One round's x ^ y is the next round's y ^ z: compilers see it and compute it once.
constexpr word maj(word x, word y, word z) { return y ^ ((x ^ y) & (y ^ z)); }

constexpr word big_sigma0(word x) { return std::rotr(x, 28) ^ std::rotr(x, 34) ^ std::rotr(x, 39); }
constexpr word big_sigma1(word x) { return std::rotr(x, 14) ^ std::rotr(x, 18) ^ std::rotr(x, 41); }
constexpr word sigma0(word x) { return std::rotr(x, 1) ^ std::rotr(x, 8) ^ (x >> 7); }
constexpr word sigma1(word x) { return std::rotr(x, 19) ^ std::rotr(x, 61) ^ (x >> 6); }

// W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], where T is t mod 16.
template <std::size_t T>
constexpr word schedule(std::array<word, 16>& w) {
  return w[T] += sigma1(w[(T + 14) % 16]) + w[(T + 9) % 16] + sigma0(w[(T + 1) % 16]);
}

// T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];  T2 = Sigma0(a) + Maj(a, b, c);  d += T1;  a = T1 + T2, in
// what was h.
template <std::size_t T>
constexpr void round(std::array<word, 8>& variables, word k_plus_w) {
  const auto named = [&](std::size_t name) -> word& { return variables[(name - T) % 8]; };
  const word a = named(0), b = named(1), c = named(2), e = named(4), f = named(5), g = named(6);
  word &d = named(3), &h = named(7);
  h += k_plus_w + ch(e, f, g) + big_sigma1(e);
  d += h;
  h += big_sigma0(a) + maj(a, b, c);
}

}  // namespace

[[gnu::flatten]] void compress_sha512(word* state, const std::byte* blocks, std::size_t n) noexcept {
  for (; n != 0; --n, blocks += sha512_compression::block_size) {
    std::array<word, 8> v;
    std::array<word, 16> w;
    unroll<8>([&](auto i) { v[i] = state[i]; });
    unroll<16>([&](auto t) {
      w[t] = load_big_endian<word>(blocks, t);
      round<t>(v, sha512_k[t] + w[t]);
    });
    for (std::size_t i = 16; i < sha512_k.size(); i += 16)
      unroll<16>([&](auto t) { round<t>(v, sha512_k[i + t] + schedule<t>(w)); });
    unroll<8>([&](auto i) { state[i] += v[i]; });
  }
}

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
