#include "cpu_features.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#if JITHASH_JIT
#include <cpuinfo.h>
#include <fcntl.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif
#endif

namespace jithash {
inline namespace v0 {
namespace {

using enum cpu_feature;

struct feature_facts {
  std::string_view name;
  cpu_features prerequisites;
};

constexpr std::array<feature_facts, cpu_feature_count> facts{{
    {"ssse3", {}},
    {"sse4.1", {ssse3}},
    {"bmi1", {}},
    {"bmi2", {}},
    {"avx", {sse41}},
    {"avx2", {avx}},
    {"shani", {sse41}},
    {"avx512f", {avx2}},
    {"avx512bw", {avx512f}},
    {"avx512dq", {avx512f}},
    {"avx512vl", {avx512f}},
    {"sha512", {avx2}},
    {"armv6", {}},
    {"armv7", {armv6}},
    {"neon", {}},
    {"sha1", {neon}},
    {"sha2", {neon}},
    {"sha512", {arm_sha2}},
    {"in-order", {}},
}};

constexpr cpu_features ymm_features{avx, avx2, x86_sha512};
constexpr cpu_features zmm_features{avx512f, avx512bw, avx512dq, avx512vl};

// XCR0 (Intel SDM volume 1, 13.3): the state components that the system saves.
constexpr std::uint64_t xcr0_ymm = 0x06, xcr0_zmm = 0xe6;

constexpr bool has_bit(std::uint64_t value, unsigned bit) { return (value >> bit) & 1; }

// MIDR_EL1: who designed the core, and which one it is.
constexpr std::uint32_t implementer_of(std::uint32_t midr) { return midr >> 24; }
constexpr std::uint32_t part_of(std::uint32_t midr) { return (midr >> 4) & 0xfff; }

// What both detectors see, of what both know; the rest as seen directly.
cpu_detection agreed(cpu_features direct, cpu_features cpuinfo, cpu_features known_to_cpuinfo) noexcept {
  const cpu_features disagreements = (direct ^ cpuinfo) & known_to_cpuinfo;
  return {consistent(direct - disagreements), disagreements};
}

}  // namespace

std::string_view name(cpu_feature feature) noexcept { return facts[static_cast<std::size_t>(feature)].name; }

cpu_features features_named(std::string_view text) noexcept {
  cpu_features named;
  for (std::size_t i = 0; i < cpu_feature_count; ++i) {
    const bool family = text == "avx512" && facts[i].name.starts_with(text);
    if (family || facts[i].name == text) named.insert(static_cast<cpu_feature>(i));
  }
  return named;
}

cpu_features consistent(cpu_features features) noexcept {
  // Prerequisites stand before what needs them in the enumeration, so one pass settles chains.
  cpu_features kept;
  features.for_each([&](cpu_feature f) {
    if (kept.contains(facts[static_cast<std::size_t>(f)].prerequisites)) kept.insert(f);
  });
  return kept;
}

cpu_features with_prerequisites(cpu_features features) noexcept {
  for (std::size_t i = cpu_feature_count; i-- > 0;) {
    if (features.contains(static_cast<cpu_feature>(i))) features = features | facts[i].prerequisites;
  }
  return features;
}

cpu_detection detect(const x86_raw& raw) noexcept {
  cpu_features direct;
  const auto add = [&](cpu_feature f, bool present) {
    if (present) direct.insert(f);
  };
  if (raw.max_leaf >= 1) {
    add(ssse3, has_bit(raw.leaf1_ecx, 9));
    add(sse41, has_bit(raw.leaf1_ecx, 19));
    add(avx, has_bit(raw.leaf1_ecx, 28));
  }
  if (raw.max_leaf >= 7) {
    add(bmi1, has_bit(raw.leaf7_ebx, 3));
    add(avx2, has_bit(raw.leaf7_ebx, 5));
    add(bmi2, has_bit(raw.leaf7_ebx, 8));
    add(avx512f, has_bit(raw.leaf7_ebx, 16));
    add(avx512dq, has_bit(raw.leaf7_ebx, 17));
    add(shani, has_bit(raw.leaf7_ebx, 29));
    add(avx512bw, has_bit(raw.leaf7_ebx, 30));
    add(avx512vl, has_bit(raw.leaf7_ebx, 31));
    add(x86_sha512, has_bit(raw.leaf7_1_eax, 0));
  }

  cpu_features disabled;
  const bool osxsave = raw.max_leaf >= 1 && has_bit(raw.leaf1_ecx, 27);
  if (!osxsave || (raw.xcr0 & xcr0_ymm) != xcr0_ymm) disabled = disabled | ymm_features;
  if (!osxsave || (raw.xcr0 & xcr0_zmm) != xcr0_zmm) disabled = disabled | zmm_features;
  direct = direct - disabled;

  if (!raw.cpuinfo_ran) return {consistent(direct), {}};
  const cpu_features known_to_cpuinfo{ssse3, sse41,   avx,      avx2,     bmi1,    bmi2,
                                      shani, avx512f, avx512bw, avx512dq, avx512vl};
  return agreed(direct, raw.cpuinfo, known_to_cpuinfo - disabled);
}

// What suits these cores was found with models of A53 and A55 (bench/README.md); the others are of their family.
bool executes_in_order(std::uint32_t midr) noexcept {
  constexpr std::uint32_t arm = 0x41, qualcomm = 0x51;
  switch (part_of(midr)) {
    case 0xd02:  // A34
    case 0xd03:  // A53
    case 0xd04:  // A35
    case 0xd05:  // A55
    case 0xd46:  // A510
    case 0xd80:  // A520
      return implementer_of(midr) == arm;
    case 0x801:  // of A53
    case 0x803:  // of A55
    case 0x805:
      return implementer_of(midr) == qualcomm;
    default:
      return false;
  }
}

cpu_detection detect(const arm_raw& raw) noexcept {
  cpu_features direct;
  const auto add = [&](cpu_feature f, bool present) {
    if (present) direct.insert(f);
  };
  if (raw.is_64bit) {
    add(neon, has_bit(raw.hwcap, 1));
    add(arm_sha1, has_bit(raw.hwcap, 5));
    add(arm_sha2, has_bit(raw.hwcap, 6));
    add(arm_sha512, has_bit(raw.hwcap, 21));
    add(in_order, raw.every_core_in_order);
  } else {
    // "v7l": the architecture and the byte order.
    const char level = raw.platform.size() > 1 && raw.platform.front() == 'v' ? raw.platform[1] : '0';
    add(armv6, level >= '6' && level <= '9');
    add(armv7, level >= '7' && level <= '9');
    add(neon, has_bit(raw.hwcap, 12));
    add(arm_sha1, has_bit(raw.hwcap2, 2));
    add(arm_sha2, has_bit(raw.hwcap2, 3));
  }

  if (!raw.cpuinfo_ran) return {consistent(direct), {}};
  return agreed(direct, raw.cpuinfo, {neon, arm_sha1, arm_sha2});
}

#if JITHASH_JIT
namespace {

// cpuinfo prints to standard error and stays half-initialised where it cannot read the files it wants.
bool readable(const char* path) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}

}  // namespace
#endif

#if JITHASH_JIT && defined(__x86_64__)

namespace {

std::uint64_t read_xcr0() noexcept {
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

x86_raw read_raw() noexcept {
  x86_raw raw;
  unsigned a = 0, b = 0, c = 0, d = 0;
  __cpuid(0, raw.max_leaf, b, c, d);
  if (raw.max_leaf >= 1) {
    __cpuid(1, a, b, raw.leaf1_ecx, d);
    if (has_bit(raw.leaf1_ecx, 27)) raw.xcr0 = read_xcr0();
  }
  if (raw.max_leaf >= 7) {
    unsigned max_subleaf = 0;
    __cpuid_count(7, 0, max_subleaf, raw.leaf7_ebx, c, d);
    if (max_subleaf >= 1) __cpuid_count(7, 1, raw.leaf7_1_eax, b, c, d);
  }

  raw.cpuinfo_ran = readable("/proc/cpuinfo") && cpuinfo_initialize();
  if (raw.cpuinfo_ran) {
    const auto add = [&](cpu_feature f, bool present) {
      if (present) raw.cpuinfo.insert(f);
    };
    add(ssse3, cpuinfo_has_x86_ssse3());
    add(sse41, cpuinfo_has_x86_sse4_1());
    add(avx, cpuinfo_has_x86_avx());
    add(avx2, cpuinfo_has_x86_avx2());
    add(bmi1, cpuinfo_has_x86_bmi());
    add(bmi2, cpuinfo_has_x86_bmi2());
    add(shani, cpuinfo_has_x86_sha());
    add(avx512f, cpuinfo_has_x86_avx512f());
    add(avx512bw, cpuinfo_has_x86_avx512bw());
    add(avx512dq, cpuinfo_has_x86_avx512dq());
    add(avx512vl, cpuinfo_has_x86_avx512vl());
  }
  return raw;
}

// The brand string: 48 characters in three leaves, padded with blanks on either side.
cpu_name read_name() noexcept {
  std::array<unsigned, 12> words{};
  unsigned max_extended = 0, b = 0, c = 0, d = 0;
  __cpuid(0x80000000u, max_extended, b, c, d);
  if (max_extended < 0x80000004u) return {};
  for (unsigned i = 0; i < 3; ++i) {
    __cpuid(0x80000002u + i, words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]);
  }
  std::array<char, 49> text{};
  std::memcpy(text.data(), words.data(), 48);
  std::string_view trimmed(text.data());
  while (trimmed.starts_with(' ')) trimmed.remove_prefix(1);
  while (trimmed.ends_with(' ')) trimmed.remove_suffix(1);
  return trimmed;
}

}  // namespace

cpu_identity probe_cpu() noexcept {
  cpu_identity identity;
  identity.detection = detect(read_raw());
  identity.name = read_name();
  return identity;
}

#elif JITHASH_JIT && (defined(__aarch64__) || defined(__arm__))

namespace {

// All of a short file, or nothing.
fixed_text<128> read_file(const char* path) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 129> text{};
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  const bool whole = size > 0 && static_cast<std::size_t>(size) < text.size();
  return std::string_view(text.data(), whole ? static_cast<std::size_t>(size) : 0);
}

// Lists that cpuinfo would stumble over are not for it: it wants processor 0 among the possible and the present.
bool from_zero(std::string_view list) noexcept {
  return list.starts_with('0') && for_each_processor(list, [](std::uint32_t) { return true; });
}

// Each present processor tells what it is once it has been online (Linux 4.7). cpuinfo may take that of one for all.
bool every_core_in_order(std::string_view present) noexcept {
  return for_each_processor(present, [](std::uint32_t processor) {
    fixed_text<128> path("/sys/devices/system/cpu/cpu");
    path << static_cast<int>(processor) << "/regs/identification/midr_el1";
    const auto text = read_file(path.c_str());
    std::uint32_t midr = 0;  // "0x00000000410fd034"
    return text.view().starts_with("0x") &&
           std::from_chars(text.view().data() + 2, text.view().data() + text.view().size(), midr, 16).ec ==
               std::errc{} &&
           executes_in_order(midr);
  });
}

// Of a cpuinfo that could start.
cpu_name read_name() noexcept {
  cpu_name name;
  if (const auto* package = cpuinfo_get_package(0)) {
    const std::string_view text(package->name, strnlen(package->name, sizeof package->name));
    if (text != "Unknown") name << text.substr(0, 48);
  }
  const bool named = !name.empty();
  std::array<std::uint32_t, 8> told{};
  std::size_t kinds = 0;
  for (std::uint32_t i = 0; i < cpuinfo_get_uarchs_count() && kinds < told.size(); ++i) {
    const std::uint32_t midr = cpuinfo_get_uarch(i)->midr;
    if (std::find(told.begin(), told.end(), midr) != told.end()) continue;  // 0, which is nobody's, included
    (name << (kinds > 0 ? ", 0x" : named ? " (0x" : "CPU 0x")).append_hexadecimal(implementer_of(midr));
    (name << ":0x").append_hexadecimal(part_of(midr));
    told[kinds++] = midr;
  }
  return name << (named && kinds > 0 ? ")" : "");
}

}  // namespace

cpu_identity probe_cpu() noexcept {
  arm_raw raw;
  raw.is_64bit = sizeof(void*) == 8;
  raw.hwcap = getauxval(AT_HWCAP);
  raw.hwcap2 = getauxval(AT_HWCAP2);
  if (const auto* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM))) raw.platform = platform;

  const auto possible = read_file("/sys/devices/system/cpu/possible");
  const auto present = read_file("/sys/devices/system/cpu/present");
  raw.every_core_in_order = raw.is_64bit && every_core_in_order(present.view());
  raw.cpuinfo_ran = from_zero(possible.view()) && from_zero(present.view()) && readable("/proc/cpuinfo") &&
                    cpuinfo_initialize();
  cpu_identity identity;
  if (raw.cpuinfo_ran) {
    if (cpuinfo_has_arm_neon()) raw.cpuinfo.insert(neon);
    if (cpuinfo_has_arm_sha1()) raw.cpuinfo.insert(arm_sha1);
    if (cpuinfo_has_arm_sha2()) raw.cpuinfo.insert(arm_sha2);
    identity.name = read_name();
  }
  identity.detection = detect(raw);
  return identity;
}

#else

cpu_identity probe_cpu() noexcept { return {}; }

#endif

}  // namespace v0
}  // namespace jithash
