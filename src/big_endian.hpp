// Words as FIPS 180-4 writes them into bytes: most significant byte first (section 3.1), at any address.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jithash {
inline namespace v0 {

/// From the byte order of this machine to the standard's, or back.
template <std::unsigned_integral Word>
[[nodiscard, gnu::always_inline]] constexpr Word to_big_endian(Word word) noexcept {
  static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
  if constexpr (std::endian::native == std::endian::big) {
    return word;
  } else if constexpr (sizeof(Word) == 4) {
    return static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
  } else {
    return static_cast<Word>(__builtin_bswap64(static_cast<std::uint64_t>(word)));
  }
}

template <std::unsigned_integral Word>
[[nodiscard, gnu::always_inline]] inline Word load_big_endian(const std::byte* from) noexcept {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return to_big_endian(word);
}

template <std::unsigned_integral Word>
inline void store_big_endian(std::byte* to, Word word) noexcept {
  word = to_big_endian(word);
  std::memcpy(to, &word, sizeof word);
}

}  // namespace v0
}  // namespace jithash
