#include "selector.hpp"

#include <cerrno>
#include <chrono>
#include <new>

#include "jit/profiling.hpp"
#include "self_test.hpp"

namespace jithash {
inline namespace v0 {
namespace {

class stopwatch {
 public:
  /// Microseconds since the last lap.
  double lap() noexcept {
    const auto now = std::chrono::steady_clock::now();
    const double us = std::chrono::duration<double, std::micro>(now - last_).count();
    last_ = now;
    return us;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

reason_text what_is_lacking(const kernel& row, const process_facts& facts) noexcept {
  const cpu_features missing = row.needs - facts.features;
  if (missing.empty()) return {};
  const cpu_features masked = missing & facts.cpu.detection.features;
  reason_text reason(masked == missing ? "switched off:" : "this CPU lacks");
  missing.for_each([&](cpu_feature f) { reason << " " << name(f); });
  return reason;
}

}  // namespace

template <class Compression>
reason_text make_ready(ready_kernel<Compression>& to, const kernel& row,
                       const process_facts& facts) noexcept {
  using function = compress_function<typename Compression::word>;
  if (!row.generate) {
    to.row = &row;
    to.compress = portable<Compression>;
    return {};
  }
  if (facts.allowed.code == code_memory::off) return facts.allowed.code_reason.view();
  if (const reason_text lacking = what_is_lacking(row, facts); !lacking.empty()) return lacking;

  stopwatch watch;
  const machine_code code = row.generate({.features = facts.features, .compact = facts.allowed.compact});
  const double generation_us = watch.lap();
  if (code.error) return reason_text("cannot be generated: ") << code.error;

  ready_kernel<Compression> ready;
  if (const code_memory_error refusal = ready.code.load(code, facts.allowed.code)) {
    return reason_text("no code memory: ") << refusal.step_name() << ", errno " << refusal.error;
  }
  ready.publish_us = watch.lap();
  ready.compress = reinterpret_cast<function>(reinterpret_cast<std::uintptr_t>(ready.code.entry()));
  if (!passes_self_test<Compression>(ready.compress)) return reason_text("self-test failed");
  ready.self_test_us = watch.lap();
  ready.generation_us = generation_us;
  ready.code_bytes = code.size;
  ready.frame = code.frame;
  ready.row = &row;
  to = std::move(ready);
  return {};
}

template <class Compression>
void choose(selection<Compression>& to, std::span<const kernel> rows, const process_facts& facts) noexcept {
  const auto attempt = [&](std::size_t i) {
    to.passed_over[i] = make_ready(to.chosen, rows[i], facts);
    return to.passed_over[i].empty();
  };
  const auto untried = [&](std::size_t i) {
    return rows[i].computes(Compression::name) && to.passed_over[i].empty();
  };

  for_each_item(facts.allowed.kernels.view(), [&](std::string_view wanted) {
    for (std::size_t i = 0; i < rows.size() && !to.chosen.row; ++i) {
      if (rows[i].name == wanted && untried(i)) attempt(i);
    }
  });
  const bool preferred = to.chosen.row != nullptr;

  // In the registry's order, but what is slow here stands right before portable C++.
  const auto slow_here = [&](const kernel& row) { return row.slow_with & facts.features; };
  const auto turn_of = [&](const kernel& row) { return !row.generate ? 2 : slow_here(row).empty() ? 0 : 1; };
  for (int turn = 0; turn <= 2; ++turn) {
    for (std::size_t i = 0; i < rows.size() && !to.chosen.row; ++i) {
      if (turn_of(rows[i]) == turn && untried(i)) attempt(i);
    }
  }

  // Of the rows before the chosen one, these were not tried.
  for (std::size_t i = 0; i < rows.size() && &rows[i] != to.chosen.row; ++i) {
    if (!untried(i)) continue;
    if (preferred) {
      to.passed_over[i] << facts.allowed.kernels_by << " prefers " << to.chosen.row->name;
    } else if (to.passed_over[i] = what_is_lacking(rows[i], facts); untried(i)) {
      to.passed_over[i] << "slower than others on this CPU:";
      slow_here(rows[i]).for_each([&](cpu_feature f) { to.passed_over[i] << " " << name(f); });
    }
  }
}

namespace {

template <class Compression>
constinit std::atomic<const selection<Compression>*> published{nullptr};

// For a process without memory for a selection. Never destroyed: hashing goes on until the very end.
template <class Compression>
union selection_without_memory {
  selection<Compression> value;

  constexpr selection_without_memory() noexcept : value() {
    value.chosen.row = &portable_kernel<Compression>;
    value.chosen.compress = portable<Compression>;
    for (reason_text& reason : value.passed_over) reason << "out of memory at first use";
  }
  ~selection_without_memory() {}  // NOLINT(modernize-use-equals-default): = default would delete it
};

template <class Compression>
constinit selection_without_memory<Compression> without_memory;

// What the policy wants done to code once it is there to stay.
template <class Compression>
void settle(const ready_kernel<Compression>& chosen, const settings& allowed) noexcept {
  if (chosen.code_bytes == 0) return;
  if (allowed.seal) (void)chosen.code.seal();
  if (allowed.perf) show_to_profilers(chosen.row->name, chosen.code.entry(), chosen.code_bytes, chosen.frame);
}

template <class Compression>
JITHASH_CALLS_GENERATED_CODE void resolve_and_compress(typename Compression::word* state,
                                                       const std::byte* blocks, std::size_t n) noexcept {
  resolve<Compression>().chosen.compress(state, blocks, n);
}

// Makes a selection and publishes it, unless another thread was faster: then that one's is the result.
template <class Compression>
const selection<Compression>& publish_selection() noexcept {
  const int callers_errno = errno;
  auto* const own = new (std::nothrow) selection<Compression>;
  if (own) choose(*own, registry(), this_process());
  const selection<Compression>* const wanted = own ? own : &without_memory<Compression>.value;
  const selection<Compression>* current = nullptr;
  if (published<Compression>.compare_exchange_strong(current, wanted, std::memory_order_acq_rel,
                                                     std::memory_order_acquire)) {
    current = wanted;
    if (own) settle(own->chosen, this_process().allowed);
  } else {
    delete own;
  }
  errno = callers_errno;
  return *current;
}

}  // namespace

template <class Compression>
constinit std::atomic<compress_function<typename Compression::word>> dispatch<Compression>::entry_point{
    resolve_and_compress<Compression>};

template <class Compression>
const selection<Compression>* resolved() noexcept {
  return published<Compression>.load(std::memory_order_acquire);
}

template <class Compression>
const selection<Compression>& resolve() noexcept {
  const selection<Compression>* const made = resolved<Compression>();
  const selection<Compression>& chosen = made ? *made : publish_selection<Compression>();
  // Whoever comes through here stores the pointer: the thread that published the selection may not have got to it yet,
  // and in a child of fork() it never will.
  dispatch<Compression>::entry_point.store(chosen.chosen.compress, std::memory_order_release);
  return chosen;
}

#define JITHASH_INSTANTIATE(compression)                                                                     \
  template struct dispatch<compression>;                                                                     \
  template reason_text make_ready(ready_kernel<compression>&, const kernel&, const process_facts&) noexcept; \
  template void choose(selection<compression>&, std::span<const kernel>, const process_facts&) noexcept;     \
  template const selection<compression>* resolved<compression>() noexcept;                                   \
  template const selection<compression>& resolve<compression>() noexcept

JITHASH_INSTANTIATE(sha1_compression);
JITHASH_INSTANTIATE(sha256_compression);
JITHASH_INSTANTIATE(sha512_compression);

#undef JITHASH_INSTANTIATE

}  // namespace v0
}  // namespace jithash
