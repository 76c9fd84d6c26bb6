// A message digest (FIPS 180-4): a fixed number of bytes, its hexadecimal form, and a comparison that does
// not tell where two digests differ.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jithash {
inline namespace v0 {

namespace detail {
/// Whether `size` bytes at `a` and `b` are equal, in a time that depends on `size` alone.
bool equal_constant_time(const std::byte* a, const std::byte* b, std::size_t size) noexcept;
void to_hex(const std::byte* bytes, std::size_t size, char* text) noexcept;
bool from_hex(std::string_view text, std::byte* bytes, std::size_t size) noexcept;
}  // namespace detail

/// N bytes, in the order the standard writes them. A trivially copyable value; thread safety is that of an
/// int.
template <std::size_t N>
class digest {
 public:
  using value_type = std::byte;

  /// All zero.
  constexpr digest() noexcept = default;

  /// Length in bytes.
  [[nodiscard]] static constexpr std::size_t size() noexcept { return N; }
  [[nodiscard]] constexpr std::byte* data() noexcept { return bytes_.data(); }
  [[nodiscard]] constexpr const std::byte* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] constexpr std::byte& operator[](std::size_t i) noexcept { return bytes_[i]; }
  [[nodiscard]] constexpr const std::byte& operator[](std::size_t i) const noexcept { return bytes_[i]; }
  [[nodiscard]] constexpr auto begin() noexcept { return bytes_.begin(); }
  [[nodiscard]] constexpr auto end() noexcept { return bytes_.end(); }
  [[nodiscard]] constexpr auto begin() const noexcept { return bytes_.begin(); }
  [[nodiscard]] constexpr auto end() const noexcept { return bytes_.end(); }

  /// 2N lowercase hexadecimal digits. Throws std::bad_alloc only.
  [[nodiscard]] std::string hex() const {
    std::string text(2 * N, '\0');
    detail::to_hex(data(), N, text.data());
    return text;
  }

  /// The digest that `text` spells: exactly 2N hexadecimal digits of either case, nothing before, between or
  /// after; anything else is std::nullopt.
  [[nodiscard]] static std::optional<digest> from_hex(std::string_view text) noexcept {
    digest result;
    if (!detail::from_hex(text, result.data(), N)) return std::nullopt;
    return result;
  }

  /// Constant time: how long it takes does not depend on the bytes.
  [[nodiscard]] friend bool operator==(const digest& a, const digest& b) noexcept {
    return detail::equal_constant_time(a.data(), b.data(), N);
  }

 private:
  std::array<std::byte, N> bytes_{};
};

}  // namespace v0
}  // namespace jithash
