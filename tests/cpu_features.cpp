// From raw detector values to features: a pure function, fed with machines nobody here has.
#include "cpu_features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace jithash;
using enum jithash::cpu_feature;

namespace {

constexpr std::uint32_t bit(unsigned n) { return std::uint32_t{1} << n; }

// A server core with everything, as its detectors would see it.
x86_raw everything() {
  x86_raw raw;
  raw.max_leaf = 7;
  raw.leaf1_ecx = bit(9) | bit(19) | bit(27) | bit(28);
  raw.leaf7_ebx = bit(3) | bit(5) | bit(8) | bit(16) | bit(17) | bit(29) | bit(30) | bit(31);
  raw.leaf7_1_eax = bit(0);
  raw.xcr0 = 0xe7;
  raw.cpuinfo_ran = true;
  raw.cpuinfo = {ssse3, sse41, bmi1, bmi2, avx, avx2, shani, avx512f, avx512bw, avx512dq, avx512vl};
  return raw;
}

const cpu_features all_of_x86{ssse3, sse41,   bmi1,     bmi2,     avx,      avx2,
                              shani, avx512f, avx512bw, avx512dq, avx512vl, x86_sha512};

}  // namespace

TEST_SUITE("cpu_features") {
  TEST_CASE("a machine with everything, and one with nothing") {
    CHECK(detect(everything()).features == all_of_x86);
    CHECK(detect(everything()).disagreements.empty());
    CHECK(detect(x86_raw{}).features.empty());
  }

  TEST_CASE("registers the system does not save cannot be used") {
    x86_raw raw = everything();
    raw.xcr0 = 0x03;  // AVX in CPUID, not in XCR0
    CHECK(detect(raw).features == cpu_features{ssse3, sse41, bmi1, bmi2, shani});
    raw.xcr0 = 0x07;  // AVX, no AVX-512
    CHECK(detect(raw).features == cpu_features{ssse3, sse41, bmi1, bmi2, avx, avx2, shani, x86_sha512});
    for (const std::uint64_t partly : {0x27u, 0x47u, 0x87u, 0x67u, 0xa7u, 0xc7u}) {
      raw.xcr0 = partly;  // some of opmask, ZMM_Hi256 and Hi16_ZMM
      CHECK_FALSE(detect(raw).features.contains(avx512f));
    }
    raw = everything();
    raw.leaf1_ecx &= ~bit(27);  // no OSXSAVE: XCR0 is not to be read, whatever it holds
    CHECK(detect(raw).features == cpu_features{ssse3, sse41, bmi1, bmi2, shani});
  }

  TEST_CASE("SHA-NI without AVX (Goldmont)") {
    x86_raw raw;
    raw.max_leaf = 7;
    raw.leaf1_ecx = bit(9) | bit(19);
    raw.leaf7_ebx = bit(29);
    raw.cpuinfo_ran = true;
    raw.cpuinfo = {ssse3, sse41, shani};
    CHECK(detect(raw).features == cpu_features{ssse3, sse41, shani});
  }

  TEST_CASE("hypervisors that hide one bit of a set") {
    const struct {
      unsigned leaf7_bit;
      cpu_feature hidden;
      cpu_features lost;
    } cases[] = {
        {5, avx2, {avx2, avx512f, avx512bw, avx512dq, avx512vl, x86_sha512}},
        {16, avx512f, {avx512f, avx512bw, avx512dq, avx512vl}},
        {31, avx512vl, {avx512vl}},
        {8, bmi2, {bmi2}},
        {29, shani, {shani}},
    };
    for (const auto& c : cases) {
      x86_raw raw = everything();
      raw.leaf7_ebx &= ~bit(c.leaf7_bit);
      raw.cpuinfo = raw.cpuinfo - cpu_features{c.hidden};
      CHECK(detect(raw).features == all_of_x86 - c.lost);
      CHECK(detect(raw).disagreements.empty());
    }
    x86_raw raw = everything();
    raw.leaf1_ecx &= ~bit(19);  // SSE4.1 hidden: neither AVX nor SHA-NI can be trusted
    CHECK_FALSE(detect(raw).features.contains(shani));
    CHECK_FALSE(detect(raw).features.contains(avx));
  }

  TEST_CASE("leaves beyond the last one are not believed") {
    x86_raw raw = everything();
    raw.max_leaf = 6;
    raw.cpuinfo = {ssse3, sse41, avx};
    CHECK(detect(raw).features == cpu_features{ssse3, sse41, avx});
  }

  TEST_CASE("where the detectors disagree the feature is not used, and told") {
    x86_raw raw = everything();
    raw.cpuinfo = raw.cpuinfo - cpu_features{shani};
    CHECK_FALSE(detect(raw).features.contains(shani));
    CHECK(detect(raw).disagreements == cpu_features{shani});

    raw = everything();
    raw.leaf7_ebx &= ~bit(31);  // cpuinfo answers yes where CPUID says no
    CHECK_FALSE(detect(raw).features.contains(avx512vl));
    CHECK(detect(raw).disagreements == cpu_features{avx512vl});
  }

  TEST_CASE("without cpuinfo the direct values count alone") {
    x86_raw raw = everything();
    raw.cpuinfo_ran = false;
    raw.cpuinfo = {};
    CHECK(detect(raw).features == all_of_x86);
    CHECK(detect(raw).disagreements.empty());
  }

  TEST_CASE("64-bit Arm by its HWCAP") {
    arm_raw raw;
    raw.is_64bit = true;
    raw.hwcap = bit(1) | bit(5) | bit(6) | bit(21);
    raw.platform = "aarch64";
    CHECK(detect(raw).features == cpu_features{neon, arm_sha1, arm_sha2, arm_sha512});
    raw.cpuinfo_ran = true;
    raw.cpuinfo = {neon, arm_sha1, arm_sha2};  // cpuinfo does not know SHA-512
    CHECK(detect(raw).features == cpu_features{neon, arm_sha1, arm_sha2, arm_sha512});
    CHECK(detect(raw).disagreements.empty());
    raw.cpuinfo = {neon, arm_sha1};  // one kind of core of a big.LITTLE lacks it, or a kernel hides it
    CHECK(detect(raw).features == cpu_features{neon, arm_sha1});
    CHECK(detect(raw).disagreements == cpu_features{arm_sha2});
    raw.hwcap = bit(1);
    raw.cpuinfo = {neon, arm_sha1, arm_sha2};
    CHECK(detect(raw).features == cpu_features{neon});
  }

  TEST_CASE("cores that execute in order") {
    for (const std::uint32_t midr : {0x410fd034u, 0x412fd050u, 0x51af8014u}) CHECK(executes_in_order(midr));
    for (const std::uint32_t midr : {0u, 0x410fd083u, 0x480fd034u, 0x51af8002u})
      CHECK_FALSE(executes_in_order(midr));
    arm_raw raw;
    raw.every_core_in_order = true;
    CHECK_FALSE(detect(raw).features.contains(in_order));
    raw.is_64bit = true;
    CHECK(detect(raw).features.contains(in_order));
  }

  TEST_CASE("lists of processors") {
    const auto listed = [](std::string_view list) {
      std::string numbers;
      const bool is_list = for_each_processor(list, [&](std::uint32_t i) {
        numbers += std::to_string(i) + ' ';
        return i != 99;
      });
      return is_list ? numbers : "none";
    };
    CHECK(listed("0\n") == "0 ");
    CHECK(listed("0-3,5") == "0 1 2 3 5 ");
    CHECK(listed("2,0-1\n") == "2 0 1 ");
    for (const char* none : {"", "\n", "3-1", "0-", "-1", "0--1", "0,", "0 1", "x", "98-100", "4294967296",
                             "0-4294967295", "65536"})
      CHECK_MESSAGE(listed(none) == "none", none);
  }

  TEST_CASE("32-bit Arm by its platform and both HWCAPs") {
    const struct {
      const char* platform;
      cpu_features level;
    } levels[] = {{"v5l", {}}, {"v6l", {armv6}}, {"v7l", {armv6, armv7}}, {"v8l", {armv6, armv7}}, {"", {}},
                  {"arm", {}}, {"v", {}}};
    for (const auto& each : levels) {
      const char* const platform = each.platform;
      const cpu_features level = each.level;
      CAPTURE(platform);
      arm_raw raw;
      raw.platform = platform;
      CHECK(detect(raw).features == level);
      raw.hwcap = bit(12);
      raw.hwcap2 = bit(2) | bit(3);
      CHECK(detect(raw).features == (level | cpu_features{neon, arm_sha1, arm_sha2}));
    }
    arm_raw raw;
    raw.platform = "v7l";
    raw.hwcap = bit(1) | bit(5) | bit(6) | bit(21);  // these bits mean something else here
    CHECK(detect(raw).features == cpu_features{armv6, armv7});
  }

  TEST_CASE("masks take away, by name and by family, and never add") {
    std::vector<std::string> ignored;
    const auto note = [&](std::string_view item) { ignored.emplace_back(item); };
    CHECK(parse_mask("-shani", note) == cpu_features{shani});
    CHECK(parse_mask(" -shani , -avx512 ,", note) ==
          cpu_features{shani, avx512f, avx512bw, avx512dq, avx512vl});
    CHECK(parse_mask("", note).empty());
    CHECK(ignored.empty());
    CHECK(parse_mask("shani,+avx2,-avx3,-,-SHANI", note).empty());
    CHECK(ignored == std::vector<std::string>{"shani", "+avx2", "-avx3", "-", "-SHANI"});
  }

  TEST_CASE("every subset of features stays consistent") {
    constexpr unsigned x86_features = static_cast<unsigned>(x86_sha512) + 1;
    for (std::uint32_t subset = 0; subset < (1u << x86_features); ++subset) {
      cpu_features features;
      for (unsigned i = 0; i < x86_features; ++i) {
        if (subset & bit(i)) features.insert(static_cast<cpu_feature>(i));
      }
      const cpu_features kept = consistent(features);
      if (!features.contains(kept) || consistent(kept) != kept) FAIL("subset ", subset);
      const cpu_features whole = with_prerequisites(features);
      if (!whole.contains(features) || consistent(whole) != whole) FAIL("subset ", subset);
      if (kept == features && whole != features) FAIL("subset ", subset);
      if (kept.contains(avx512vl) && !kept.contains({avx512f, avx2, avx, sse41, ssse3}))
        FAIL("subset ", subset);
    }
  }

#if JITHASH_JIT && defined(__x86_64__)
  TEST_CASE("this machine: the kernel's own list agrees") {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line) && !line.starts_with("flags")) {
    }
    const std::string flags = line + " ";
    const std::pair<cpu_feature, const char*> linux_names[] = {
        {ssse3, " ssse3 "},       {sse41, " sse4_1 "},      {bmi1, " bmi1 "},        {bmi2, " bmi2 "},
        {avx, " avx "},           {avx2, " avx2 "},         {shani, " sha_ni "},     {avx512f, " avx512f "},
        {avx512bw, " avx512bw "}, {avx512dq, " avx512dq "}, {avx512vl, " avx512vl "}};
    const cpu_features found = probe_cpu().detection.features;
    for (const auto& each : linux_names) {
      const cpu_feature feature = each.first;
      const char* const linux_name = each.second;
      CAPTURE(linux_name);
      CHECK(found.contains(feature) == (flags.find(linux_name) != std::string::npos));
    }
  }
#endif
}
