// Hashes where executable memory is denied, and says which code did it:
//
//   restricted none      nothing is denied
//   restricted mdwe      under PR_SET_MDWE
//   restricted seccomp   under the filter of systemd's MemoryDenyWriteExecute=yes
//   restricted memfd     under PR_SET_MDWE, and the policy allows generated code all the same
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "jithash/jithash.hpp"

namespace {

// Linux 6.3: what is writable, or was, cannot become executable.
bool deny_by_prctl() {
  constexpr int set_mdwe = 65, refuse_exec_gain = 1;
  return prctl(set_mdwe, refuse_exec_gain, 0, 0, 0) == 0;
}

// mprotect(PROT_EXEC) fails with EPERM, and mmap(PROT_WRITE | PROT_EXEC) too. A filter in earnest looks at
// the architecture first and knows pkey_mprotect and shmat as well.
bool deny_by_filter() {
#if defined(SYS_mmap)
  constexpr unsigned mmap_number = SYS_mmap;
#else
  constexpr unsigned mmap_number = SYS_mmap2;
#endif
  // The low word, on little-endian machines.
  constexpr unsigned protection = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protection),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 5, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, mmap_number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, protection),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_WRITE | PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),  // EPERM
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof rules / sizeof *rules, rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 2 ? argv[1] : "";
  bool denied = true;
  if (mode == "memfd") {
    jithash::policy policy;
    policy.code = jithash::code_memory::memfd;
    jithash::set_policy(policy);
  }
  if (mode == "mdwe" || mode == "memfd") {
    denied = deny_by_prctl();
  } else if (mode == "seccomp") {
    denied = deny_by_filter();
  } else if (mode != "none") {
    std::fprintf(stderr, "usage: restricted none|mdwe|seccomp|memfd\n");
    return 2;
  }
  if (!denied) {
    std::fprintf(stderr, "this system has no such denial\n");
    return 77;
  }

  jithash::warm_up();
  std::printf("sha256(\"abc\")  %s\n", jithash::sha256::hash("abc").hex().c_str());
  const jithash::runtime_report report = jithash::report();
  std::printf("code memory    %s: %s\n", report.code.mode.c_str(), report.code.reason.c_str());
  for (const auto& algorithm : report.algorithms) {
    std::printf("%-14s %s\n", algorithm.name.c_str(), algorithm.kernel.c_str());
    for (const auto& better : algorithm.passed_over)
      std::printf("               not %s: %s\n", better.kernel.c_str(), better.reason.c_str());
  }
  return 0;
}
