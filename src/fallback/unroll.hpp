// Loops that are surely unrolled, for the portable compression functions.
// Inlined by order, with `flatten` on the functions themselves: left alone, compilers differ in what they
// inline, and schedule and working variables that go through memory cost up to half the speed.
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

}  // namespace fallback
}  // namespace v0
}  // namespace jithash
