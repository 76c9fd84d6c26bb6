// The generators for AArch64.
#pragma once

#include "kernel.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {

machine_code generate_sha1_sha1(const generator_options& options) noexcept;
machine_code generate_sha1_neon(const generator_options& options) noexcept;
machine_code generate_sha1_scalar(const generator_options& options) noexcept;
machine_code generate_sha256_sha2(const generator_options& options) noexcept;
machine_code generate_sha256_neon(const generator_options& options) noexcept;
machine_code generate_sha256_scalar(const generator_options& options) noexcept;
machine_code generate_sha512_neon(const generator_options& options) noexcept;
machine_code generate_sha512_scalar(const generator_options& options) noexcept;
machine_code generate_sha512_sha512(const generator_options& options) noexcept;

}  // namespace a64
}  // namespace v0
}  // namespace jithash
