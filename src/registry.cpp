#include "registry.hpp"

// The library has the rows of its own architecture. This file is compiled a second time, with
// JITHASH_EVERY_ARCHITECTURE, for the command and the tests, which generate for machines they do not run on.
#if JITHASH_EVERY_ARCHITECTURE
#define JITHASH_X86 1
#define JITHASH_A64 1
#define JITHASH_A32 1
#elif JITHASH_JIT && defined(__x86_64__)
#define JITHASH_X86 1
#elif JITHASH_JIT && defined(__aarch64__)
#define JITHASH_A64 1
#elif JITHASH_JIT && defined(__arm__)
#define JITHASH_A32 1
#endif

#if JITHASH_X86
#include "jit/x86/kernels.hpp"
#endif
#if JITHASH_A64
#include "jit/a64/kernels.hpp"
#endif
#if JITHASH_A32
#include "jit/a32/kernels.hpp"
#endif

namespace jithash {
inline namespace v0 {
namespace {

using enum cpu_feature;

constexpr kernel rows[] = {
#if JITHASH_X86
    {"sha1/x86-shani", {shani}, x86::generate_sha1_shani},
    {"sha1/x86-avx512", {bmi1, bmi2, avx2, avx512f, avx512vl}, x86::generate_sha1_avx512},
    {"sha1/x86-avx2", {bmi1, bmi2, avx2}, x86::generate_sha1_avx2},
    {"sha1/x86-avx", {avx}, x86::generate_sha1_avx},
    {"sha1/x86-ssse3", {ssse3}, x86::generate_sha1_ssse3},
    {"sha1/x86-bmi2", {bmi1, bmi2}, x86::generate_sha1_bmi2},
    {"sha1/x86", {}, x86::generate_sha1_scalar},
    {"sha256/x86-shani", {shani}, x86::generate_sha256_shani},
    {"sha256/x86-avx512", {bmi1, bmi2, avx2, avx512f, avx512vl}, x86::generate_sha256_avx512},
    {"sha256/x86-avx2", {bmi1, bmi2, avx2}, x86::generate_sha256_avx2},
    {"sha256/x86-avx", {avx}, x86::generate_sha256_avx},
    {"sha256/x86-ssse3", {ssse3}, x86::generate_sha256_ssse3},
    {"sha256/x86-bmi2", {bmi1, bmi2}, x86::generate_sha256_bmi2},
    {"sha256/x86", {}, x86::generate_sha256_scalar},
    {"sha512/x86-sha512", {avx2, x86_sha512}, x86::generate_sha512_sha512},
    {"sha512/x86-avx512", {bmi1, bmi2, avx2, avx512f, avx512vl}, x86::generate_sha512_avx512},
    {"sha512/x86-avx2", {bmi1, bmi2, avx2}, x86::generate_sha512_avx2},
    {"sha512/x86-avx", {avx}, x86::generate_sha512_avx},
    {"sha512/x86-ssse3", {ssse3}, x86::generate_sha512_ssse3},
    {"sha512/x86-bmi2", {bmi1, bmi2}, x86::generate_sha512_bmi2},
    {"sha512/x86", {}, x86::generate_sha512_scalar},
#endif
#if JITHASH_A64
    {"sha1/a64-sha1", {arm_sha1}, a64::generate_sha1_sha1},
    {"sha1/a64-neon", {neon}, a64::generate_sha1_neon, {in_order}},
    {"sha1/a64", {}, a64::generate_sha1_scalar},
    {"sha256/a64-sha2", {arm_sha2}, a64::generate_sha256_sha2},
    {"sha256/a64-neon", {neon}, a64::generate_sha256_neon, {in_order}},
    {"sha256/a64", {}, a64::generate_sha256_scalar},
    {"sha512/a64-sha512", {arm_sha512}, a64::generate_sha512_sha512},
    {"sha512/a64-neon", {neon}, a64::generate_sha512_neon, {in_order}},
    {"sha512/a64", {}, a64::generate_sha512_scalar},
#endif
#if JITHASH_A32
    {"sha1/a32-sha1", {armv7, arm_sha1}, a32::generate_sha1_sha1},
    {"sha1/a32-neon", {armv7, neon}, a32::generate_sha1_neon},
    {"sha1/a32", {}, a32::generate_sha1},
    {"sha256/a32-sha2", {armv7, arm_sha2}, a32::generate_sha256_sha2},
    {"sha256/a32-neon", {armv7, neon}, a32::generate_sha256_neon},
    {"sha256/a32", {}, a32::generate_sha256},
    {"sha512/a32-neon", {armv7, neon}, a32::generate_sha512_neon},
    {"sha512/a32", {}, a32::generate_sha512},
#endif
    portable_kernel<sha1_compression>,
    portable_kernel<sha256_compression>,
    portable_kernel<sha512_compression>,
};

}  // namespace

#if JITHASH_EVERY_ARCHITECTURE
std::span<const kernel> every_kernel() noexcept { return rows; }
#else
static_assert(std::size(rows) <= max_kernels);

std::span<const kernel> registry() noexcept { return rows; }
#endif

}  // namespace v0
}  // namespace jithash
