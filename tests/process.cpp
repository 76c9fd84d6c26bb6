// Policy and environment: what may be done, and who said so.
#include "process.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace jithash;

namespace {

policy with_kernels(std::string_view kernels) {
  policy p;
  p.kernels = kernels;
  return p;
}

}  // namespace

// Without generated code everything is off from the start; these rules are about builds that have it.
#if JITHASH_JIT
TEST_SUITE("settings") {
  TEST_CASE("nothing set: all is allowed") {
    const settings s = combine({}, {});
    CHECK(s.code == code_memory::mprotect);
    CHECK(s.code_reason.empty());
    CHECK(s.masked.empty());
    CHECK(s.kernels.empty());
    CHECK(s.notes.empty());
  }

  TEST_CASE("either side switches generated code off; neither switches it back on") {
    policy off;
    off.code = code_memory::off;
    CHECK(combine(off, {}).code_reason.view() == "policy");
    CHECK(combine(off, {.jit = "on", .code_memory = "mprotect"}).code == code_memory::off);
    CHECK(combine({}, {.jit = "off"}).code_reason.view() == "JITHASH_JIT=off");
    CHECK(combine({}, {.code_memory = "off"}).code_reason.view() == "JITHASH_CODE_MEMORY=off");
    CHECK(combine({}, {.jit = "off"}).code == code_memory::off);
    CHECK(combine({}, {.code_memory = "off"}).code == code_memory::off);
  }

  TEST_CASE("unknown values change nothing and are told") {
    const settings s = combine({}, {.jit = "OFF", .code_memory = "rwx", .cpu = "+shani"});
    CHECK(s.code == code_memory::mprotect);
    CHECK(s.masked.empty());
    CHECK(s.notes.view() ==
          "JITHASH_JIT: OFF: neither on nor off, ignored\n"
          "JITHASH_CODE_MEMORY: rwx: not a mode, ignored\n"
          "JITHASH_CPU: +shani: does not take a known feature away, ignored");
  }

  TEST_CASE("masks of both sides add up") {
    policy p;
    p.cpu = "-shani";
    CHECK(combine(p, {.cpu = "-bmi2"}).masked == cpu_features{cpu_feature::shani, cpu_feature::bmi2});
  }

  TEST_CASE("the policy's kernels stand before the environment's") {
    CHECK(combine({}, {.kernel = "sha1/portable"}).kernels.view() == "sha1/portable");
    CHECK(combine({}, {.kernel = "sha1/portable"}).kernels_by == "JITHASH_KERNEL");
    const settings s = combine(with_kernels("sha256/portable"), {.kernel = "sha1/portable"});
    CHECK(s.kernels.view() == "sha256/portable");
    CHECK(s.kernels_by == "policy");
    CHECK(s.notes.view() == "JITHASH_KERNEL: sha1/portable: the policy names kernels, ignored");
  }

  TEST_CASE("environment text of any length does no harm") {
    const std::string junk(100'000, 'x');
    const settings s = combine({}, {.jit = junk.c_str(), .cpu = junk.c_str(), .kernel = junk.c_str()});
    CHECK(s.notes.view().size() == decltype(s.notes)::capacity);
    CHECK(s.kernels.view().size() == setting_text::capacity);
    CHECK(s.code == code_memory::mprotect);
  }
}
#endif
