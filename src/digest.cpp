#include "jithash/digest.hpp"

namespace jithash {
inline namespace v0 {
namespace detail {
namespace {

// The value of a hexadecimal digit, or -1.
constexpr int digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool equal_constant_time(const std::byte* a, const std::byte* b, std::size_t size) noexcept {
  // volatile: no compiler may turn this into a comparison that stops early.
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < size; ++i) {
    difference = static_cast<unsigned char>(difference | std::to_integer<unsigned>(a[i] ^ b[i]));
  }
  return difference == 0;
}

void to_hex(const std::byte* bytes, std::size_t size, char* text) noexcept {
  constexpr char digits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < size; ++i) {
    const auto value = std::to_integer<unsigned>(bytes[i]);
    text[2 * i] = digits[value >> 4];
    text[2 * i + 1] = digits[value & 15];
  }
}

bool from_hex(std::string_view text, std::byte* bytes, std::size_t size) noexcept {
  if (text.size() != 2 * size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    const int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::byte>(high * 16 + low);
  }
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace jithash
