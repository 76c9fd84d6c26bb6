// What jithash accepts as input bytes, and how anything contiguous becomes that.
#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace jithash {
inline namespace v0 {

/// Bytes to read; never owned.
using bytes_view = std::span<const std::byte>;

namespace detail {
template <class T>
inline constexpr bool is_byte =
    std::is_same_v<T, std::byte> || std::is_same_v<T, char> || std::is_same_v<T, unsigned char>;
}

/// The element types that are bytes: std::byte, char and unsigned char.
template <class T>
concept byte_like = detail::is_byte<std::remove_cv_t<T>>;

/// A contiguous, sized range of bytes: std::string, std::string_view, std::vector, std::array, std::span, ...
template <class Range>
concept byte_range = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    byte_like<std::remove_reference_t<std::ranges::range_reference_t<Range>>> &&
    !std::is_array_v<std::remove_reference_t<Range>>;

/// The bytes of a contiguous range. The view is valid as long as the range is.
template <byte_range Range>
[[nodiscard]] constexpr bytes_view bytes(const Range& range) noexcept {
  return std::as_bytes(std::span{std::ranges::data(range), std::ranges::size(range)});
}

/// All of an array of std::byte or unsigned char.
template <byte_like T, std::size_t N>
[[nodiscard]] constexpr bytes_view bytes(T (&array)[N]) noexcept {
  return std::as_bytes(std::span{array});
}

/// A string literal: its characters without the NUL the compiler appends. NULs inside it count.
template <std::size_t N>
[[nodiscard]] constexpr bytes_view bytes(const char (&literal)[N]) noexcept {
  return std::as_bytes(std::span{literal, literal[N - 1] == '\0' ? N - 1 : N});
}

/// A char buffer does not say how much of it is meant: pass (pointer, size) or a std::string_view.
template <std::size_t N>
bytes_view bytes(char (&buffer)[N]) = delete;

/// `size` bytes from `data` on; (nullptr, 0) is the empty input.
[[nodiscard]] inline bytes_view bytes(const void* data, std::size_t size) noexcept {
  return {static_cast<const std::byte*>(data), size};
}

/// Whatever bytes(x) takes.
template <class T>
concept bytes_like = requires(T&& x) {
  jithash::bytes(x);
};

}  // namespace v0
}  // namespace jithash
