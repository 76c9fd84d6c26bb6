// The facts of FIPS 180-4, once: round constants, initial values, length-field sizes. The byte sizes that
// callers need too stand with the algorithms' tags in jithash/hasher.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "jithash/hasher.hpp"

namespace jithash {
inline namespace v0 {

/// SHA-1 round constants, one for twenty rounds each (section 4.2.1).
inline constexpr std::array<std::uint32_t, 4> sha1_k{0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};

/// SHA-224 and SHA-256 round constants (section 4.2.2).
inline constexpr std::array<std::uint32_t, 64> sha256_k{
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

/// SHA-384 and SHA-512 round constants (section 4.2.3).
inline constexpr std::array<std::uint64_t, 80> sha512_k{
    0x428a2f98d728ae22ull, 0x7137449123ef65cdull, 0xb5c0fbcfec4d3b2full, 0xe9b5dba58189dbbcull,
    0x3956c25bf348b538ull, 0x59f111f1b605d019ull, 0x923f82a4af194f9bull, 0xab1c5ed5da6d8118ull,
    0xd807aa98a3030242ull, 0x12835b0145706fbeull, 0x243185be4ee4b28cull, 0x550c7dc3d5ffb4e2ull,
    0x72be5d74f27b896full, 0x80deb1fe3b1696b1ull, 0x9bdc06a725c71235ull, 0xc19bf174cf692694ull,
    0xe49b69c19ef14ad2ull, 0xefbe4786384f25e3ull, 0x0fc19dc68b8cd5b5ull, 0x240ca1cc77ac9c65ull,
    0x2de92c6f592b0275ull, 0x4a7484aa6ea6e483ull, 0x5cb0a9dcbd41fbd4ull, 0x76f988da831153b5ull,
    0x983e5152ee66dfabull, 0xa831c66d2db43210ull, 0xb00327c898fb213full, 0xbf597fc7beef0ee4ull,
    0xc6e00bf33da88fc2ull, 0xd5a79147930aa725ull, 0x06ca6351e003826full, 0x142929670a0e6e70ull,
    0x27b70a8546d22ffcull, 0x2e1b21385c26c926ull, 0x4d2c6dfc5ac42aedull, 0x53380d139d95b3dfull,
    0x650a73548baf63deull, 0x766a0abb3c77b2a8ull, 0x81c2c92e47edaee6ull, 0x92722c851482353bull,
    0xa2bfe8a14cf10364ull, 0xa81a664bbc423001ull, 0xc24b8b70d0f89791ull, 0xc76c51a30654be30ull,
    0xd192e819d6ef5218ull, 0xd69906245565a910ull, 0xf40e35855771202aull, 0x106aa07032bbd1b8ull,
    0x19a4c116b8d2d0c8ull, 0x1e376c085141ab53ull, 0x2748774cdf8eeb99ull, 0x34b0bcb5e19b48a8ull,
    0x391c0cb3c5c95a63ull, 0x4ed8aa4ae3418acbull, 0x5b9cca4f7763e373ull, 0x682e6ff3d6b2b8a3ull,
    0x748f82ee5defb2fcull, 0x78a5636f43172f60ull, 0x84c87814a1f0ab72ull, 0x8cc702081a6439ecull,
    0x90befffa23631e28ull, 0xa4506cebde82bde9ull, 0xbef9a3f7b2c67915ull, 0xc67178f2e372532bull,
    0xca273eceea26619cull, 0xd186b8c721c0c207ull, 0xeada7dd6cde0eb1eull, 0xf57d4f7fee6ed178ull,
    0x06f067aa72176fbaull, 0x0a637dc5a2c898a6ull, 0x113f9804bef90daeull, 0x1b710b35131c471bull,
    0x28db77f523047d84ull, 0x32caab7b40c72493ull, 0x3c9ebe0a15c9bebcull, 0x431d67c49c100d4cull,
    0x4cc5d4becb3e42b6ull, 0x597f299cfc657e2aull, 0x5fcb6fab3ad6faecull, 0x6c44198c4a475817ull,
};

/// The amounts in the functions of SHA-2: Sigma0 and Sigma1 are x rotated right by each of three,
/// exclusive-ored; in sigma0 and sigma1 the third is a shift.
struct sha2_amounts {
  std::array<unsigned, 3> big_sigma0, big_sigma1, sigma0, sigma1;
};

// The compression functions (section 6): what kernels implement. Algorithms that differ only in initial value
// and digest length share one. Sizes in bytes.
struct sha1_compression {
  using word = std::uint32_t;
  static constexpr std::string_view name = "sha1";
  static constexpr std::size_t state_words = 5, block_size = 64;
};

struct sha256_compression {
  using word = std::uint32_t;
  static constexpr std::string_view name = "sha256";
  static constexpr std::size_t state_words = 8, block_size = 64;
  static constexpr const auto& k = sha256_k;
  static constexpr sha2_amounts amounts{{2, 13, 22}, {6, 11, 25}, {7, 18, 3}, {17, 19, 10}};  // section 4.1.2
};

struct sha512_compression {
  using word = std::uint64_t;
  static constexpr std::string_view name = "sha512";
  static constexpr std::size_t state_words = 8, block_size = 128;
  static constexpr const auto& k = sha512_k;
  static constexpr sha2_amounts amounts{{28, 34, 39}, {14, 18, 41}, {1, 8, 7}, {19, 61, 6}};  // section 4.1.3
};

/// What completes an algorithm: its compression function, initial value (section 5.3), the bytes of the
/// length field that ends the padding (section 5.1), and the number that names it in saved states.
template <class Algorithm>
struct algorithm_facts;

template <>
struct algorithm_facts<algorithms::sha1> {
  using compression = sha1_compression;
  static constexpr std::size_t length_field = 8;
  static constexpr std::uint8_t number = 1;
  static constexpr std::array<std::uint32_t, 5> initial_value{
      0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u,
  };
};

template <>
struct algorithm_facts<algorithms::sha224> {
  using compression = sha256_compression;
  static constexpr std::size_t length_field = 8;
  static constexpr std::uint8_t number = 2;
  static constexpr std::array<std::uint32_t, 8> initial_value{
      0xc1059ed8u, 0x367cd507u, 0x3070dd17u, 0xf70e5939u, 0xffc00b31u, 0x68581511u, 0x64f98fa7u, 0xbefa4fa4u,
  };
};

template <>
struct algorithm_facts<algorithms::sha256> {
  using compression = sha256_compression;
  static constexpr std::size_t length_field = 8;
  static constexpr std::uint8_t number = 3;
  static constexpr std::array<std::uint32_t, 8> initial_value{
      0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
  };
};

template <>
struct algorithm_facts<algorithms::sha384> {
  using compression = sha512_compression;
  static constexpr std::size_t length_field = 16;
  static constexpr std::uint8_t number = 4;
  static constexpr std::array<std::uint64_t, 8> initial_value{
      0xcbbb9d5dc1059ed8ull, 0x629a292a367cd507ull, 0x9159015a3070dd17ull, 0x152fecd8f70e5939ull,
      0x67332667ffc00b31ull, 0x8eb44a8768581511ull, 0xdb0c2e0d64f98fa7ull, 0x47b5481dbefa4fa4ull,
  };
};

template <>
struct algorithm_facts<algorithms::sha512> {
  using compression = sha512_compression;
  static constexpr std::size_t length_field = 16;
  static constexpr std::uint8_t number = 5;
  static constexpr std::array<std::uint64_t, 8> initial_value{
      0x6a09e667f3bcc908ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull, 0xa54ff53a5f1d36f1ull,
      0x510e527fade682d1ull, 0x9b05688c2b3e6c1full, 0x1f83d9abfb41bd6bull, 0x5be0cd19137e2179ull,
  };
};

template <>
struct algorithm_facts<algorithms::sha512_224> {
  using compression = sha512_compression;
  static constexpr std::size_t length_field = 16;
  static constexpr std::uint8_t number = 6;
  static constexpr std::array<std::uint64_t, 8> initial_value{
      0x8c3d37c819544da2ull, 0x73e1996689dcd4d6ull, 0x1dfab7ae32ff9c82ull, 0x679dd514582f9fcfull,
      0x0f6d2b697bd44da8ull, 0x77e36f7304c48942ull, 0x3f9d85a86a1d36c8ull, 0x1112e6ad91d692a1ull,
  };
};

template <>
struct algorithm_facts<algorithms::sha512_256> {
  using compression = sha512_compression;
  static constexpr std::size_t length_field = 16;
  static constexpr std::uint8_t number = 7;
  static constexpr std::array<std::uint64_t, 8> initial_value{
      0x22312194fc2bf72cull, 0x9f555fa3c84c64c2ull, 0x2393b86b6f53b151ull, 0x963877195940eabdull,
      0x96283ee2a88effe3ull, 0xbe5e1e2553863992ull, 0x2b0199fc2c85b8aaull, 0x0eb72ddc81c52ca2ull,
  };
};

}  // namespace v0
}  // namespace jithash
