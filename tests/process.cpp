// Policy and environment: what may be done, and who said so.
#include "process.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace jithash;

// Without generated code everything is off from the start; these rules are about builds that have it.
#if JITHASH_JIT
namespace {

policy with_code(code_memory mode) {
  policy p;
  p.code = mode;
  return p;
}

policy with_kernels(std::string_view kernels) {
  policy p;
  p.kernels = kernels;
  return p;
}

}  // namespace

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
    const policy off = with_code(code_memory::off);
    CHECK(combine(&off, {}).code_reason.view() == "policy");
    CHECK(combine(&off, {.jit = "on", .code_memory = "mprotect"}).code == code_memory::off);
    CHECK(combine(&off, {.jit = "on", .code_memory = "memfd"}).code == code_memory::off);
    CHECK(combine(nullptr, {.jit = "off", .code_memory = "memfd"}).code == code_memory::off);
    CHECK(combine({}, {.jit = "off"}).code_reason.view() == "JITHASH_JIT=off");
    CHECK(combine({}, {.code_memory = "off"}).code_reason.view() == "JITHASH_CODE_MEMORY=off");
    CHECK(combine({}, {.jit = "off"}).code == code_memory::off);
    CHECK(combine({}, {.code_memory = "off"}).code == code_memory::off);
  }

  TEST_CASE("memfd, which goes around a denial, is the owner's to allow: by policy, or where none was set") {
    const policy plain, memfd = with_code(code_memory::memfd);
    const settings alone = combine(nullptr, {.code_memory = "memfd"});
    CHECK(alone.code == code_memory::memfd);
    CHECK(alone.code_reason.view() == "JITHASH_CODE_MEMORY=memfd");

    const settings refused = combine(&plain, {.code_memory = "memfd"});
    CHECK(refused.code == code_memory::mprotect);
    CHECK(refused.notes.view() == "JITHASH_CODE_MEMORY: memfd: the policy decides, ignored");

    const settings allowed = combine(&memfd, {.code_memory = "memfd"});
    CHECK(allowed.code == code_memory::memfd);
    CHECK(allowed.code_reason.view() == "policy");
    CHECK(allowed.notes.empty());
    CHECK(combine(&memfd, {.code_memory = "mprotect"}).code == code_memory::mprotect);
    CHECK(combine(&memfd, {.code_memory = "off"}).code == code_memory::off);
  }

  TEST_CASE("sealing and names for profilers: off unless one side asks") {
    policy both;
    both.seal = both.perf = true;
    CHECK_FALSE(combine(nullptr, {}).seal);
    CHECK_FALSE(combine(nullptr, {.seal = "off", .perf = "0"}).perf);
    CHECK(combine(nullptr, {.seal = "on"}).seal);
    CHECK(combine(nullptr, {.perf = "1"}).perf);
    CHECK(combine(&both, {.seal = "off", .perf = "0"}).seal);
    CHECK(combine(&both, {.seal = "off", .perf = "0"}).perf);
    const settings odd = combine(nullptr, {.seal = "1", .perf = "on"});
    CHECK_FALSE(odd.seal);
    CHECK_FALSE(odd.perf);
    CHECK(odd.notes.view() ==
          "JITHASH_SEAL: 1: not a value, ignored\nJITHASH_PERF: on: not a value, ignored");
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

  TEST_CASE("compact code is the policy's wish alone") {
    policy p;
    CHECK_FALSE(combine(&p, {}).compact);
    p.compact = true;
    CHECK(combine(&p, {}).compact);
    CHECK_FALSE(combine(nullptr, {}).compact);
  }

  TEST_CASE("masks of both sides add up") {
    policy p;
    p.cpu = "-shani";
    CHECK(combine(&p, {.cpu = "-bmi2"}).masked == cpu_features{cpu_feature::shani, cpu_feature::bmi2});
  }

  TEST_CASE("the policy's kernels stand before the environment's") {
    CHECK(combine({}, {.kernel = "sha1/portable"}).kernels.view() == "sha1/portable");
    CHECK(combine({}, {.kernel = "sha1/portable"}).kernels_by == "JITHASH_KERNEL");
    const policy portable = with_kernels("sha256/portable");
    const settings s = combine(&portable, {.kernel = "sha1/portable"});
    CHECK(s.kernels.view() == "sha256/portable");
    CHECK(s.kernels_by == "policy");
    CHECK(s.notes.view() == "JITHASH_KERNEL: sha1/portable: the policy names kernels, ignored");
  }

  TEST_CASE("environment text of any length does no harm") {
    const std::string junk(100'000, 'x');
    const settings s = combine({}, {.jit = junk.c_str(), .cpu = junk.c_str(), .kernel = junk.c_str()});
    CHECK(s.notes.view().size() < 400);  // values are cut, each note is whole
    CHECK(s.kernels.empty());
    CHECK(s.code == code_memory::mprotect);
  }
}
#endif
