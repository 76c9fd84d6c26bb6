// Generators are pure functions: the same bytes on every host. tests/generated_code.txt has the digest of
// each Arm kernel's code; this program compares, on the PC and under emulation alike, or with --print writes
// the list anew.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "jithash/jithash.hpp"
#include "registry.hpp"

namespace {

using namespace jithash;

// "sha1/a64-neon 3472 <SHA-256 of the code>", a line for each Arm kernel with no more than the features it
// needs.
std::string list() {
  std::ostringstream lines;
  for (const kernel& row : every_kernel()) {
    if (row.generate == nullptr || row.name.find("/a") == std::string_view::npos) continue;
    const machine_code code = row.generate({.features = row.needs});
    lines << row.name << ' ';
    if (code.error != nullptr) {
      lines << code.error << '\n';
    } else {
      lines << code.size << ' ' << sha256::hash(code.bytes.get(), code.size).hex() << '\n';
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
  std::cout << compared << " kernels compared, " << different << " different\n";
  return compared > 0 && different == 0 ? 0 : 1;
}
