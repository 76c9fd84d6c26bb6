#include "first_use.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "jithash/jithash.hpp"

namespace jithash::bench {
namespace {

void use(std::size_t which) {
  std::byte block[128]{};
  switch (which) {
    case 0:
      return warm_up();
    case 1:
      return void(sha1::hash(block));
    case 2:
      return void(sha256::hash(block));
    case 3:
      return void(sha512::hash(block));
  }
}

double microseconds(std::size_t which) {
  const auto start = std::chrono::steady_clock::now();
  use(which);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

first_use_sample sample(std::size_t which) {
  first_use_sample result{};
  result.total = microseconds(which);
  result.again = microseconds(which);
  const runtime_report told = report();
  result.detection = told.detection_us;
  for (const algorithm_report& a : told.algorithms) {
    result.generation += a.generation_us;
    result.publish += a.publish_us;
    result.self_test += a.self_test_us;
  }
  return result;
}

}  // namespace

std::vector<first_use_sample> measure_first_use(std::size_t which, std::size_t count) {
  std::vector<first_use_sample> samples(count);
  for (first_use_sample& s : samples) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
      const first_use_sample measured = sample(which);
      _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
    }
    close(ends[1]);
    const bool complete = read(ends[0], &s, sizeof s) == sizeof s;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!complete || status != 0) throw std::runtime_error("first use failed in a child");
  }
  return samples;
}

}  // namespace jithash::bench
