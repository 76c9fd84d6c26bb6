// A seccomp filter, written as BPF by hand: system calls answered by number and by the bits of an argument.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__x86_64__)
inline constexpr std::uint32_t audit_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
inline constexpr std::uint32_t audit_architecture = AUDIT_ARCH_AARCH64;
#elif defined(__arm__)
inline constexpr std::uint32_t audit_architecture = AUDIT_ARCH_ARM;
#endif

#if defined(SYS_mmap)
inline constexpr long mmap_number = SYS_mmap;
#else
inline constexpr long mmap_number = SYS_mmap2;
#endif
inline constexpr long mseal_number = 462;  // newer than Debian 12's headers

inline constexpr std::uint32_t answer(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

class seccomp_filter {
 public:
  seccomp_filter() {
    load(offsetof(seccomp_data, arch));
    skip(audit_architecture, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  seccomp_filter& on(long number, std::uint32_t action) {
    skip(static_cast<std::uint32_t>(number), 0, 1);
    give(action);
    return *this;
  }

  /// Where all of `bits` are set in an argument.
  seccomp_filter& on(long number, unsigned argument, std::uint32_t bits, std::uint32_t action) {
    skip(static_cast<std::uint32_t>(number), 0, 5);
    load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));  // its low word: little-endian
    program_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
    skip(bits, 0, 1);
    give(action);
    load(offsetof(seccomp_data, nr));
    return *this;
  }

  /// What systemd installs for MemoryDenyWriteExecute=yes.
  seccomp_filter& deny_write_execute() {
    on(mmap_number, 2, PROT_EXEC | PROT_WRITE, answer(EPERM));
    on(SYS_mprotect, 2, PROT_EXEC, answer(EPERM));
    on(SYS_pkey_mprotect, 2, PROT_EXEC, answer(EPERM));
    return on(SYS_shmat, 2, SHM_EXEC, answer(EPERM));
  }

  /// For the rest of the process. False where the system has no filters (emulators).
  bool install(std::uint32_t otherwise) {
    give(otherwise);
    const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  void load(std::size_t offset) {
    program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void skip(std::uint32_t value, std::uint8_t if_equal, std::uint8_t otherwise) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, if_equal, otherwise));
  }
  void give(std::uint32_t action) { program_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

  std::vector<sock_filter> program_;
};
