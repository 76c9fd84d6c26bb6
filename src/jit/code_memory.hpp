// W^X memory for machine code: written first, executable afterwards, never both, and only ever in one
// mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "jithash/runtime.hpp"
#include "kernel.hpp"

namespace jithash {
inline namespace v0 {

/// The steps that may be refused.
enum class code_memory_step : std::uint8_t { none, unsupported, map, protect };

/// What was refused, and the errno of the refusal. Step none: no error.
struct code_memory_error {
  code_memory_step step = code_memory_step::none;
  int error = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return step != code_memory_step::none; }
  /// "mmap", "mprotect", ...
  [[nodiscard]] std::string_view step_name() const noexcept;
};

/// The refusal this process met that will not change (a denial, not a shortage); none so far: no error. Once
/// there is one, load() gives it back without asking the system again.
[[nodiscard]] code_memory_error code_memory_denial() noexcept;

/// Owns one mapping of executable code. Moves, does not copy; unmaps when destroyed.
class executable_code {
 public:
  constexpr executable_code() noexcept = default;
  executable_code(executable_code&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)), mapped_(std::exchange(other.mapped_, 0)) {}
  executable_code& operator=(executable_code&& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    return *this;
  }
  ~executable_code();

  /// Brings `code` into memory of its own as `how` (not off) says. An error leaves nothing behind.
  code_memory_error load(const machine_code& code, code_memory how) noexcept;

  /// The first byte of the code that was loaded.
  [[nodiscard]] const std::byte* entry() const noexcept { return mapping_ + entry_offset; }

 private:
  // Compilers that check indirect calls read the bytes before an entry; code wants 64-byte alignment.
  static constexpr std::size_t entry_offset = 64;

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace v0
}  // namespace jithash
