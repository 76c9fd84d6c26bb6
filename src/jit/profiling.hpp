// Names for generated code, where profilers and debuggers look for them. Only on request.
#pragma once

#include <cstddef>
#include <string_view>

#include "kernel.hpp"

namespace jithash {
inline namespace v0 {

/// Tells perf (a line in /tmp/perf-PID.map) and gdb (its JIT interface) of a kernel that stays where it is
/// for the rest of the process.
void show_to_profilers(std::string_view name, const std::byte* entry, std::size_t size,
                       const frame_layout& frame) noexcept;

/// The errno of what kept a line out of perf's map, or 0.
[[nodiscard]] int perf_map_error() noexcept;

}  // namespace v0
}  // namespace jithash
