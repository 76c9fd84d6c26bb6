// The generators for x86-64.
#pragma once

#include "kernel.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

machine_code generate_sha1_shani(const generator_options& options) noexcept;
machine_code generate_sha1_avx512(const generator_options& options) noexcept;
machine_code generate_sha1_avx2(const generator_options& options) noexcept;
machine_code generate_sha1_avx(const generator_options& options) noexcept;
machine_code generate_sha1_ssse3(const generator_options& options) noexcept;
machine_code generate_sha1_bmi2(const generator_options& options) noexcept;
machine_code generate_sha1_scalar(const generator_options& options) noexcept;

machine_code generate_sha256_shani(const generator_options& options) noexcept;
machine_code generate_sha256_avx512(const generator_options& options) noexcept;
machine_code generate_sha256_avx2(const generator_options& options) noexcept;
machine_code generate_sha256_avx(const generator_options& options) noexcept;
machine_code generate_sha256_ssse3(const generator_options& options) noexcept;
machine_code generate_sha256_bmi2(const generator_options& options) noexcept;
machine_code generate_sha256_scalar(const generator_options& options) noexcept;

machine_code generate_sha512_sha512(const generator_options& options) noexcept;
machine_code generate_sha512_avx512(const generator_options& options) noexcept;
machine_code generate_sha512_avx2(const generator_options& options) noexcept;
machine_code generate_sha512_avx(const generator_options& options) noexcept;
machine_code generate_sha512_ssse3(const generator_options& options) noexcept;
machine_code generate_sha512_bmi2(const generator_options& options) noexcept;
machine_code generate_sha512_scalar(const generator_options& options) noexcept;

}  // namespace x86
}  // namespace v0
}  // namespace jithash
