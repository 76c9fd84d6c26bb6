#include "jit/code_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "support.hpp"

#if JITHASH_JIT
#include <sys/prctl.h>
#include <sys/resource.h>

#include "fresh_process.hpp"

using namespace jithash;

namespace {

machine_code some_code(std::size_t size) {
  machine_code code;
  code.bytes = std::make_unique<std::byte[]>(size);
  code.size = size;
  for (std::size_t i = 0; i < size; ++i) code.bytes[i] = static_cast<std::byte>(i % 251);
  return code;
}

}  // namespace

TEST_SUITE("code_memory") {
  TEST_CASE("loaded code is readable and executable, aligned, and away from the edge of its page") {
    for (const std::size_t size : {1u, 4000u, 4032u, 4033u, 70'000u}) {
      CAPTURE(size);
      const machine_code code = some_code(size);
      executable_code loaded;
      REQUIRE_FALSE(loaded.load(code, code_memory::mprotect));
      const std::byte* const entry = loaded.entry();
      CHECK(std::memcmp(entry, code.bytes.get(), size) == 0);
      CHECK(mapping_of(entry).permissions == "r-xp");
      CHECK(mapping_of(entry + size - 1).permissions == "r-xp");
      CHECK(reinterpret_cast<std::uintptr_t>(entry) % 64 == 0);
      CHECK(reinterpret_cast<std::uintptr_t>(entry) % 4096 >= 16);
    }
  }

  TEST_CASE("the owner unmaps, and moves") {
    const std::byte* entry = nullptr;
    {
      executable_code first;
      REQUIRE_FALSE(first.load(some_code(100), code_memory::mprotect));
      entry = first.entry();
      executable_code second(std::move(first));
      executable_code third;
      third = std::move(second);
      CHECK(third.entry() == entry);
      CHECK(mapping_of(entry).permissions == "r-xp");
    }
    CHECK(mapping_of(entry).permissions == "");
  }

  TEST_CASE("a denial is told, remembered, and not asked for again") {
    const auto outcome = in_fresh_process([](const std::string&) {
      // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: what was writable can never become executable (Linux 6.3).
      if (prctl(65, 1, 0, 0, 0) != 0) {
        tell("no PR_SET_MDWE");
        return;
      }
      executable_code loaded;
      const code_memory_error refusal = loaded.load(some_code(100), code_memory::mprotect);
      require(refusal.step == code_memory_step::protect && refusal.error == EACCES, "not refused");
      require(code_memory_refusal().error == EACCES, "forgotten");

      require(sha256::hash("abc").hex() == openssl_hex("SHA256", "abc", 3), "wrong digest");
      const runtime_report r = report();
      require(r.code.mode == "off" && r.code.reason == "mprotect refused: Permission denied (errno 13)",
              r.code.reason);
      for (const auto& passed : report_of("sha256").passed_over) {
        require(passed.reason == "no code memory: mprotect, errno 13" ||
                    passed.reason.starts_with("this CPU lacks"),
                passed.kernel + ": " + passed.reason);
      }
    });
    CHECK(outcome.failure == "");
    if (!outcome.output.empty()) MESSAGE(outcome.output);
  }

#if !defined(JITHASH_TEST_EMULATED)  // the limit would be the emulator's
  TEST_CASE("a shortage is no denial: it passes") {
    const auto outcome = in_fresh_process([](const std::string&) {
      rlimit before{};
      getrlimit(RLIMIT_AS, &before);
      rlimit none = before;
      none.rlim_cur = 0;
      setrlimit(RLIMIT_AS, &none);
      executable_code loaded;
      const code_memory_error refusal = loaded.load(some_code(100), code_memory::mprotect);
      setrlimit(RLIMIT_AS, &before);
      require(refusal.step == code_memory_step::map && refusal.error == ENOMEM, "not refused");
      require(!code_memory_refusal().lasts(), "remembered");
      require(!loaded.load(some_code(100), code_memory::mprotect), "still refused");
    });
    CHECK(outcome.failure == "");
  }
#endif
}
#endif
