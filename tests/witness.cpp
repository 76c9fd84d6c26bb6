#include "witness.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace jithash;

#if defined(__x86_64__)

cpu_features witnessed_features() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  std::istringstream words(line);
  cpu_features found;
  for (std::string word; words >> word;) {
    if (word == "sse4_1") word = "sse4.1";
    if (word == "sha_ni") word = "shani";
    found = found | features_named(word == "avx512" ? "" : word);
  }
  return found;
}

#elif JITHASH_JIT && (defined(__aarch64__) || defined(__arm__))

namespace {

// Whether a child comes back from `instruction`.
bool runs(void (*instruction)()) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    std::signal(SIGILL, [](int) { _exit(1); });
    instruction();
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) throw std::runtime_error("a witness died");
  return WEXITSTATUS(status) == 0;
}

// One instruction each, by its number, so that no option of the assembler has to allow it. What it writes may be written
// by any function; in 32-bit code the numbers are those of A32, which tests/CMakeLists.txt asks the compiler for.
#define JITHASH_INSTRUCTION(number) [] { __asm__ volatile(".inst " #number); }
struct probe {
  cpu_feature feature;
  void (*instruction)();
};
using enum cpu_feature;
const probe probes[] = {
#if defined(__aarch64__)
    {neon, JITHASH_INSTRUCTION(0x4ea08400)},        // add v0.4s, v0.4s, v0.4s
    {arm_sha1, JITHASH_INSTRUCTION(0x5e280800)},    // sha1h s0, s0
    {arm_sha2, JITHASH_INSTRUCTION(0x5e282800)},    // sha256su0 v0.4s, v0.4s
    {arm_sha512, JITHASH_INSTRUCTION(0xcec08000)},  // sha512su0 v0.2d, v0.2d
#else
    {armv6, JITHASH_INSTRUCTION(0xe6bf0f30)},     // rev r0, r0
    {armv7, JITHASH_INSTRUCTION(0xe3000000)},     // movw r0, #0
    {neon, JITHASH_INSTRUCTION(0xf2200840)},      // vadd.i32 q0, q0, q0
    {arm_sha1, JITHASH_INSTRUCTION(0xf3b902c0)},  // sha1h.32 q0, q0
    {arm_sha2, JITHASH_INSTRUCTION(0xf3ba03c0)},  // sha256su0.32 q0, q0
#endif
};
#undef JITHASH_INSTRUCTION

}  // namespace

cpu_features witnessed_features() {
  cpu_features found;
  for (const probe& each : probes) {
    if (runs(each.instruction)) found.insert(each.feature);
  }
  return found;
}

#else

cpu_features witnessed_features() { return {}; }

#endif
