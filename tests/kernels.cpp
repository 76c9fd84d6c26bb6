// Every row of the registry, forced by name in a process of its own and proven to be the one that runs, goes
// through the suite "hashing". A row whose needs this machine meets, as a witness says, and that does not run is a
// failure.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <array>
#include <cstdio>

#include "fresh_process.hpp"
#include "hashing.hpp"
#include "selector.hpp"
#include "watched_call.hpp"
#include "witness.hpp"

using namespace jithash;

namespace {

// ---- how much was checked ----

int assertions = 0;

struct assertion_counter : doctest::IReporter {
  explicit assertion_counter(const doctest::ContextOptions&) {}
  void test_run_end(const doctest::TestRunStats& stats) override { assertions = stats.numAsserts; }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("assertions", 1, assertion_counter);

// ---- one kernel, called directly ----

template <class Compression>
void check_directly() {
  using word = typename Compression::word;
  const selection<Compression>& made = resolve<Compression>();
  const auto run = made.chosen.compress;

  // More blocks than the self-test has, next to a page that cannot be read.
  constexpr std::size_t most = 40;
  guarded_memory memory(most * Compression::block_size);
  std::mt19937_64 random(7);
  for (std::size_t n = 1; n <= most; ++n) {
    std::byte* const blocks = memory.at_end(n * Compression::block_size);
    for (std::size_t i = 0; i < n * Compression::block_size; ++i)
      blocks[i] = static_cast<std::byte>(random());
    std::array<word, Compression::state_words> expected;
    for (word& w : expected) w = static_cast<word>(random());
    auto computed = expected;
    portable<Compression>(expected.data(), blocks, n);
    run(computed.data(), blocks, n);
    CHECK(computed == expected);
#if JITHASH_TEST_WATCHES
    const std::uint64_t gone =
        jithash_test_call_watched(reinterpret_cast<void*>(run), computed.data(), blocks, n);
    constexpr std::uint64_t x18 = 1 << 18;
    CHECK((made.chosen.row->generate ? gone : gone & ~x18) == 0);
#endif
  }

  // Words beside the state are nobody's business.
  std::array<word, Compression::state_words + 2> framed;
  framed.fill(word{0x5a});
  run(framed.data() + 1, memory.at_start(), 1);
  CHECK(framed.front() == 0x5a);
  CHECK(framed.back() == 0x5a);
}

// Where `address` lies: "generated" in a mapping without a file, executable and not writable; "image" in a
// file's.
std::string origin_of(const void* address) {
  const mapping found = mapping_of(address);
  if (found.permissions.empty()) return "nowhere";
  return found.file.starts_with('/')   ? "image"
         : found.permissions == "r-xp" ? "generated"
                                       : found.permissions;
}

template <class Compression>
std::string chosen_origin() {
  return origin_of(reinterpret_cast<const void*>(dispatch<Compression>::entry_point.load()));
}

constexpr std::string_view compactly = " compact";

// The bytes of a kernel as it is generated here; none for portable C++, or if a generator fails.
std::string code_of(const kernel& row, cpu_features features, bool compact) {
  if (!row.generate) return {};
  const machine_code code = row.generate({.features = features, .compact = compact});
  return {reinterpret_cast<const char*>(code.bytes.get()), code.size};
}

// Runs in a fresh process: forces a kernel, called `what` or `what` without " compact", proves that it runs, and puts
// it through everything.
void run_forced(const std::string& what) {
  const bool compact = what.ends_with(compactly);
  const std::string name = what.substr(0, what.size() - (compact ? compactly.size() : 0));
  const std::string function = name.substr(0, name.find('/'));
  policy wanted;
  wanted.code = code_memory::mprotect;
  wanted.kernels = name;
  wanted.compact = compact;
  require(set_policy(wanted), "the policy was not taken");
  function_under_test = function;

  doctest::Context context;
  context.addFilter("test-suite", "hashing,direct");
  context.setOption("no-breaks", true);
  context.setOption("minimal", true);
  warm_up();
  require(context.run() == 0, "failed the suite (see above)");

  const algorithm_report made = report_of(function);
  require(made.kernel == name, made.kernel + " ran instead");
  for (const kernel& row : registry()) {
    if (row.name != name) continue;
    require(made.code_bytes == code_of(row, this_process().features, compact).size(),
            "its size is another one's");
  }
  const std::string origin = function == "sha1"     ? chosen_origin<sha1_compression>()
                             : function == "sha256" ? chosen_origin<sha256_compression>()
                                                    : chosen_origin<sha512_compression>();
  require(assertions > 1000, "hardly anything was checked");
  tell(std::to_string(assertions));
  require(origin == (made.origin == "jit" ? "generated" : "image"),
          "its code lies in memory that is " + origin);
}

}  // namespace

TEST_SUITE("direct") {
  TEST_CASE("the compression function itself") {
    if (function_under_test == "sha1") check_directly<sha1_compression>();
    if (function_under_test == "sha256") check_directly<sha256_compression>();
    if (function_under_test == "sha512") check_directly<sha512_compression>();
  }
}

int main() {
  start_fresh_processes();
  const cpu_features witnessed = witnessed_features();
  unsigned ran = 0, failed = 0;
  const auto force = [&](const std::string& what) {
    ++ran;
    const child_outcome outcome = in_fresh_process(run_forced, what);
    if (!outcome.failure.empty()) ++failed;
    std::printf("%-24s %s\n", what.c_str(),
                outcome.failure.empty() ? ("proven by " + outcome.output + " assertions").c_str()
                                        : outcome.failure.c_str());
    std::fflush(stdout);
  };
  for (const kernel& row : registry()) {
    const std::string name(row.name);
    if (!witnessed.contains(row.needs)) {
      std::printf("%-24s not for this CPU\n", name.c_str());
      continue;
    }
    force(name);
    if (code_of(row, witnessed, true) != code_of(row, witnessed, false)) force(name + std::string(compactly));
  }
  std::printf("%u kernels forced, %u failed\n", ran, failed);
  return failed == 0 && ran >= 3 ? 0 : 1;
}
