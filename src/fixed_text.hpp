// A short text in place: what first use writes its reasons into without allocating. Longer text is cut.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jithash {
inline namespace v0 {

template <std::size_t Capacity>
class fixed_text {
 public:
  static constexpr std::size_t capacity = Capacity;

  constexpr fixed_text() noexcept = default;
  constexpr fixed_text(std::string_view text) noexcept { *this << text; }

  constexpr fixed_text& operator<<(std::string_view text) noexcept {
    const std::size_t taken = std::min(text.size(), Capacity - size_);
    std::copy_n(text.data(), taken, text_.data() + size_);
    size_ += taken;
    return *this;
  }
  fixed_text& operator<<(int number) noexcept { return append(number, 10); }
  fixed_text& append_hexadecimal(std::uint64_t number) noexcept { return append(number, 16); }

  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }
  [[nodiscard]] constexpr const char* c_str() const noexcept { return text_.data(); }

 private:
  template <class Number>
  fixed_text& append(Number number, int base) noexcept {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

  std::array<char, Capacity + 1> text_{};  // and a zero
  std::size_t size_ = 0;
};

}  // namespace v0
}  // namespace jithash
