// What a kernel is: the signature of its code, its name, and what it needs of the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include "algorithms.hpp"
#include "cpu_features.hpp"

namespace jithash {
inline namespace v0 {

/// Absorbs `n` >= 1 whole blocks, of any alignment, into `state`, whose words are in the standard's order.
/// Generated code and portable C++ share this signature and the C calling convention of the platform.
template <class Word>
using compress_function = void (*)(Word* state, const std::byte* blocks, std::size_t n) noexcept;

/// Functions that call generated code: it carries no type hash for clang's checks of indirect calls to read.
#if defined(__clang__)
#define JITHASH_CALLS_GENERATED_CODE __attribute__((no_sanitize("function", "cfi-icall")))
#else
#define JITHASH_CALLS_GENERATED_CODE
#endif

/// What the code does to the stack, for those who walk it: pushes registers below the return address in the
/// order of their numbers, then lowers the stack pointer; the end undoes it. On x86-64; `end` is 0 where
/// nobody knows.
struct frame_layout {
  std::uint32_t begin = 0;   ///< of the first push, an offset into the code like the next two
  std::uint32_t body = 0;    ///< from here on the frame is complete
  std::uint32_t end = 0;     ///< behind the return
  std::uint32_t pushed = 0;  ///< a bit for each register
  std::uint32_t stack = 0;   ///< bytes below the pushed registers
};

/// What a generator makes: position-independent bytes whose first one is the entry and that want 64-byte
/// alignment.
struct machine_code {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size = 0;
  frame_layout frame;
  const char* error = nullptr;  ///< why there are no bytes: a text that lives for ever

  [[nodiscard]] static machine_code failure(const char* why) noexcept {
    machine_code result;
    result.error = why;
    return result;
  }
};

/// The calling conventions of x86-64; the other architectures have one.
enum class abi { system_v, windows };

/// What a generator may decide by. Equal options give equal bytes, on any host.
struct generator_options {
  cpu_features features;
  abi convention = abi::system_v;
  bool compact = false;  ///< small loops rather than unrolled code, where a generator has both

  /// The 32-bit Arm architecture: 7, 6, or 5 for ARMv5TE.
  [[nodiscard]] constexpr unsigned arm_level() const noexcept {
    return features.contains(cpu_feature::armv7) ? 7 : features.contains(cpu_feature::armv6) ? 6 : 5;
  }
};

using generator = machine_code (*)(const generator_options& options) noexcept;

/// One row of the registry.
struct kernel {
  std::string_view name{};  ///< compression function/isa-extension
  cpu_features needs{};
  generator generate = nullptr;  ///< null for portable C++
  cpu_features slow_with{};      ///< on a CPU with one of these, later rows with generated code are faster

  /// Whether this is a kernel of the compression function called `function`.
  [[nodiscard]] constexpr bool computes(std::string_view function) const noexcept {
    return name.size() > function.size() && name.starts_with(function) && name[function.size()] == '/';
  }
};

}  // namespace v0
}  // namespace jithash
