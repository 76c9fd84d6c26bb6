// The table of all kernels of this build.
#pragma once

#include <span>

#include "fallback/fallback.hpp"
#include "kernel.hpp"

namespace jithash {
inline namespace v0 {

/// Every kernel this build can run where the CPU has what the row needs; for each compression function the
/// best one first and the portable one last.
[[nodiscard]] std::span<const kernel> registry() noexcept;

/// The same for all architectures at once, from the library jithash_generators.
[[nodiscard]] std::span<const kernel> every_kernel() noexcept;

/// More rows than any registry has.
inline constexpr std::size_t max_kernels = 32;

/// The row that ends every walk, and its code.
template <class Compression>
inline constexpr kernel portable_kernel{};
template <>
inline constexpr kernel portable_kernel<sha1_compression>{"sha1/portable", {}, nullptr};
template <>
inline constexpr kernel portable_kernel<sha256_compression>{"sha256/portable", {}, nullptr};
template <>
inline constexpr kernel portable_kernel<sha512_compression>{"sha512/portable", {}, nullptr};

template <class Compression>
inline constexpr compress_function<typename Compression::word> portable = nullptr;
template <>
inline constexpr compress_function<std::uint32_t> portable<sha1_compression> = fallback::compress_sha1;
template <>
inline constexpr compress_function<std::uint32_t> portable<sha256_compression> = fallback::compress_sha256;
template <>
inline constexpr compress_function<std::uint64_t> portable<sha512_compression> = fallback::compress_sha512;

}  // namespace v0
}  // namespace jithash
