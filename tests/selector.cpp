// The walk down the registry: what is passed over, what is chosen, and that a wrong kernel never is.
#include "selector.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <set>
#include <string>

#include "fresh_process.hpp"
#include "jithash/hasher.hpp"

#if JITHASH_JIT && defined(__x86_64__)
#include "jit/x86/kernels.hpp"
#endif

using namespace jithash;

namespace {

process_facts facts_with(cpu_features features) {
  process_facts facts;
  facts.features = features;
  facts.cpu.detection.features = features;
  return facts;
}

template <class Compression>
std::string reason(const selection<Compression>& s, std::size_t row) {
  return std::string(s.passed_over[row].view());
}

machine_code generator_that_fails(const generator_options&) noexcept {
  return machine_code::failure("as told");
}

}  // namespace

TEST_SUITE("registry") {
  TEST_CASE("every function's walk ends in portable code, and no name stands twice") {
    std::set<std::string_view> names;
    std::set<std::string_view> ended;
    for (const kernel& row : registry()) {
      CAPTURE(row.name);
      CHECK(names.insert(row.name).second);
      const std::string_view function = row.name.substr(0, row.name.find('/'));
      CHECK_FALSE(ended.contains(function));  // nothing stands behind the portable row
      CHECK((row.generate == nullptr) == row.name.ends_with("/portable"));
      if (row.generate == nullptr) {
        CHECK(row.needs.empty());
        ended.insert(function);
      }
    }
    CHECK(ended == std::set<std::string_view>{"sha1", "sha256", "sha512"});
  }
}

TEST_SUITE("selector") {
  TEST_CASE("a row of another function, or of a longer name, is not taken") {
    const kernel rows[] = {
        {"sha25/portable", {}, nullptr}, {"sha256x/portable", {}, nullptr}, {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> s;
    choose(s, rows, facts_with({}));
    CHECK(s.chosen.row == &rows[2]);
  }

  TEST_CASE("a generator that fails takes the next row, and its words are kept") {
    const kernel rows[] = {{"sha256/x86-broken", {}, generator_that_fails}, {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> s;
    choose(s, rows, facts_with({}));
    CHECK(s.chosen.row == &rows[1]);
    CHECK((s.chosen.compress == portable<sha256_compression>));
    CHECK(reason(s, 0) == "cannot be generated: as told");
  }

  TEST_CASE("what the CPU lacks is named, and told from what was switched off") {
    using enum cpu_feature;
    const kernel rows[] = {{"sha256/x86-y", {shani, avx2}, generator_that_fails},
                           {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> lacking;
    choose(lacking, rows, facts_with({avx2}));
    CHECK(reason(lacking, 0) == "this CPU lacks shani");

    process_facts masked = facts_with({avx2, shani});
    masked.features = {};
    selection<sha256_compression> off;
    choose(off, rows, masked);
    CHECK(reason(off, 0) == "switched off: avx2 shani");
  }

  TEST_CASE("what is slow on such a CPU stands right before portable C++") {
    using enum cpu_feature;
    const kernel rows[] = {{"sha256/x-slow", {}, generator_that_fails, {in_order}},
                           {"sha256/x-lacking", {shani}, generator_that_fails, {in_order}},
                           {"sha256/x-next", {}, generator_that_fails},
                           {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> all_fail;
    choose(all_fail, rows, facts_with({in_order}));
    CHECK(all_fail.chosen.row == &rows[3]);
    CHECK(reason(all_fail, 0) == "cannot be generated: as told");
    CHECK(reason(all_fail, 1) == "this CPU lacks shani");
    CHECK(reason(all_fail, 2) == "cannot be generated: as told");
  }

#if JITHASH_JIT && defined(__x86_64__)
  TEST_CASE("a slow row is passed over, unless it is asked for") {
    using enum cpu_feature;
    const kernel rows[] = {{"sha256/x-slow", {}, x86::generate_sha256_scalar, {in_order}},
                           {"sha256/x-next", {}, x86::generate_sha256_scalar},
                           {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> ranked;
    choose(ranked, rows, facts_with({in_order}));
    CHECK(ranked.chosen.row == &rows[1]);
    CHECK(reason(ranked, 0) == "slower than others on this CPU: in-order");

    const kernel lacking[] = {
        {"sha256/x-slow", {shani}, x86::generate_sha256_scalar, {in_order}}, rows[1], rows[2]};
    selection<sha256_compression> neither;
    choose(neither, lacking, facts_with({in_order}));
    CHECK(neither.chosen.row == &lacking[1]);
    CHECK(reason(neither, 0) == "this CPU lacks shani");

    process_facts facts = facts_with({in_order});
    facts.allowed.kernels_by = "policy";
    facts.allowed.kernels << "sha256/x-slow";
    selection<sha256_compression> asked_for;
    choose(asked_for, rows, facts);
    CHECK(asked_for.chosen.row == &rows[0]);

    selection<sha256_compression> elsewhere;
    choose(elsewhere, rows, facts_with({}));
    CHECK(elsewhere.chosen.row == &rows[0]);
  }
#endif

  TEST_CASE("a child forked between the publication of a selection and that of its pointer") {
    // What such a child finds: a selection that is made, and an entry point that still leads to the resolver.
    const auto outcome = in_fresh_process([](const std::string&) {
      auto& entry_point = dispatch<sha256_compression>::entry_point;
      const auto resolver = entry_point.load();
      const auto digest = sha256::hash("abc");
      require(entry_point.load() != resolver, "nothing was published");
      entry_point.store(resolver);
      alarm(20);
      require(sha256::hash("abc") == digest, "wrong digest");
      require(entry_point.load() != resolver, "the pointer is still missing");
    });
    CHECK(outcome.failure == "");
  }

#if JITHASH_JIT && defined(__x86_64__)
  TEST_CASE("a kernel that computes something else is passed over") {
    // Code that runs and is right, but for another function: SHA-1 where SHA-256 is asked for.
    const cpu_features here = probe_cpu().detection.features;
    if (!here.contains(cpu_feature::shani)) return;
    const kernel rows[] = {{"sha256/x86-wrong", {}, x86::generate_sha1_shani},
                           {"sha256/x86-shani", {}, x86::generate_sha256_shani},
                           {"sha256/portable", {}, nullptr}};
    selection<sha256_compression> s;
    choose(s, rows, facts_with(here));
    CHECK(s.chosen.row == &rows[1]);
    CHECK(reason(s, 0) == "self-test failed");
    CHECK(reason(s, 1) == "");
  }

  TEST_CASE("preferred kernels come first, in their own order, if they can run") {
    const cpu_features here = probe_cpu().detection.features;
    const kernel rows[] = {{"sha256/x86-best", {}, generator_that_fails},
                           {"sha256/x86-lacking", {cpu_feature::x86_sha512}, generator_that_fails},
                           {"sha256/portable", {}, nullptr}};
    process_facts facts = facts_with(here - cpu_features{cpu_feature::x86_sha512});
    facts.allowed.kernels_by = "policy";
    facts.allowed.kernels
        << "sha1/x86-best,sha256/unknown,sha256/x86-lacking,sha256/portable,sha256/x86-best";
    selection<sha256_compression> s;
    choose(s, rows, facts);
    CHECK(s.chosen.row == &rows[2]);
    CHECK(reason(s, 0) == "policy prefers sha256/portable");
    CHECK(reason(s, 1) == "this CPU lacks sha512");
  }
#endif
}
