#include "jithash/runtime.hpp"

#include <system_error>

#include "jit/profiling.hpp"
#include "selector.hpp"

namespace jithash {
inline namespace v0 {
namespace {

std::vector<std::string> names_of(cpu_features features) {
  std::vector<std::string> names;
  features.for_each([&](cpu_feature f) { names.emplace_back(name(f)); });
  return names;
}

// "Permission denied (errno 13)".
std::string error_text(int error) {
  return std::generic_category().message(error) + " (errno " + std::to_string(error) + ")";
}

code_memory_report report_code_memory(const settings& allowed) {
  code_memory_report result;
  result.mode = allowed.code == code_memory::off     ? "off"
                : allowed.code == code_memory::memfd ? "memfd"
                                                     : "mprotect";
  result.reason = allowed.code_reason.empty() ? "default" : allowed.code_reason.view();
  if (const code_memory_error refusal = code_memory_refusal()) {
    result.refused_step = refusal.step_name();
    result.refused_errno = refusal.error;
    if (refusal.lasts()) {
      result.mode = "off";
      result.reason = result.refused_step + " refused: " + error_text(refusal.error);
    }
  }
  return result;
}

template <class Compression>
algorithm_report report_algorithm() {
  algorithm_report result;
  result.name = Compression::name;
  const selection<Compression>* const made = resolved<Compression>();
  if (!made) {
    result.origin = "not used yet";
    return result;
  }
  const ready_kernel<Compression>& chosen = made->chosen;
  result.kernel = chosen.row->name;
  result.origin = chosen.row->generate ? "jit" : "portable";
  result.code_bytes = chosen.code_bytes;
  result.generation_us = chosen.generation_us;
  result.publish_us = chosen.publish_us;
  result.self_test_us = chosen.self_test_us;
  const std::span<const kernel> rows = registry();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].computes(Compression::name) || rows[i].name == chosen.row->name) continue;
    if (made->passed_over[i].empty()) continue;
    result.passed_over.push_back({std::string(rows[i].name), std::string(made->passed_over[i].view())});
  }
  return result;
}

// A line for each setting without effect; kernels by what became of them.
std::vector<std::string> report_notes(const settings& allowed) {
  std::vector<std::string> notes;
  std::string_view lines = allowed.notes.view();
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    notes.emplace_back(lines.substr(0, end));
    lines = end == std::string_view::npos ? std::string_view{} : lines.substr(end + 1);
  }
  if (allowed.more_notes) notes.emplace_back("and more");
  for_each_item(allowed.kernels.view(), [&](std::string_view wanted) {
    for (const kernel& row : registry()) {
      if (row.name == wanted) return;
    }
    notes.push_back(std::string(allowed.kernels_by) + ": " + std::string(wanted) +
                    ": no such kernel, ignored");
  });
  if (const code_memory_error refusal = seal_refusal()) {
    notes.push_back("seal: " + std::string(refusal.step_name()) + " refused: " + error_text(refusal.error));
  }
  if (const int error = perf_map_error()) {
    notes.push_back("perf: no line in /tmp/perf-PID.map: " + error_text(error));
  }
  return notes;
}

}  // namespace

bool set_policy(const policy& wanted) noexcept { return keep_policy(wanted); }

void warm_up() noexcept {
  resolve<sha1_compression>();
  resolve<sha256_compression>();
  resolve<sha512_compression>();
}

runtime_report report() {
  const process_facts& facts = this_process();
  runtime_report result;
  result.version = JITHASH_VERSION;
  result.cpu = facts.cpu.name.empty() ? "unknown" : facts.cpu.name.view();
  result.features = names_of(facts.features);
  result.disagreements = names_of(facts.cpu.detection.disagreements);
  result.notes = report_notes(facts.allowed);
  result.detection_us = facts.detection_us;
  result.code = report_code_memory(facts.allowed);
  result.algorithms = {report_algorithm<sha1_compression>(), report_algorithm<sha256_compression>(),
                       report_algorithm<sha512_compression>()};
  for (const algorithm_report& a : result.algorithms) {
    if (a.code_bytes > 0) result.code.sealed = facts.allowed.seal && !seal_refusal();
  }
  return result;
}

}  // namespace v0
}  // namespace jithash
