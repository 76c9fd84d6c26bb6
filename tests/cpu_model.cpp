// usage: cpu_model_test NAME [TRAIT]
//
// One CPU that is none: an emulator shows this program a /proc/cpuinfo of tests/cpu_models, which no detector may
// stumble over. The CPU is called NAME in the report and has TRAIT, every instruction that works counts and no other,
// the best kernel of each function that needs no more is the one that runs, digests are right, and nothing is printed.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "registry.hpp"
#include "support.hpp"
#include "witness.hpp"

using namespace jithash;

namespace {

unsigned failed = 0;

void check(const std::string& what, const std::string& found, const std::string& expected) {
  if (found == expected) return;
  ++failed;
  std::printf("%s: %s instead of %s\n", what.c_str(), found.c_str(), expected.c_str());
}

std::string list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string best_row(const std::string& function, cpu_features features) {
  for (const kernel& row : registry()) {
    const bool slow = !(row.slow_with & features).empty();
    if (row.computes(function) && features.contains(row.needs) && !slow) return std::string(row.name);
  }
  return "none";
}

// What was written to standard error since it was a file.
std::string printed(std::FILE* file) {
  std::array<char, 200> text{};
  const ssize_t size = pread(fileno(file), text.data(), text.size(), 0);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fputs("usage: cpu_model_test NAME [TRAIT]\n", stderr);
    return 2;
  }
  const cpu_features expected = witnessed_features() | (argc == 3 ? features_named(argv[2]) : cpu_features{});
  std::FILE* const errors = std::tmpfile();
  if (!errors || dup2(fileno(errors), STDERR_FILENO) < 0) {
    std::puts("no file for what is printed");
    return 2;
  }

  warm_up();
  const runtime_report made = report();
  check("the CPU's name", made.cpu, argv[1]);
  std::vector<std::string> names;
  expected.for_each([&](cpu_feature f) { names.emplace_back(name(f)); });
  check("its features", list(made.features), list(names));
  check("what detectors disagree about", list(made.disagreements), "");
  for (const algorithm_report& each : made.algorithms) {
    check("the kernel of " + each.name, each.kernel, best_row(each.name, expected));
  }
  const std::vector<std::byte> message = pattern(1000);
  for_each_hasher([&]<class Hasher>(const char* name) {
    check(name, Hasher::hash(message).hex(), openssl_hex(name, message.data(), message.size()));
  });
  check("what was printed", printed(errors), "");

  std::printf("%s with %s: %u checks failed\n", made.cpu.c_str(), list(made.features).c_str(), failed);
  return failed == 0 ? 0 : 1;
}
