#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "selector.hpp"

namespace jithash::cli {
namespace {

using clock = std::chrono::steady_clock;
using seconds = std::chrono::duration<double>;

// Bytes a call: from the least that is whole blocks of each function to what no cache of a core holds.
constexpr std::array<std::size_t, 5> sizes{128, 1024, 8192, 65536, 1 << 20};
constexpr std::array<std::string_view, sizes.size()> size_names{"128 B", "1 KiB", "8 KiB", "64 KiB", "1 MiB"};
// Many short runs, of which the fastest counts: whatever disturbs makes a run slower, never faster.
constexpr int rounds = 30;
constexpr seconds run_time{0.0003};
// A kernel must be faster by that much than the one that runs to be worth a setting.
constexpr double challenge = 1.05;

template <class Compression>
struct contestant {
  const kernel* row;
  reason_text reason;  // why it cannot run; empty if it can
  ready_kernel<Compression> ready;
  std::array<double, sizes.size()> speeds{};  // bytes a second
};

// Bytes a second of `calls` calls, each going on with the state of the one before, as in one stream.
template <class Compression>
JITHASH_CALLS_GENERATED_CODE double measure(const ready_kernel<Compression>& ready, bytes_view message,
                                            std::size_t calls) {
  std::array<typename Compression::word, Compression::state_words> state{};
  const auto start = clock::now();
  for (std::size_t i = 0; i < calls; ++i) {
    ready.compress(state.data(), message.data(), message.size() / Compression::block_size);
  }
  return static_cast<double>(message.size() * calls) / seconds(clock::now() - start).count();
}

template <class Compression>
std::vector<contestant<Compression>> measure_all(bytes_view longest) {
  std::vector<contestant<Compression>> all;
  for (const kernel& row : registry()) {
    if (!row.computes(Compression::name)) continue;
    auto& one = all.emplace_back(contestant<Compression>{&row, {}, {}});
    one.reason = make_ready(one.ready, row, this_process());
  }
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const bytes_view message = longest.first(sizes[s]);
    for (int round = 0; round < rounds; ++round) {
      for (auto& one : all) {
        if (!one.reason.empty()) continue;
        const double calls = one.speeds[s] * run_time.count() / static_cast<double>(message.size());
        const double speed =
            measure(one.ready, message, std::max<std::size_t>(1, static_cast<std::size_t>(calls)));
        one.speeds[s] = std::max(one.speeds[s], speed);
      }
    }
  }
  return all;
}

std::string cell(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ').append(text);
}

std::string gigabytes(double speed) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%.3f", speed / 1e9);
  return text.data();
}

template <class Compression>
void tune(bytes_view longest) {
  const auto all = measure_all<Compression>(longest);
  const kernel* const running = resolve<Compression>().chosen.row;
  const auto rank = [&](const auto& one) { return one.speeds.back() * (one.row == running ? challenge : 1); };
  const auto winner = std::max_element(all.begin(), all.end(),
                                       [&](const auto& a, const auto& b) { return rank(a) < rank(b); });

  constexpr std::size_t name_width = 25, width = 9;
  std::string table = "\n    " + std::string{Compression::name};
  table.append(name_width - table.size() + 1, ' ');
  for (const std::string_view name : size_names) table += cell(name, width);
  for (const auto& one : all) {
    std::string line = (&one == &*winner ? "  * " : "    ") + std::string{one.row->name};
    line.resize(name_width, ' ');
    if (one.reason.empty()) {
      for (const double speed : one.speeds) line += cell(gigabytes(speed), width);
    } else {
      line.append("    ").append(one.reason.view());
    }
    table.append("\n").append(line);
  }
  if (winner->row == running) {
    table += "\n  The winner is what runs.\n";
  } else {
    table.append("\n  What runs is ")
        .append(running->name)
        .append(". JITHASH_KERNEL=")
        .append(winner->row->name);
    table += " in the environment changes that.\n";
  }
  print(table);
}

}  // namespace

int tune_kernels() {
  std::vector<std::byte> longest(sizes.back());
  for (std::size_t i = 0; i < longest.size(); ++i) longest[i] = static_cast<std::byte>(i % 251);
  print("GB/s of one stream by bytes a call, best of " + std::to_string(rounds) + " short runs in turn\n");
  tune<sha1_compression>(longest);
  tune<sha256_compression>(longest);
  tune<sha512_compression>(longest);
  return 0;
}

}  // namespace jithash::cli
