// A short text in place: what first use writes its reasons into without allocating. Longer text is cut.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
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
  fixed_text& operator<<(int number) noexcept {
    std::array<char, 12> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, Capacity> text_{};
  std::size_t size_ = 0;
};

}  // namespace v0
}  // namespace jithash
