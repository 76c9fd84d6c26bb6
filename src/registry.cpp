#include "registry.hpp"

#if JITHASH_JIT && defined(__x86_64__)
#include "jit/x86/kernels.hpp"
#endif

namespace jithash {
inline namespace v0 {
namespace {

using enum cpu_feature;

constexpr kernel rows[] = {
#if JITHASH_JIT && defined(__x86_64__)
    {"sha1/x86-shani", {shani}, x86::generate_sha1_shani},
    {"sha1/x86-bmi2", {bmi2}, x86::generate_sha1_bmi2},
    {"sha1/x86", {}, x86::generate_sha1_scalar},
    {"sha256/x86-shani", {shani}, x86::generate_sha256_shani},
    {"sha256/x86-bmi2", {bmi1, bmi2}, x86::generate_sha256_bmi2},
    {"sha256/x86", {}, x86::generate_sha256_scalar},
    {"sha512/x86-bmi2", {bmi1, bmi2}, x86::generate_sha512_bmi2},
    {"sha512/x86", {}, x86::generate_sha512_scalar},
#endif
    portable_kernel<sha1_compression>,
    portable_kernel<sha256_compression>,
    portable_kernel<sha512_compression>,
};

static_assert(std::size(rows) <= max_kernels);

}  // namespace

std::span<const kernel> registry() noexcept { return rows; }

}  // namespace v0
}  // namespace jithash
