#include "process.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace jithash {
inline namespace v0 {

namespace {

// Whatever the environment holds, reports are plain text.
template <std::size_t Capacity>
void append_printable(fixed_text<Capacity>& to, std::string_view text) noexcept {
  for (const char& c : text) to << (c < ' ' || c > '~' ? std::string_view("?") : std::string_view(&c, 1));
}

}  // namespace

settings combine(const policy* set, const environment& env) noexcept {
  const policy wanted = set ? *set : policy{};
  settings result;
  // One line a note, of printable characters and bounded length, whatever the environment holds.
  const auto note = [&](std::string_view setting, std::string_view item, std::string_view why) {
    if (result.notes.view().size() > decltype(result.notes)::capacity - 160) {
      result.more_notes = true;
      return;
    }
    if (!result.notes.empty()) result.notes << "\n";
    result.notes << setting << ": ";
    append_printable(result.notes, item.substr(0, 40));
    result.notes << (item.size() > 40 ? "...: " : ": ") << why;
  };

  const auto choose = [&](code_memory mode, std::string_view by) {
    if (result.code == mode || result.code == code_memory::off) return;
    result.code = mode;
    result.code_reason = by;
  };
#if !JITHASH_JIT
  choose(code_memory::off, "built without generated code");
#endif
  choose(wanted.code, "policy");
  if (env.jit) {
    const std::string_view value(env.jit);
    if (value == "off") {
      choose(code_memory::off, "JITHASH_JIT=off");
    } else if (value != "on") {
      note("JITHASH_JIT", value, "neither on nor off, ignored");
    }
  }
  if (env.code_memory) {
    const std::string_view value(env.code_memory);
    if (value == "off") {
      choose(code_memory::off, "JITHASH_CODE_MEMORY=off");
    } else if (value == "mprotect") {
      choose(code_memory::mprotect, "JITHASH_CODE_MEMORY=mprotect");
    } else if (value != "memfd") {
      note("JITHASH_CODE_MEMORY", value, "not a mode, ignored");
    } else if (!set) {
      choose(code_memory::memfd, "JITHASH_CODE_MEMORY=memfd");
    } else if (wanted.code != code_memory::memfd) {
      note("JITHASH_CODE_MEMORY", value, "the policy decides, ignored");
    }
  }

  const auto switched = [&](bool by_policy, std::string_view setting, const char* text, std::string_view on,
                            std::string_view off) {
    if (text && text != on && text != off) note(setting, text, "not a value, ignored");
    if (!text || text != on || by_policy) return by_policy;
    if (set) note(setting, text, "the policy decides, ignored");
    return !set;
  };
  result.seal = switched(wanted.seal, "JITHASH_SEAL", env.seal, "on", "off");
  result.perf = switched(wanted.perf, "JITHASH_PERF", env.perf, "1", "0");
  result.compact = wanted.compact;

  const auto mask = [&](std::string_view setting, std::string_view text) {
    result.masked = result.masked | parse_mask(text, [&](std::string_view item) {
                      note(setting, item, "does not take a known feature away, ignored");
                    });
  };
  mask("policy.cpu", wanted.cpu);
  if (env.cpu) mask("JITHASH_CPU", env.cpu);

  if (!wanted.kernels.empty()) {
    result.kernels << wanted.kernels;
    result.kernels_by = "policy";
    if (env.kernel) note("JITHASH_KERNEL", env.kernel, "the policy names kernels, ignored");
  } else if (env.kernel && std::string_view(env.kernel).size() > setting_text::capacity) {
    // Cut, a name could become another one's.
    note("JITHASH_KERNEL", env.kernel, "more than 511 characters, ignored");
  } else if (env.kernel) {
    append_printable(result.kernels, env.kernel);
    result.kernels_by = "JITHASH_KERNEL";
  }
  return result;
}

namespace {

// A policy with its strings beside it.
struct policy_record {
  policy wanted;
  setting_text cpu, kernels;
};

// The address of the policy record, or 0 for none. Its lowest bit says that first use has read it: nobody
// replaces it any more, so whoever sets the bit may read the record without a lock.
constinit std::atomic<std::uintptr_t> kept_policy{0};
constexpr std::uintptr_t in_use = 1;
static_assert(alignof(policy_record) > 1);

constinit std::atomic<const process_facts*> published{nullptr};

// For a process that has no memory at first use.
constinit const process_facts without_memory = [] {
  process_facts facts;
  facts.allowed.code = code_memory::off;
  facts.allowed.code_reason << "out of memory at first use";
  return facts;
}();

// From here on set_policy() changes nothing.
const policy_record* policy_to_use() noexcept {
  return reinterpret_cast<const policy_record*>(kept_policy.fetch_or(in_use, std::memory_order_acq_rel) &
                                                ~in_use);
}

// secure_getenv: nothing in a set-user-id program. An empty variable is as none.
const char* variable(const char* name) noexcept {
#if defined(__linux__)
  const char* const value = secure_getenv(name);
  return value && *value ? value : nullptr;
#else
  (void)name;
  return nullptr;
#endif
}

void settle(process_facts& facts, const policy_record* record) noexcept {
  facts.allowed = combine(record ? &record->wanted : nullptr, {.jit = variable("JITHASH_JIT"),
                                                               .code_memory = variable("JITHASH_CODE_MEMORY"),
                                                               .cpu = variable("JITHASH_CPU"),
                                                               .kernel = variable("JITHASH_KERNEL"),
                                                               .seal = variable("JITHASH_SEAL"),
                                                               .perf = variable("JITHASH_PERF")});
  if (facts.allowed.code == code_memory::off) return;

  const auto start = std::chrono::steady_clock::now();
  facts.cpu = probe_cpu();
  facts.detection_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  facts.features = consistent(facts.cpu.detection.features - facts.allowed.masked);
}

}  // namespace

bool keep_policy(const policy& wanted) noexcept {
  if (wanted.cpu.size() > setting_text::capacity || wanted.kernels.size() > setting_text::capacity)
    return false;
  auto* const record = new (std::nothrow) policy_record{wanted, wanted.cpu, wanted.kernels};
  if (!record) return false;
  record->wanted.cpu = record->cpu.view();
  record->wanted.kernels = record->kernels.view();

  std::uintptr_t current = kept_policy.load(std::memory_order_acquire);
  do {
    if (current & in_use) {
      delete record;
      return false;
    }
  } while (!kept_policy.compare_exchange_weak(current, reinterpret_cast<std::uintptr_t>(record),
                                              std::memory_order_acq_rel, std::memory_order_acquire));
  delete reinterpret_cast<policy_record*>(current);
  return true;
}

const process_facts& this_process() noexcept {
  if (const process_facts* facts = published.load(std::memory_order_acquire)) return *facts;

  const policy_record* const record = policy_to_use();
  auto* const own = new (std::nothrow) process_facts;
  if (own) settle(*own, record);
  const process_facts* current = nullptr;
  const process_facts* const wanted = own ? own : &without_memory;
  if (published.compare_exchange_strong(current, wanted, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
    return *wanted;
  }
  delete own;
  return *current;
}

}  // namespace v0
}  // namespace jithash
