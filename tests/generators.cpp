// Generators are pure functions: the same bytes on every host. tests/generated_code.txt has the digest of
// each Arm kernel's code; this program compares, on the PC and under emulation alike, or with --print writes
// the list anew.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "jithash/jithash.hpp"
#include "registry.hpp"

namespace {

using namespace jithash;

// "sha1/a64-neon 3472 <SHA-256 of the code>", a line for each Arm kernel with no more than the features it needs; and
// one for each form that some take for cores that execute in order, for later architectures of 32-bit Arm, or in loops,
// where it differs: "sha1/a32 armv7 compact ...".
std::string list() {
  const cpu_features v6{cpu_feature::armv6}, v7{cpu_feature::armv6, cpu_feature::armv7};
  const std::pair<const char*, cpu_features> levels[] = {
      {"", {}}, {" in-order", {cpu_feature::in_order}}, {" armv6", v6}, {" armv7", v7}};
  std::ostringstream lines;
  for (const kernel& row : every_kernel()) {
    if (row.generate == nullptr || row.name.find("/a") == std::string_view::npos) continue;
    std::set<std::string> made;
    for (const auto& [level, features] : levels) {
      for (const bool compact : {false, true}) {
        const machine_code code = row.generate({.features = row.needs | features, .compact = compact});
        const std::string digest =
            code.error != nullptr
                ? code.error
                : std::to_string(code.size) + ' ' + sha256::hash(code.bytes.get(), code.size).hex();
        if (made.insert(digest).second)
          lines << row.name << level << (compact ? " compact " : " ") << digest << '\n';
      }
    }
  }
  return lines.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: generators_test --print | LIST\n", stderr);
    return 2;
  }
  if (std::string(argv[1]) == "--print") {
    std::cout << list();
    return 0;
  }
  std::ifstream file(argv[1]);
  std::istringstream made(list());
  unsigned compared = 0, different = 0;
  for (;; ++compared) {
    std::string expected, line;
    std::getline(file, expected);
    std::getline(made, line);
    if (expected.empty() && line.empty()) break;
    if (line == expected) continue;
    ++different;
    std::cout << "expected " << expected << "\nmade     " << line << '\n';
  }
  std::cout << compared << " forms compared, " << different << " different\n";
  return compared > 0 && different == 0 ? 0 : 1;
}
