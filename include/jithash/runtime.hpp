// Which code runs, who decides, and why: policy before first use, warm-up, and the report.
//
// "First use" is the first call in the process that needs the CPU known: hashing a whole block, warm_up() or
// report(). It reads the policy and the environment, once. Over a policy that was set the environment can only
// restrict; it is ignored in set-user-id programs; docs/runtime.md lists its variables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jithash {
inline namespace v0 {

/// Where generated code may live. In no mode is a page ever writable and executable, and each does what it
/// says or nothing: where the system refuses, portable C++ runs. docs/restricted.md says who refuses what.
enum class code_memory {
  mprotect,  ///< an anonymous mapping, written, then made read + execute
  /// A file without a name (memfd_create), written, sealed, then mapped read + execute. Works also under
  /// PR_SET_MDWE and systemd's MemoryDenyWriteExecute=, which deny the default: for owners of such a process
  /// who want generated code all the same.
  memfd,
  off  ///< no generated code: portable C++ only
};

/// What the owner of the process allows. The defaults suit nearly everybody.
struct policy {
  code_memory code = code_memory::mprotect;
  /// CPU features not to be used, in the syntax of JITHASH_CPU: "-shani,-avx512". Never adds one.
  std::string_view cpu = {};
  /// Kernels to prefer where they can run, in the syntax of JITHASH_KERNEL: "sha256/x86-bmi2,sha1/portable".
  std::string_view kernels = {};
  /// Whether to seal pages of code for the rest of the process (mseal, Linux 6.10). Off because a seccomp
  /// filter may end a process for a system call it does not know.
  bool seal = false;
  /// Whether to name kernels for perf (in /tmp/perf-PID.map) and for gdb (its JIT interface).
  bool perf = false;
  /// Whether to take small loops rather than unrolled code where a kernel has both forms, as half of 32-bit Arm's
  /// do: 1 to 4 KiB instead of 4 to 8, for more instructions a block. For small instruction caches; the choice among
  /// kernels stays the same.
  bool compact = false;
};

/// Sets the policy of the process. False, with nothing changed, after first use, for a list of more than 511
/// characters, or without memory. The strings are copied. Thread safe.
bool set_policy(const policy& wanted) noexcept;

/// Makes every choice now that first use would make later: after it, hashing generates nothing, allocates
/// nothing, takes no lock and makes no system call: a sandbox may close. Thread safe, idempotent. Wants 16
/// KiB of stack.
void warm_up() noexcept;

/// A row of the registry that was not chosen, and why.
struct passed_over_kernel {
  std::string kernel, reason;
};

/// What runs for one compression function: "sha1", "sha256" (also SHA-224) or "sha512" (also SHA-384,
/// SHA-512/t).
struct algorithm_report {
  std::string name;
  std::string kernel;                           ///< "sha256/x86-shani"; empty while not used yet
  std::string origin;                           ///< "jit", "portable", or "not used yet"
  std::size_t code_bytes = 0;                   ///< of generated code
  double generation_us = 0;                     ///< assembling it, microseconds
  double publish_us = 0;                        ///< making it executable
  double self_test_us = 0;                      ///< proving it against the portable kernel
  std::vector<passed_over_kernel> passed_over;  ///< best first
};

/// How generated code is kept, or why there is none.
struct code_memory_report {
  std::string mode;    ///< "mprotect", "memfd" or "off"
  std::string reason;  ///< who decided or what was refused: a variable's name, or the step and its errno
  /// The last step that was refused, and its errno, also where that was a shortage and leaves the mode as it
  /// is: "mprotect", "memfd_create", "RLIMIT_FSIZE". Empty and 0 if none was.
  std::string refused_step;
  int refused_errno = 0;
  bool sealed = false;  ///< whether the pages of code are sealed
};

/// A plain value: nothing in it refers to the library.
struct runtime_report {
  std::string version;  ///< of jithash: "0.1.0"
  /// The CPU's own name; on Arm that of the chip and the implementer and part of the kinds of core, as far as they are
  /// known: "Broadcom BCM2711 (0x41:0xd08)". Or "unknown".
  std::string cpu;
  /// Those that count: seen by all detectors, enabled by the system, not masked. On AArch64 also "in-order", where every
  /// core is known to execute in order.
  std::vector<std::string> features;
  std::vector<std::string> disagreements;  ///< features that only one detector saw: not used
  std::vector<std::string> notes;          ///< settings that had no effect, and why
  double detection_us = 0;                 ///< probing the CPU, microseconds
  code_memory_report code;
  std::vector<algorithm_report> algorithms;
};

/// Says what was chosen so far and why; generates nothing. Counts as first use for set_policy(). Thread safe.
/// Throws std::bad_alloc only.
[[nodiscard]] runtime_report report();

}  // namespace v0
}  // namespace jithash
