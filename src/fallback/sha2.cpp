// The compression functions of SHA-2 (FIPS 180-4, sections 4.1.2, 4.1.3, 6.2.2 and 6.4.2) in portable C++:
// one text over the size of a word.
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

template <class Compression>
struct sha2 {
  using word = typename Compression::word;
  static constexpr sha2_amounts amounts = Compression::amounts;

  static constexpr word rotr(word x, unsigned n) { return std::rotr(x, static_cast<int>(n)); }

  static constexpr word ch(word x, word y, word z) { return z ^ (x & (y ^ z)); }

  // One round's x ^ y is the next round's y ^ z: compilers see it and compute it once.
  static constexpr word maj(word x, word y, word z) { return y ^ ((x ^ y) & (y ^ z)); }

  template <std::array<unsigned, 3> N>
  static constexpr word big_sigma(word x) {
    return rotr(x, N[0]) ^ rotr(x, N[1]) ^ rotr(x, N[2]);
  }

  template <std::array<unsigned, 3> N>
  static constexpr word sigma(word x) {
    return rotr(x, N[0]) ^ rotr(x, N[1]) ^ (x >> N[2]);
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], where T is t mod 16.
  template <std::size_t T>
  static constexpr word schedule(std::array<word, 16>& w) {
    return w[T] +=
           sigma<amounts.sigma1>(w[(T + 14) % 16]) + w[(T + 9) % 16] + sigma<amounts.sigma0>(w[(T + 1) % 16]);
  }

  // T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];  T2 = Sigma0(a) + Maj(a, b, c);  d += T1;  a = T1 + T2,
  // in what was h.
  template <std::size_t T>
  static constexpr void round(std::array<word, 8>& variables, word k_plus_w) {
    const auto named = [&](std::size_t name) -> word& { return variables[(name - T) % 8]; };
    const word a = named(0), b = named(1), c = named(2), e = named(4), f = named(5), g = named(6);
    word &d = named(3), &h = named(7);
    h += k_plus_w + ch(e, f, g) + big_sigma<amounts.big_sigma1>(e);
    d += h;
    h += big_sigma<amounts.big_sigma0>(a) + maj(a, b, c);
  }

  [[gnu::always_inline]] static void compress(word* state, const std::byte* blocks, std::size_t n) noexcept {
    constexpr const auto& k = Compression::k;
    for (; n != 0; --n, blocks += Compression::block_size) {
      std::array<word, 8> v;
      std::array<word, 16> w;
      unroll<8>([&](auto i) { v[i] = state[i]; });
      unroll<16>([&](auto t) {
        w[t] = load_big_endian<word>(blocks + sizeof(word) * t);
        round<t>(v, k[t] + w[t]);
      });
      for (std::size_t i = 16; i < k.size(); i += 16) {
        unroll<16>([&](auto t) { round<t>(v, k[i + t] + schedule<t>(w)); });
      }
      unroll<8>([&](auto i) { state[i] += v[i]; });
    }
  }
};

}  // namespace

[[gnu::flatten]] void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept {
  sha2<sha256_compression>::compress(state, blocks, n);
}

[[gnu::flatten]] void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept {
  sha2<sha512_compression>::compress(state, blocks, n);
}

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
