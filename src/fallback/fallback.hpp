// Portable C++ compression functions: what runs where no code may be generated, and what generated code is
// proven against.
//
// They follow FIPS 180-4 formula by formula but for two things. Of the message schedule only the last sixteen
// words are kept, W[t] in w[t % 16]. And the working variables stay where they are while their names move on
// by one place a round, which leaves nothing to copy once the rounds are unrolled into one function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jithash {
inline namespace v0 {
namespace fallback {

// Each absorbs `n` >= 1 whole blocks, of any alignment, into `state`, its words in the standard's order.
void compress_sha1(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept;

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
