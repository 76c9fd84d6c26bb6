// The generators for 32-bit Arm.
#pragma once

#include "kernel.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

// Core registers only. options.arm_level() chooses the instructions, options.compact small loops.
machine_code generate_sha1(const generator_options& options) noexcept;
machine_code generate_sha256(const generator_options& options) noexcept;
machine_code generate_sha512(const generator_options& options) noexcept;

// Advanced SIMD, armv7.
machine_code generate_sha1_neon(const generator_options& options) noexcept;
machine_code generate_sha256_neon(const generator_options& options) noexcept;
machine_code generate_sha512_neon(const generator_options& options) noexcept;

// The SHA1 and SHA256 instructions of ARMv8 in 32-bit code.
machine_code generate_sha1_sha1(const generator_options& options) noexcept;
machine_code generate_sha256_sha2(const generator_options& options) noexcept;

}  // namespace a32
}  // namespace v0
}  // namespace jithash
