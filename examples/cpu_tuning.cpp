// What this CPU would run with fewer features, and how fast: features are taken away one level at a time, each in a
// process of its own, since a process chooses once. Prints a table; with a file's name also draws it (SVG).
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "jithash/jithash.hpp"

namespace {

constexpr std::array<const char*, 3> functions{"sha1", "sha256", "sha512"};

struct level {
  const char* title;
  const char* taken_away;  // as in JITHASH_CPU
  bool generated = true;
};

// From all to nothing; each of them a kind of machine that is in use.
const std::vector<level> x86_levels{
    {"all features", ""},
    {"without SHA", "-shani,-sha512"},
    {"and AVX-512", "-shani,-sha512,-avx512"},
    {"and AVX2, BMI", "-shani,-sha512,-avx2,-bmi1,-bmi2"},
    {"and AVX", "-shani,-sha512,-avx,-bmi1,-bmi2"},
    {"and SSSE3", "-ssse3,-bmi1,-bmi2"},
    {"portable C++", "", false},
};
const std::vector<level> arm_levels{
    {"all features", ""},
    {"without SHA", "-sha1,-sha2,-sha512"},
    {"and NEON", "-neon"},
    {"portable C++", "", false},
};

struct result {
  std::array<char, 32> kernel{};
  double gigabytes_per_second = 0;
};
using results = std::array<result, functions.size()>;

// The median of many short runs over 8 KiB.
template <class Hasher>
double measure() {
  const std::vector<char> message(8192, 'x');
  std::vector<double> speeds;
  for (int run = 0; run < 101; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) (void)Hasher::hash(message);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    speeds.push_back(50.0 * static_cast<double>(message.size()) / took.count() / 1e9);
  }
  std::nth_element(speeds.begin(), speeds.begin() + 50, speeds.end());
  return speeds[50];
}

results measure_level(const level& l) {
  jithash::policy policy;
  policy.cpu = l.taken_away;
  if (!l.generated) policy.code = jithash::code_memory::off;
  if (!jithash::set_policy(policy)) std::_Exit(1);
  jithash::warm_up();
  const std::array<double, functions.size()> speeds{measure<jithash::sha1>(), measure<jithash::sha256>(),
                                                    measure<jithash::sha512>()};
  results all;
  const jithash::runtime_report report = jithash::report();
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const std::string& kernel = report.algorithms[f].kernel;
    std::copy_n(kernel.begin(), std::min(kernel.size(), all[f].kernel.size() - 1), all[f].kernel.begin());
    all[f].gigabytes_per_second = speeds[f];
  }
  return all;
}

// In a child: this process has not chosen anything yet and never does.
bool measure_in_child(const level& l, results& all) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    const results made = measure_level(l);
    _exit(write(ends[1], &made, sizeof made) == sizeof made ? 0 : 1);
  }
  close(ends[1]);
  const bool arrived = child > 0 && read(ends[0], &all, sizeof all) == sizeof all;
  close(ends[0]);
  int status = 1;
  if (child > 0) waitpid(child, &status, 0);
  return arrived && status == 0;
}

std::string bar(double x, double y, double width, const char* colour, const std::string& text) {
  std::array<char, 400> line{};
  std::snprintf(line.data(), line.size(),
                "<rect x='%.0f' y='%.0f' width='%.1f' height='14' fill='%s'/>"
                "<text x='%.1f' y='%.0f'>%s</text>\n",
                x, y, width, colour, x + width + 5, y + 11, text.c_str());
  return line.data();
}

void draw(const std::string& path, const std::vector<level>& levels, const std::vector<results>& all) {
  constexpr std::array<const char*, functions.size()> colours{"#8aa", "#4a7ab5", "#c58b3a"};
  double fastest = 0;
  for (const results& r : all) {
    for (const result& one : r) fastest = std::max(fastest, one.gigabytes_per_second);
  }
  const std::size_t height = 30 + 64 * levels.size();
  std::ofstream svg(path);
  svg << "<svg xmlns='http://www.w3.org/2000/svg' width='760' height='" << height
      << "' font-family='sans-serif' font-size='11'>\n<rect width='760' height='" << height
      << "' fill='white'/>\n<text x='10' y='18'>GB/s of one stream, 8 KiB at a time, with features taken away"
      << "</text>\n";
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double top = 30 + 64 * static_cast<double>(l);
    svg << "<text x='10' y='" << top + 27 << "'>" << levels[l].title << "</text>\n";
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const result& one = all[l][f];
      std::array<char, 64> text{};
      std::snprintf(text.data(), text.size(), "%.2f  %s", one.gigabytes_per_second, one.kernel.data());
      svg << bar(120, top + 16 * static_cast<double>(f), 420 * one.gigabytes_per_second / fastest, colours[f],
                 text.data());
    }
  }
  svg << "</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__aarch64__) || defined(__arm__)
  const std::vector<level>& levels = arm_levels;
  (void)x86_levels;
#else
  const std::vector<level>& levels = x86_levels;
  (void)arm_levels;
#endif
  std::vector<results> all(levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (!measure_in_child(levels[l], all[l])) {
      std::fprintf(stderr, "%s: not measured\n", levels[l].title);
      return 1;
    }
    std::printf("%-14s", levels[l].title);
    for (const result& one : all[l])
      std::printf("  %-20s %5.2f GB/s", one.kernel.data(), one.gigabytes_per_second);
    std::printf("\n");
    std::fflush(stdout);
  }
  if (argc > 1) draw(argv[1], levels, all);
  return 0;
}
