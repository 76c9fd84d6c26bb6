// Memory that fails: the n-th allocation of first use, for every n, alone and with all that follow.
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "fresh_process.hpp"
#include "support.hpp"

namespace {

std::atomic<long> until_failure{-1};  // allocations that still succeed; negative: all do
std::atomic<bool> for_good{false};    // whether all after the failing one fail too
std::atomic<bool> failed{false};

bool must_fail() {
  if (until_failure.load() < 0) return false;
  if (until_failure.load() == 0) {
    failed = true;
    if (!for_good) until_failure = -1;
    return true;
  }
  --until_failure;
  return false;
}

}  // namespace

// glibc's allocator under the names that every library of this process calls.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  if (!must_fail()) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(std::size_t n, std::size_t size) {
  if (!must_fail()) return __libc_calloc(n, size);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* memory, std::size_t size) {
  if (!must_fail()) return __libc_realloc(memory, size);
  errno = ENOMEM;
  return nullptr;
}
void* memalign(std::size_t alignment, std::size_t size) {
  if (!must_fail()) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace {

using namespace jithash;

// "n" or "n and all after it".
void first_use_without_memory(const std::string& which) {
  const auto one = sha1::digest_type::from_hex("a9993e364706816aba3e25717850c26c9cd0d89d");
  const auto two =
      sha256::digest_type::from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const auto three = sha384::digest_type::from_hex(
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
  if (std::freopen("/dev/null", "w", stderr) == nullptr)
    require(false, "freopen");  // cpuinfo complains there

  for_good = which.back() == '+';
  until_failure = std::stol(which);
  const bool right = sha1::hash("abc") == one && sha256::hash("abc") == two && sha384::hash("abc") == three;
  until_failure = -1;
  require(right, "wrong digest");
  // For the life of the process: what failed once is not tried again, what worked stays.
  require(sha1::hash("abc") == one && sha256::hash("abc") == two && sha384::hash("abc") == three,
          "wrong afterwards");
  for (const auto& a : report().algorithms) require(!a.kernel.empty(), a.name + " has no kernel");
  if (failed) tell("failed");
}

}  // namespace

int main() {
  start_fresh_processes();
  unsigned tried = 0, wrong = 0;
  for (const char* suffix : {"", "+"}) {
    for (long n = 0;; ++n) {
      const std::string which = std::to_string(n) + suffix;
      const child_outcome outcome = in_fresh_process(first_use_without_memory, which);
      if (outcome.failure.empty() && outcome.output.empty()) break;  // first use asks for no more than n
      ++tried;
      if (!outcome.failure.empty()) {
        ++wrong;
        std::printf("allocation %s: %s\n", which.c_str(), outcome.failure.c_str());
      }
    }
  }
  std::printf("%u failing allocations tried, %u with a wrong outcome\n", tried, wrong);
  return tried > 0 && wrong == 0 ? 0 : 1;
}
