#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "jithash/runtime.hpp"
#include "process.hpp"
#include "registry.hpp"

namespace jithash::cli {
namespace {

std::string number(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// ---- for programs ----

// Bytes that are not ASCII (an environment variable may hold any) are read as Latin-1: the result is always
// JSON.
std::string json(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result.append({'\\', c});
    } else if (c >= ' ' && c < '\x7f') {
      result += c;
    } else {
      std::array<char, 8> escaped;
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      result += escaped.data();
    }
  }
  return result += '"';
}

template <class Range, class Element>
std::string json_list(const Range& range, char open, char close, Element&& element) {
  std::string result{open};
  for (const auto& one : range) {
    if (result.size() > 1) result += ", ";
    result += element(one);
  }
  return result += close;
}

std::string json_list(const std::vector<std::string>& texts) {
  return json_list(texts, '[', ']', [](const std::string& text) { return json(text); });
}

std::string json(const algorithm_report& a) {
  const auto passed_over = json_list(a.passed_over, '[', ']', [](const passed_over_kernel& p) {
    return "{\"kernel\": " + json(p.kernel) + ", \"reason\": " + json(p.reason) + "}";
  });
  return "\n    " + json(a.name) + ": {\"kernel\": " + json(a.kernel) + ", \"origin\": " + json(a.origin) +
         ", \"code_bytes\": " + std::to_string(a.code_bytes) +
         ", \"generation_us\": " + number(a.generation_us) + ", \"publish_us\": " + number(a.publish_us) +
         ", \"self_test_us\": " + number(a.self_test_us) + ",\n      \"passed_over\": " + passed_over + "}";
}

std::string json(const code_memory_report& c) {
  return "{\"mode\": " + json(c.mode) + ", \"reason\": " + json(c.reason) +
         ", \"refused_step\": " + json(c.refused_step) +
         ", \"refused_errno\": " + std::to_string(c.refused_errno) +
         ", \"sealed\": " + (c.sealed ? "true" : "false") + "}";
}

std::string json(const runtime_report& r) {
  const auto algorithms =
      json_list(r.algorithms, '{', '}', [](const algorithm_report& a) { return json(a); });
  return "{\n  \"version\": " + json(r.version) + ",\n  \"cpu\": " + json(r.cpu) +
         ",\n  \"features\": " + json_list(r.features) +
         ",\n  \"disagreements\": " + json_list(r.disagreements) + ",\n  \"notes\": " + json_list(r.notes) +
         ",\n  \"detection_us\": " + number(r.detection_us) + ",\n  \"code_memory\": " + json(r.code) +
         ",\n  \"algorithms\": " + algorithms + "\n}\n";
}

// ---- for people ----

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result.append(result.empty() ? "" : " ").append(word);
  return result.empty() ? "none" : result;
}

std::string_view title(std::string_view function) {
  if (function == "sha256") return "SHA-256, SHA-224";
  if (function == "sha512") return "SHA-512, SHA-384, SHA-512/t";
  return "SHA-1";
}

// What is to be said of a row: why it runs, why it does not, or that it would.
std::string fate(const kernel& row, const algorithm_report& a) {
  if (row.name == a.kernel) {
    if (row.generate == nullptr) return "runs: portable C++";
    return "runs: " + std::to_string(a.code_bytes) + " bytes, generated in " + number(a.generation_us) +
           " us, made executable in " + number(a.publish_us) + ", proven in " + number(a.self_test_us);
  }
  for (const auto& [kernel, reason] : a.passed_over) {
    if (kernel == row.name) return reason;
  }
  const cpu_features missing = row.needs - this_process().features;
  if (missing.empty()) return "could run, ranked lower";
  std::string text = "could not run:";
  missing.for_each([&](cpu_feature f) { text.append(" no ").append(name(f)); });
  return text;
}

std::string describe(const algorithm_report& a) {
  std::string text = '\n' + std::string{title(a.name)} + '\n';
  for (const kernel& row : registry()) {
    if (!row.computes(a.name)) continue;
    const bool runs = row.name == a.kernel;
    text.append(runs ? "  * " : "    ")
        .append(padded(std::string{row.name}, 20))
        .append(fate(row, a))
        .append("\n");
  }
  return text;
}

// Remedies, by what the reasons of a report say.
struct remedy {
  std::string_view reason, advice;
};

constexpr std::array remedies{
    remedy{"JITHASH_JIT", "Unset JITHASH_JIT: it switches generated code off."},
    remedy{"JITHASH_CODE_MEMORY", "Unset JITHASH_CODE_MEMORY: it switches generated code off."},
    remedy{"built without", "Build for x86-64 or Arm with -DJITHASH_JIT=ON: this build has no generators."},
    remedy{"no code memory on", "Generated code has only been tried on Linux; there it would run."},
    remedy{"memfd_create refused",
           "The system denies this process files without a name. Unset JITHASH_CODE_MEMORY: the default "
           "needs none."},
    remedy{
        " refused",
        "The system denies this process executable memory: MemoryDenyWriteExecute= of systemd, PR_SET_MDWE,\n"
        "  execmem of SELinux, a seccomp filter. Digests are right all the same; they take longer. An\n"
        "  owner who wants generated code all the same finds in docs/restricted.md what to set."},
    remedy{"JITHASH_KERNEL", "Unset JITHASH_KERNEL: it prefers others to the best kernels."},
    remedy{"switched off", "Unset JITHASH_CPU: it takes away features that better kernels need."},
    remedy{"no code memory", "Give the process more memory, or what else the reasons name."},
    remedy{"out of memory", "Give the process more memory."},
    remedy{"self-test failed",
           "Report a bug, please: generated code computed something wrong and was not used."},
    remedy{"cannot be generated", "Report a bug, please: a generator failed."},
    remedy{"this CPU lacks",
           "Better kernels need features that this CPU lacks. A virtual machine may hide features that the\n"
           "  real CPU has: look at its CPU model."},
};

std::string advice(const runtime_report& r) {
  std::vector<std::string_view> reasons;
  if (r.code.mode == "off") {
    reasons.push_back(r.code.reason);
  } else {
    for (const algorithm_report& a : r.algorithms) {
      for (const passed_over_kernel& p : a.passed_over) reasons.push_back(p.reason);
    }
  }
  std::string text;
  // Every reason has the first remedy that fits; every remedy is told once.
  std::array<bool, remedies.size()> needed{};
  for (const std::string_view reason : reasons) {
    const auto fitting = std::find_if(remedies.begin(), remedies.end(), [=](const remedy& one) {
      return reason.find(one.reason) != reason.npos;
    });
    if (fitting == remedies.end() ||
        std::exchange(needed[static_cast<std::size_t>(fitting - remedies.begin())], true)) {
      continue;
    }
    text.append("  ").append(fitting->advice).append("\n");
  }
  if (!r.disagreements.empty()) {
    text +=
        "  Not used, since only one of the ways to detect them saw them: " + joined(r.disagreements) + ".\n";
  }
  for (const std::string& note : r.notes) text += "  Without effect: " + note + ".\n";
  return "\nWhat to do\n" + (text.empty() ? "  Nothing: the best kernels of this build run.\n" : text);
}

std::string describe(const runtime_report& r) {
  std::string text =
      "jithash " + r.version + " on " + (r.cpu == "unknown" ? "an unknown CPU" : r.cpu) + "\n\n";
  text += "CPU features  ";
  text += r.detection_us == 0 ? "not asked for"
                              : joined(r.features) + "  (found in " + number(r.detection_us) + " us)";
  text += '\n';
  text += "Code memory   " + r.code.mode + ": " + r.code.reason + '\n';
  for (const algorithm_report& a : r.algorithms) text += describe(a);
  return text + advice(r);
}

}  // namespace

int show_info(bool as_json) {
  warm_up();
  const runtime_report r = report();
  print(as_json ? json(r) : describe(r));
  return 0;
}

}  // namespace jithash::cli
