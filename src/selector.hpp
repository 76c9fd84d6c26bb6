// From the registry to the one function that runs: probe, generate, prove, publish; once per compression
// function and process, without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include "algorithms.hpp"
#include "fixed_text.hpp"
#include "jit/code_memory.hpp"
#include "kernel.hpp"
#include "process.hpp"
#include "registry.hpp"

namespace jithash {
inline namespace v0 {

using reason_text = fixed_text<96>;

/// A kernel ready to be called, and what that took; owns its code.
template <class Compression>
struct ready_kernel {
  const kernel* row = nullptr;
  compress_function<typename Compression::word> compress = nullptr;
  executable_code code;
  std::size_t code_bytes = 0;
  frame_layout frame;
  double generation_us = 0, publish_us = 0, self_test_us = 0;
};

/// Generates, loads and proves one row, whatever the registry's order; the portable row needs none of that.
/// An empty text means that `to` is ready; anything else says why it is not.
template <class Compression>
[[nodiscard]] reason_text make_ready(ready_kernel<Compression>& to, const kernel& row,
                                     const process_facts& facts) noexcept;

/// What was chosen for one compression function. Immutable once published.
template <class Compression>
struct selection {
  ready_kernel<Compression> chosen;
  /// For each row, why it was passed over; empty for the chosen one and for those nobody asked about.
  std::array<reason_text, max_kernels> passed_over{};
};

/// Fills `to` with the first row, preferred ones before the others, that can be made ready. `rows` must have
/// a portable row of this compression function.
template <class Compression>
void choose(selection<Compression>& to, std::span<const kernel> rows, const process_facts& facts) noexcept;

/// The selection of this process; the first call makes it.
template <class Compression>
const selection<Compression>& resolve() noexcept;

/// The selection of this process if it is made, or null.
template <class Compression>
[[nodiscard]] const selection<Compression>* resolved() noexcept;

/// Where calls go: a resolver at first, then the chosen kernel for ever.
template <class Compression>
struct dispatch {
  static constinit std::atomic<compress_function<typename Compression::word>> entry_point;
};
extern template struct dispatch<sha1_compression>;
extern template struct dispatch<sha256_compression>;
extern template struct dispatch<sha512_compression>;

/// Absorbs `n` >= 1 whole blocks by the kernel chosen for this process.
template <class Compression>
JITHASH_CALLS_GENERATED_CODE inline void compress(typename Compression::word* state, const std::byte* blocks,
                                                  std::size_t n) noexcept {
  dispatch<Compression>::entry_point.load(std::memory_order_acquire)(state, blocks, n);
}

}  // namespace v0
}  // namespace jithash
