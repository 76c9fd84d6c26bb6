// Block functions that generated Arm code is compared with, beside the portable ones; all of the form
// compress(state, blocks, n).
#pragma once

#include <cstddef>
#include <cstdint>

namespace jithash {
inline namespace v0 {

/// The standard's text, its loops as loops: what one writes first.
namespace rolled {
void compress_sha1(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept;
}  // namespace rolled

/// AArch64's cryptographic instructions through plain intrinsics, without any thought for a core;
/// null in programs for other architectures.
namespace intrinsics {
[[gnu::weak]] void compress_sha1(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
[[gnu::weak]] void compress_sha256(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
[[gnu::weak]] void compress_sha512(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept;
}  // namespace intrinsics

}  // namespace v0
}  // namespace jithash
