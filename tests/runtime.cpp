// First use, from the outside: each case in a process that has not used jithash yet.
#include "jithash/runtime.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "fresh_process.hpp"
#include "support.hpp"

using namespace jithash;

namespace {

void check_abc() {
  require(sha1::hash("abc").hex() == "a9993e364706816aba3e25717850c26c9cd0d89d", "wrong SHA-1");
  require(sha256::hash("abc").hex() == openssl_hex("SHA256", "abc", 3), "wrong SHA-256");
  require(sha512::hash("abc").hex() == openssl_hex("SHA512", "abc", 3), "wrong SHA-512");
}

void check_portable(const std::string& reason) {
  check_abc();
  const runtime_report r = report();
  require(r.code.mode == "off" && r.code.reason == reason,
          "code memory: " + r.code.mode + ": " + r.code.reason);
  for (const auto& a : r.algorithms) {
    require(a.kernel == a.name + "/portable" && a.origin == "portable", a.name + " runs " + a.kernel);
    for (const auto& passed : a.passed_over) {
      require(passed.reason == reason, passed.kernel + ": " + passed.reason);
    }
  }
  require(r.features.empty() && r.detection_us == 0, "the CPU was probed for nothing");
}

}  // namespace

TEST_SUITE("runtime") {
  TEST_CASE("the report before, between and after use") {
    const auto outcome = in_fresh_process([](const std::string&) {
      for (const auto& a : report().algorithms) {
        require(a.kernel.empty() && a.origin == "not used yet" && a.code_bytes == 0, "early: " + a.name);
      }
      (void)sha256::hash("abc");
      require(report_of("sha1").origin == "not used yet", "sha1 was not asked for");
      require(report_of("sha256").origin != "not used yet", "sha256 was");
      (void)sha384::hash("abc");
      require(report_of("sha512").origin != "not used yet", "SHA-384 is a sha512 compression");
      warm_up();
      for (const auto& a : report().algorithms) {
        require(!a.kernel.empty() && (a.origin == "jit" || a.origin == "portable"), "late: " + a.name);
        require((a.origin == "jit") == (a.code_bytes > 0), a.name + " has the wrong code size");
      }
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("hashing less than a block settles nothing") {
    const auto outcome = in_fresh_process([](const std::string&) {
      sha256 h;
      h.update("less than a block");
      require(set_policy({}), "the policy was settled already");
      (void)h.finalize();
      require(!set_policy({}), "the policy is not settled yet");
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("set_policy: the last one before first use counts; after it none does") {
    const auto outcome = in_fresh_process([](const std::string&) {
      require(set_policy({.code = code_memory::off, .cpu = {}, .kernels = {}}), "first");
      {
        const std::string gone_afterwards = "sha1/portable,sha256/portable";
        require(set_policy({.code = code_memory::mprotect, .cpu = {}, .kernels = gone_afterwards}), "second");
      }
      const std::string too_long(512, ',');
      require(!set_policy({.code = code_memory::off, .cpu = too_long, .kernels = {}}), "too long a mask");
      require(!set_policy({.code = code_memory::off, .cpu = {}, .kernels = too_long}), "too long a list");
      check_abc();
      require(report_of("sha1").kernel == "sha1/portable", "sha1: " + report_of("sha1").kernel);
      require(!set_policy({}), "after first use");
      require(report_of("sha256").kernel == "sha256/portable", "sha256: " + report_of("sha256").kernel);
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("unknown kernels change nothing and are told") {
    const auto outcome = in_fresh_process([](const std::string&) {
      setenv("JITHASH_KERNEL", "sha256/x86-nonsense,,sha9/portable", 1);
      warm_up();
      const runtime_report r = report();
      require(r.notes.size() == 2, "notes: " + std::to_string(r.notes.size()));
      require(r.notes[0] == "JITHASH_KERNEL: sha256/x86-nonsense: no such kernel, ignored", r.notes[0]);
      require(r.notes[1] == "JITHASH_KERNEL: sha9/portable: no such kernel, ignored", r.notes[1]);
      tell(r.algorithms[1].kernel);
    });
    CHECK(outcome.failure == "");
    const auto plain = in_fresh_process([](const std::string&) {
      warm_up();
      tell(report_of("sha256").kernel);
    });
    CHECK(outcome.output == plain.output);
  }

  TEST_CASE("no page is ever writable and executable") {
    const auto outcome = in_fresh_process([](const std::string&) {
      warm_up();
      check_abc();
      for (const char* permissions : {"rwx", "-wx"}) {
        for (const auto& line : mappings_with(permissions)) require(false, line);
      }
      for (const auto& a : report().algorithms) {
        if (a.origin == "jit") require(!mappings_with("r-xp").empty(), "no executable mapping at all?");
      }
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("errno stays what it was") {
    const auto outcome = in_fresh_process([](const std::string&) {
      errno = EXDEV;
      (void)sha256::hash("abc");
      require(errno == EXDEV, "errno is " + std::to_string(errno));
    });
    CHECK(outcome.failure == "");
  }

#if JITHASH_JIT
  TEST_CASE("generated code off: by JITHASH_JIT, by JITHASH_CODE_MEMORY, by policy") {
    CHECK(in_fresh_process([](const std::string&) {
            setenv("JITHASH_JIT", "off", 1);
            check_portable("JITHASH_JIT=off");
          }).failure == "");
    CHECK(in_fresh_process([](const std::string&) {
            setenv("JITHASH_CODE_MEMORY", "off", 1);
            check_portable("JITHASH_CODE_MEMORY=off");
          }).failure == "");
    CHECK(in_fresh_process([](const std::string&) {
            require(set_policy({.code = code_memory::off, .cpu = {}, .kernels = {}}), "policy");
            setenv("JITHASH_JIT", "on", 1);
            check_portable("policy");
          }).failure == "");
  }

  TEST_CASE("features that are masked are not used, whoever masks them") {
    const auto body = [](const std::string& by) {
      if (by == "environment") setenv("JITHASH_CPU", "-shani,-bmi2", 1);
      if (by == "policy")
        require(set_policy({.code = code_memory::mprotect, .cpu = "-shani,-bmi2", .kernels = {}}), by);
      setenv("JITHASH_KERNEL", "sha256/x86-shani,sha1/x86-shani", 1);  // may not bring it back
      warm_up();
      check_abc();
      for (const std::string& f : report().features) require(f != "shani" && f != "bmi2", f);
      for (const auto& a : report().algorithms) {
        require(a.kernel.find("shani") == std::string::npos && a.kernel.find("bmi2") == std::string::npos,
                a.kernel);
      }
    };
    CHECK(in_fresh_process(body, "environment").failure == "");
    CHECK(in_fresh_process(body, "policy").failure == "");
  }
#else
  TEST_CASE("built without generated code") {
    CHECK(in_fresh_process([](const std::string&) {
            check_portable("built without generated code");
          }).failure == "");
  }
#endif
}
