// jithash_bench: Google Benchmark over every contestant. bench/README.md says what the names mean.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>

#include "contestant.hpp"
#include "first_use.hpp"
#include "jithash/jithash.hpp"

namespace jithash::bench {
namespace {

constexpr std::size_t kibi = 1024, mebi = 1024 * kibi;
constexpr std::size_t sizes[] = {8, 55, 64, 256, 320, kibi, 4 * kibi, 8 * kibi, 64 * kibi, mebi, 16 * mebi};
/// Chained calls are told for messages up to this size: beyond it they take as long as independent ones.
constexpr std::size_t longest_chained = kibi;

/// OpenSSL's SHA-256 of this many bytes is the unit that makes runs on different days and cores comparable.
constexpr std::size_t yardstick_size = mebi;
constexpr double yardstick_cycles = 2.01 * yardstick_size;

constexpr double slice_ns = 300e3;

/// Time that this thread ran, so that other processes do not count.
double now_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

contestant& find(const contestants& among, algorithm of, std::string_view name) {
  for (const auto& c : among) {
    if (c->of() == of && c->name() == name) return *c;
  }
  throw std::logic_error("no such contestant");
}

bool competes(const contestant& c, algorithm of, work w, std::size_t size) {
  const std::size_t block_size = of == algorithm::sha512 ? 128 : 64;
  return c.of() == of && c.does(w) && (w != work::chain || size <= longest_chained) &&
         (w != work::blocks || size % block_size == 0);
}

/// One contestant at one task, its results proven before, and compared after, anything is timed.
class entrant {
 public:
  entrant(contestant& c, const contestants& peers, work w, messages& input)
      : contestant_(c), work_(w), input_(input) {
    messages reference(input.size()), own(input.size());
    find(peers, c.of(), w == work::blocks ? "openssl-blocks" : "openssl").run(w, reference, input.count());
    c.run(w, own, input.count());
    expected_ = reference.results();
    if (own.results() != expected_) throw std::runtime_error(c.name() + " disagrees with OpenSSL");
  }

  void run(std::size_t calls) { contestant_.run(work_, input_, calls); }

  /// Slices: as many calls as take about slice_ns.
  void calibrate() {
    double taken = 0;
    for (calls_ = 1; (taken = time()) < slice_ns / 4;) calls_ *= 2;
    calls_ =
        std::max(std::size_t{1}, static_cast<std::size_t>(static_cast<double>(calls_) * slice_ns / taken));
  }

  /// Nanoseconds a call in one slice. An untimed eighth goes first: whoever ran before left the caches and
  /// predictors as suited him.
  double slice() {
    run(calls_ / 8);
    std::fill(input_.results().begin(), input_.results().end(), std::byte{});
    const double taken = time();
    require_results(calls_);
    return taken / static_cast<double>(calls_);
  }

  /// That `calls` calls left behind what they should.
  void require_results(std::size_t calls) {
    const std::size_t written = std::min(calls, input_.count()) * messages::result_size;
    if (work_ != work::chain && std::memcmp(input_.result(0), expected_.data(), written) != 0) {
      throw std::runtime_error(contestant_.name() + " was wrong while timed");
    }
  }

 private:
  double time() {
    const double start = now_ns();
    run(calls_);
    return now_ns() - start;
  }

  contestant& contestant_;
  work work_;
  messages& input_;
  std::vector<std::byte> expected_;
  std::size_t calls_ = 1;
};

struct quartiles {
  double low, median, high;
};

quartiles quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

/// An iteration is one pair: a slice of ours, one of the peer's, in alternating order, and one yardstick.
void run_pairs(benchmark::State& state, contestant& ours, contestant& peer, const contestants& peers, work w,
               std::size_t size) {
  messages input(size), yardstick_input(yardstick_size);
  entrant a(ours, peers, w, input), b(peer, peers, w, input);
  entrant yardstick(find(peers, algorithm::sha256, "openssl"), peers, work::call, yardstick_input);
  for (entrant* e : {&a, &b, &yardstick}) e->calibrate();
  std::vector<double> speedups, ours_ns, peer_ns, ours_cycles, peer_cycles, yardstick_ns;
  for (auto _ : state) {
    const bool ours_first = speedups.size() % 2 == 0;
    double mine = ours_first ? a.slice() : 0;
    const double theirs = b.slice();
    if (!ours_first) mine = a.slice();
    const double unit = yardstick.slice();
    state.SetIterationTime(mine * 1e-9);
    speedups.push_back(theirs / mine);
    ours_ns.push_back(mine);
    peer_ns.push_back(theirs);
    ours_cycles.push_back(mine / unit * yardstick_cycles);
    peer_cycles.push_back(theirs / unit * yardstick_cycles);
    yardstick_ns.push_back(unit);
  }
  const auto [low, median, high] = quartiles_of(speedups);
  state.counters["speedup"] = median;
  state.counters["speedup_q1"] = low;
  state.counters["speedup_q3"] = high;
  state.counters["ns"] = quartiles_of(ours_ns).median;
  state.counters["peer_ns"] = quartiles_of(peer_ns).median;
  state.counters["cycles"] = quartiles_of(ours_cycles).median;
  state.counters["peer_cycles"] = quartiles_of(peer_cycles).median;
  state.counters["yardstick_ns"] = quartiles_of(yardstick_ns).median;
}

void run_plain(benchmark::State& state, contestant& c, const contestants& peers, work w, std::size_t size) {
  messages input(size);
  entrant e(c, peers, w, input);
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(input.count()))) e.run(input.count());
  e.require_results(input.count());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

void run_first_use(benchmark::State& state, const std::vector<first_use_sample>& samples) {
  const auto of = [&](double first_use_sample::*part) {
    std::vector<double> values(samples.size());
    std::transform(samples.begin(), samples.end(), values.begin(), std::mem_fn(part));
    return quartiles_of(std::move(values));
  };
  const auto [low, median, high] = of(&first_use_sample::total);
  for (auto _ : state) state.SetIterationTime(median * 1e-6);
  state.counters["total_us"] = median;
  state.counters["total_us_q1"] = low;
  state.counters["total_us_q3"] = high;
  state.counters["detection_us"] = of(&first_use_sample::detection).median;
  state.counters["generation_us"] = of(&first_use_sample::generation).median;
  state.counters["publish_us"] = of(&first_use_sample::publish).median;
  state.counters["self_test_us"] = of(&first_use_sample::self_test).median;
  state.counters["again_us"] = of(&first_use_sample::again).median;
}

/// Portable code against C; otherwise our one-shot call against everyone, streams and kernels against what
/// OpenSSL has like them.
bool is_paired(const contestant& ours, const contestant& peer, bool portable) {
  if (portable) return peer.name().starts_with("libgcrypt");
  return ours.name() == "jithash" || peer.name() == "openssl" || peer.name() == "openssl-blocks";
}

void register_all(const contestants& ours, const contestants& peers, bool portable) {
  using benchmark::State;
  const auto enter = [&](algorithm of, work w, std::size_t size) {
    const std::string what = std::string{algorithm_names[static_cast<std::size_t>(of)]} + '/' +
                             std::string{work_names[static_cast<std::size_t>(w)]} + '/' +
                             std::to_string(size) + '/';
    const auto plain = [&](contestant& c) {
      if (!competes(c, of, w, size)) return;
      benchmark::RegisterBenchmark(("plain/" + what + c.name()).c_str(), [&c, &peers, w, size](State& state) {
        run_plain(state, c, peers, w, size);
      });
    };
    const auto paired = [&](contestant& a, contestant& b) {
      if (!competes(a, of, w, size) || !competes(b, of, w, size)) return;
      benchmark::RegisterBenchmark(
          ("paired/" + what + a.name() + '/' + b.name()).c_str(),
          [&a, &b, &peers, w, size](State& state) { run_pairs(state, a, b, peers, w, size); })
          ->UseManualTime()
          ->Iterations(size > mebi ? 31 : 101);
    };
    for (const auto& c : ours) plain(*c);
    for (const auto& c : peers) plain(*c);
    for (const auto& c : ours) {
      paired(*c, *c);  // how far from 1 chance alone goes
      for (const auto& peer : peers) {
        if (is_paired(*c, *peer, portable)) paired(*c, *peer);
      }
    }
  };
  for (algorithm of : {algorithm::sha1, algorithm::sha256, algorithm::sha512}) {
    for (work w : {work::call, work::chain, work::blocks}) {
      for (std::size_t size : sizes) enter(of, w, size);
    }
  }
}

int run(int argc, char** argv) {
  char** const end = std::remove_if(argv, argv + argc, [](std::string_view a) { return a == "--portable"; });
  const bool portable = end != argv + argc;
  argc = static_cast<int>(end - argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;

  // Before anything else uses jithash in this process.
  if (portable && !set_policy({.code = code_memory::off, .cpu = {}, .kernels = {}})) return 1;
  for (std::size_t which = 0; which < first_use_names.size(); ++which) {
    const auto samples = measure_first_use(which, 101);
    benchmark::RegisterBenchmark(("first_use/" + std::string{first_use_names[which]}).c_str(),
                                 [samples](benchmark::State& state) { run_first_use(state, samples); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  }

  contestants ours, peers;
  add_jithash(ours);
  add_peers(peers, portable);
  register_all(ours, peers, portable);
  benchmark::AddCustomContext("portable", portable ? "yes" : "no");
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace jithash::bench

int main(int argc, char** argv) {
  try {
    return jithash::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jithash_bench: %s\n", error.what());
    return 1;
  }
}
