// The proof that stands before every call of generated code.
#pragma once

#include "algorithms.hpp"
#include "kernel.hpp"

namespace jithash {
inline namespace v0 {

/// Whether `candidate` computes what the portable code does: one to eight blocks, aligned and not, from
/// states without structure. Uses under 2 KiB of stack.
template <class Compression>
[[nodiscard]] bool passes_self_test(compress_function<typename Compression::word> candidate) noexcept;

}  // namespace v0
}  // namespace jithash
