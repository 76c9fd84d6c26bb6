// The features of a CPU that kernels ask for, as a set, and how raw detector values become that set.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "fixed_text.hpp"

namespace jithash {
inline namespace v0 {

/// Features of every architecture a kernel exists for; one CPU has those of its own only.
enum class cpu_feature : std::uint8_t {
  // x86
  ssse3,
  sse41,
  bmi1,
  bmi2,
  avx,
  avx2,
  shani,
  avx512f,
  avx512bw,
  avx512dq,
  avx512vl,
  x86_sha512,
  // Arm, 64-bit and 32-bit
  armv6,  ///< 32-bit only, like armv7: without them ARMv5TE
  armv7,
  neon,
  arm_sha1,
  arm_sha2,
  arm_sha512,
  in_order,  ///< a trait: every core is known to execute in order, and other code is best for those
  count
};

inline constexpr std::size_t cpu_feature_count = static_cast<std::size_t>(cpu_feature::count);

/// A set of features.
class cpu_features {
 public:
  constexpr cpu_features() noexcept = default;
  constexpr cpu_features(std::initializer_list<cpu_feature> features) noexcept {
    for (const cpu_feature f : features) insert(f);
  }

  constexpr void insert(cpu_feature f) noexcept { bits_ |= std::uint32_t{1} << static_cast<unsigned>(f); }
  [[nodiscard]] constexpr bool contains(cpu_feature f) const noexcept {
    return (bits_ >> static_cast<unsigned>(f)) & 1;
  }
  [[nodiscard]] constexpr bool contains(cpu_features all) const noexcept { return (*this & all) == all; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

  friend constexpr cpu_features operator&(cpu_features a, cpu_features b) noexcept {
    return cpu_features(a.bits_ & b.bits_);
  }
  friend constexpr cpu_features operator|(cpu_features a, cpu_features b) noexcept {
    return cpu_features(a.bits_ | b.bits_);
  }
  friend constexpr cpu_features operator^(cpu_features a, cpu_features b) noexcept {
    return cpu_features(a.bits_ ^ b.bits_);
  }
  /// Set difference.
  friend constexpr cpu_features operator-(cpu_features a, cpu_features b) noexcept {
    return cpu_features(a.bits_ & ~b.bits_);
  }
  friend constexpr bool operator==(cpu_features, cpu_features) noexcept = default;

  /// Calls visit(feature) for each, in the order of the enumeration.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < cpu_feature_count; ++i) {
      if (contains(static_cast<cpu_feature>(i))) visit(static_cast<cpu_feature>(i));
    }
  }

 private:
  constexpr explicit cpu_features(std::uint32_t bits) noexcept : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

/// "shani", "avx512vl", ...
[[nodiscard]] std::string_view name(cpu_feature feature) noexcept;

/// `features` without those whose prerequisites it lacks: no AVX2 without AVX, no AVX-512 without AVX2.
[[nodiscard]] cpu_features consistent(cpu_features features) noexcept;

/// `features` and all that they stand on: a CPU with AVX2 has AVX.
[[nodiscard]] cpu_features with_prerequisites(cpu_features features) noexcept;

/// The features that `text` takes away: "-shani,-avx512" (a family's name stands for all of it). Calls
/// ignored(item) for each item that is not that: a missing minus or an unknown name.
template <class Ignored>
[[nodiscard]] cpu_features parse_mask(std::string_view text, Ignored&& ignored);

/// What the detectors see on x86. `max_leaf` is CPUID leaf 0; leaves above it read as zero. `xcr0` is zero
/// without OSXSAVE.
struct x86_raw {
  std::uint32_t max_leaf = 0;
  std::uint32_t leaf1_ecx = 0, leaf7_ebx = 0, leaf7_1_eax = 0;
  std::uint64_t xcr0 = 0;
  bool cpuinfo_ran = false;
  cpu_features cpuinfo;
};

/// A feature is used only if every detector that knows it saw it and the system enabled its registers.
struct cpu_detection {
  cpu_features features;
  cpu_features disagreements;  ///< seen by one detector, denied by another
};

[[nodiscard]] cpu_detection detect(const x86_raw& raw) noexcept;

/// What the detectors see on Arm: the auxiliary vector's AT_HWCAP, AT_HWCAP2 and AT_PLATFORM, whose bits and
/// names differ between the 64-bit and the 32-bit architecture.
struct arm_raw {
  bool is_64bit = false;
  std::uint64_t hwcap = 0, hwcap2 = 0;
  std::string_view platform;         ///< "aarch64"; "v5l", "v6l", "v7l", "v8l"
  bool every_core_in_order = false;  ///< of all that are present, by executes_in_order()
  bool cpuinfo_ran = false;
  cpu_features cpuinfo;
};

[[nodiscard]] cpu_detection detect(const arm_raw& raw) noexcept;

/// Whether the core with this Main ID Register (MIDR_EL1) is a 64-bit one that is known to execute in order.
[[nodiscard]] bool executes_in_order(std::uint32_t midr) noexcept;

/// Calls visit(number) for each processor of a list as Linux writes it, "0-3,5\n", in its order. False, perhaps after some
/// calls, if `list` is none, or visit() gives false.
template <class Visit>
[[nodiscard]] bool for_each_processor(std::string_view list, Visit&& visit);

/// With room for eight kinds of core.
using cpu_name = fixed_text<160>;

/// This machine: what detect() says of it, and the CPU's name. On x86 that is the one it has for itself; on Arm the
/// chip's, where somebody knows it, and the implementer and part of the kinds of core that cpuinfo tells apart: "Broadcom
/// BCM2711 (0x41:0xd08)", or "CPU 0x41:0xd08". Empty where there is none.
struct cpu_identity {
  cpu_detection detection;
  cpu_name name;
};

[[nodiscard]] cpu_identity probe_cpu() noexcept;

// ---- implementation of the template ----

/// The features called `text`, or all of the family of that name; empty where there is none.
[[nodiscard]] cpu_features features_named(std::string_view text) noexcept;

/// Calls visit(item) for each item of a comma-separated list, blanks around it dropped, empty ones left out.
template <class Visit>
void for_each_item(std::string_view list, Visit&& visit) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) visit(item);
  }
}

template <class Visit>
bool for_each_processor(std::string_view list, Visit&& visit) {
  if (!list.empty() && list.back() == '\n') list.remove_suffix(1);
  const char* at = list.data();
  const char* const end = at + list.size();
  for (;;) {
    std::uint32_t first = 0;
    auto read = std::from_chars(at, end, first);
    std::uint32_t last = first;
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc{} || last < first || last > 0xffff) return false;
    for (std::uint32_t i = first; i <= last; ++i) {
      if (!visit(i)) return false;
    }
    if (read.ptr == end) return true;
    if (*read.ptr != ',') return false;
    at = read.ptr + 1;
  }
}

template <class Ignored>
cpu_features parse_mask(std::string_view text, Ignored&& ignored) {
  cpu_features mask;
  for_each_item(text, [&](std::string_view item) {
    const cpu_features named = item.front() == '-' ? features_named(item.substr(1)) : cpu_features{};
    if (named.empty()) ignored(item);
    mask = mask | named;
  });
  return mask;
}

}  // namespace v0
}  // namespace jithash
