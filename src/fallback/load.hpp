// What the portable compression functions share: big-endian words, and loops that are surely unrolled.
// Inlined by order, with `flatten` on the functions themselves: otherwise compilers differ in what they
// inline, and where they do not, schedule and working variables go through memory at half the speed.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace jithash {
inline namespace v0 {
namespace fallback {

template <std::size_t... I, class Body>
[[gnu::always_inline]] constexpr void unroll(std::index_sequence<I...>, const Body& body) {
  (body(std::integral_constant<std::size_t, I>{}), ...);
}

/// Calls body(0), body(1), ... body(N - 1) with numbers that may stand as template arguments.
template <std::size_t N, class Body>
[[gnu::always_inline]] constexpr void unroll(const Body& body) {
  unroll(std::make_index_sequence<N>{}, body);
}

template <class Word, std::size_t... I>
[[gnu::always_inline]] constexpr Word load_big_endian(const std::byte* bytes, std::index_sequence<I...>) {
  return ((std::to_integer<Word>(bytes[I]) << (8 * (sizeof(Word) - 1 - I))) | ...);
}

/// Word number `index` of a block of any alignment (FIPS 180-4, section 3.1), on hosts of either byte order:
/// compilers make one load of it, swapped where that is needed.
template <class Word>
[[gnu::always_inline]] constexpr Word load_big_endian(const std::byte* block, std::size_t index) {
  return load_big_endian<Word>(block + sizeof(Word) * index, std::make_index_sequence<sizeof(Word)>{});
}

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
