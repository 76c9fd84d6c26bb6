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
enum class code_memory_step : std::uint16_t {
  none,
  unsupported,
  create,      ///< memfd_create
  size_limit,  ///< RLIMIT_FSIZE, looked at before a write that the kernel would answer with SIGXFSZ
  write,
  seal_file,  ///< F_ADD_SEALS
  map,
  protect,
  seal  ///< mseal: the code stays usable without
};

/// What was refused, and the errno of the refusal. Step none: no error.
/// Small enough for an atomic without a lock on every architecture.
struct alignas(4) code_memory_error {
  code_memory_step step = code_memory_step::none;
  std::int16_t error = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return step != code_memory_step::none; }
  /// A denial will not change, a shortage may.
  [[nodiscard]] bool lasts() const noexcept;
  /// "mmap", "mprotect", ...
  [[nodiscard]] std::string_view step_name() const noexcept;
};

/// The last refusal this process met, for good once it is one that lasts: from then on load() gives it back
/// without asking the system again. None so far: no error.
[[nodiscard]] code_memory_error code_memory_refusal() noexcept;

/// What kept a page from being sealed. Once there is one, nothing is sealed any more. None so far: no error.
[[nodiscard]] code_memory_error seal_refusal() noexcept;

/// Whether this process may make a file of `size` bytes: where it may not, a write ends it with SIGXFSZ.
[[nodiscard]] bool file_size_allowed(std::uint64_t size) noexcept;

/// Owns one mapping of executable code. Moves, does not copy; unmaps when destroyed, unless sealed.
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

  /// Makes the mapping immutable for the rest of the process (mseal, Linux 6.10): nobody changes its
  /// protection, moves it or unmaps it.
  [[nodiscard]] code_memory_error seal() const noexcept;

  /// The first byte of the code that was loaded.
  [[nodiscard]] const std::byte* entry() const noexcept { return mapping_ + entry_offset; }

 private:
  // Compilers that check indirect calls read the bytes before an entry; code wants 64-byte alignment.
  static constexpr std::size_t entry_offset = 64;

  code_memory_error load_anonymous(const machine_code& code) noexcept;
  code_memory_error load_file(const machine_code& code) noexcept;

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace v0
}  // namespace jithash
