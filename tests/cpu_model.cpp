// usage: cpu_model_test NAME FEATURES KERNELS
//
// A CPU that is none: an emulator shows this program a /proc/cpuinfo of tests/cpu_models, which no detector may stumble
// over. In the report the CPU is called NAME and has FEATURES, about which detectors agree; KERNELS run, their digests
// are right, and nothing is printed.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

#include "support.hpp"

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
  return text.empty() ? "none" : text;
}

// What was written to standard error since it was a file.
std::string printed(std::FILE* file) {
  std::array<char, 200> text{};
  const ssize_t size = pread(fileno(file), text.data(), text.size(), 0);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: cpu_model_test NAME FEATURES KERNELS\n", stderr);
    return 2;
  }
  std::FILE* const errors = std::tmpfile();
  if (!errors || dup2(fileno(errors), STDERR_FILENO) < 0) {
    std::puts("no file for what is printed");
    return 2;
  }

  warm_up();
  const runtime_report made = report();
  std::vector<std::string> kernels;
  for (const algorithm_report& each : made.algorithms) kernels.push_back(each.kernel);
  check("the CPU's name", made.cpu, argv[1]);
  check("its features", list(made.features), argv[2]);
  check("what detectors disagree about", list(made.disagreements), "none");
  check("the kernels", list(kernels), argv[3]);
  const std::vector<std::byte> message = pattern(1000);
  for_each_hasher([&]<class Hasher>(const char* name) {
    check(name, Hasher::hash(message).hex(), openssl_hex(name, message.data(), message.size()));
  });
  check("what was printed", printed(errors), "");

  std::printf("%s with %s: %u checks failed\n", made.cpu.c_str(), list(made.features).c_str(), failed);
  return failed == 0 ? 0 : 1;
}
