// What the first use of jithash in a process costs.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace jithash::bench {

/// Microseconds of one first use: the whole, the parts that report() tells, and the same work done again.
struct first_use_sample {
  double total, detection, generation, publish, self_test, again;
};

/// What is used first: warm_up(), or the digest of one block by one algorithm.
inline constexpr std::array<std::string_view, 4> first_use_names{"warm_up", "sha1", "sha256", "sha512"};

/// One sample from each of `count` new processes. Only right while this process has not used jithash yet.
std::vector<first_use_sample> measure_first_use(std::size_t which, std::size_t count);

}  // namespace jithash::bench
