// What is settled once per process, at first use: what policy and environment allow, and what the CPU can do.
#pragma once

#include <string_view>

#include "cpu_features.hpp"
#include "fixed_text.hpp"
#include "jithash/runtime.hpp"

namespace jithash {
inline namespace v0 {

/// A list of at most 511 characters, as policy and environment give them.
using setting_text = fixed_text<511>;

/// The environment's part of the settings; null where a variable is not set.
struct environment {
  const char* jit = nullptr;          // JITHASH_JIT
  const char* code_memory = nullptr;  // JITHASH_CODE_MEMORY
  const char* cpu = nullptr;          // JITHASH_CPU
  const char* kernel = nullptr;       // JITHASH_KERNEL
  const char* seal = nullptr;         // JITHASH_SEAL
  const char* perf = nullptr;         // JITHASH_PERF
};

/// What may be done, and who said so.
struct settings {
  code_memory code = code_memory::mprotect;
  fixed_text<64> code_reason;  ///< who chose that; empty if nobody did
  bool seal = false, perf = false, compact = false;
  cpu_features masked;
  setting_text kernels;         ///< to prefer, in this order
  std::string_view kernels_by;  ///< "policy" or "JITHASH_KERNEL"
  fixed_text<1024> notes;       ///< settings without effect, one to a line
  bool more_notes = false;      ///< than there was room for
};

/// Over a policy that was set the environment can only restrict; `wanted` is null where nobody set one. A pure
/// function.
[[nodiscard]] settings combine(const policy* wanted, const environment& env) noexcept;

/// Settled at first use, never changed after it.
struct process_facts {
  settings allowed;
  cpu_identity cpu;       ///< empty where no code is generated: then nobody asks
  cpu_features features;  ///< the CPU's without the masked ones
  double detection_us = 0;
};

/// The facts, settled by the first call. No lock: a child forked at any moment finds them or settles its own.
/// (cpuinfo has a pthread_once, which glibc begins anew in a child.)
[[nodiscard]] const process_facts& this_process() noexcept;

/// set_policy()'s part: false after first use.
[[nodiscard]] bool keep_policy(const policy& wanted) noexcept;

}  // namespace v0
}  // namespace jithash
