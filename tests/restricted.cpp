// Where code may not be generated: each environment for real, in a process of its own, with every mode of
// code memory. The digests are always right, and the report says what was refused.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fresh_process.hpp"
#include "seccomp.hpp"
#include "support.hpp"

using namespace jithash;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#if defined(JITHASH_TEST_EMULATED)
constexpr bool emulated = true;
#else
constexpr bool emulated = false;
#endif

// Digests by all algorithms: OpenSSL's first, jithash's at any time later, without a system call.
class all_digests {
 public:
  all_digests() : message_(pattern(10'000)) {
    for_each_hasher([&]<class Hasher>(const char* name) {
      for (const std::size_t size : sizes) {
        const auto digest = Hasher::digest_type::from_hex(openssl_hex(name, message_.data(), size));
        expected_.insert(expected_.end(), digest->data(), digest->data() + digest->size());
      }
    });
  }

  [[nodiscard]] bool right() const {
    bool all = true;
    const std::byte* expected = expected_.data();
    for_each_hasher([&]<class Hasher>(const char*) {
      for (const std::size_t size : sizes) {
        const auto digest = Hasher::hash(message_.data(), size);
        all = std::equal(digest.data(), digest.data() + digest.size(), expected) && all;
        expected += digest.size();
      }
    });
    return all;
  }

  void check(const std::string& where) const { require(right(), where + ": wrong digest"); }

 private:
  static constexpr std::array<std::size_t, 5> sizes{0, 3, 64, 200, 10'000};
  std::vector<std::byte> message_, expected_;
};

int status_of(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// ---- environments: each restricts this process and says "", or why it cannot be had here ----

std::string limit(decltype(RLIMIT_AS) which) {
  const rlimit none{0, 0};
  require(setrlimit(which, &none) == 0, "setrlimit");
  return "";
}

std::string filter(seccomp_filter& rules) {
  if (!rules.install(SECCOMP_RET_ALLOW)) {
    require(errno == EINVAL || errno == ENOSYS, "no seccomp filter: errno " + std::to_string(errno));
    return "no seccomp filters";
  }
  return "";
}

// vm.memfd_noexec is one to a PID namespace: goes on in the first process of a new one.
std::string memfd_noexec(const char* value) {
  if (geteuid() != 0 || unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) return "needs root";
  if (const pid_t child = fork()) {
    require(status_of(child) == 0, "in the PID namespace");
    _exit(0);
  }
  const int file = open("/proc/sys/vm/memfd_noexec", O_WRONLY | O_CLOEXEC);
  const bool set = file >= 0 && write(file, value, 1) == 1;
  close(file);
  return set ? "" : "vm.memfd_noexec cannot be set";
}

struct environment {
  const char* name;
  std::string (*enter)();
  // "mode, origin", then the step that was refused and its errno.
  const char *with_mprotect, *with_memfd;
};

const environment environments[] = {
    {"nothing restricted", [] { return std::string(); }, "mprotect, jit", "memfd, jit"},
    {"PR_SET_MDWE",
     [] {
       // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN (Linux 6.3).
       return std::string(prctl(65, 1, 0, 0, 0) == 0 ? "" : "no PR_SET_MDWE");
     },
     "off, portable, mprotect 13", "memfd, jit"},
    {"MemoryDenyWriteExecute=yes", [] { return filter(seccomp_filter().deny_write_execute()); },
     "off, portable, mprotect 1", "memfd, jit"},
    {"MemoryDenyWriteExecute=yes without memfd_create",
     [] { return filter(seccomp_filter().deny_write_execute().on(SYS_memfd_create, answer(EPERM))); },
     "off, portable, mprotect 1", "off, portable, memfd_create 1"},
    {"a container that does not know memfd_create",
     [] { return filter(seccomp_filter().on(SYS_memfd_create, answer(ENOSYS))); }, "mprotect, jit",
     "off, portable, memfd_create 38"},
    {"an old kernel without MFD_NOEXEC_SEAL",
     [] { return filter(seccomp_filter().on(SYS_memfd_create, 1, 0x8, answer(EINVAL))); }, "mprotect, jit",
     "memfd, jit"},
    {"no executable mapping of a file, as by SELinux or a noexec memfd",
     [] { return filter(seccomp_filter().on(mmap_number, 2, PROT_EXEC, answer(EACCES))); }, "mprotect, jit",
     "off, portable, mmap 13"},
    {"a filter that kills for mseal, which libseccomp may not know",
     [] { return filter(seccomp_filter().on(mseal_number, SECCOMP_RET_KILL_PROCESS)); }, "mprotect, jit",
     "memfd, jit"},
    {"seals refused", [] { return filter(seccomp_filter().on(SYS_fcntl, 1, F_ADD_SEALS, answer(EPERM))); },
     "mprotect, jit", "off, portable, F_ADD_SEALS 1"},
    {"noexec /tmp and /dev/shm, vm.memfd_noexec=1",
     [] {
       if (std::string missing = memfd_noexec("1"); !missing.empty()) return missing;
       require(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                   mount("tmpfs", "/tmp", "tmpfs", MS_NOEXEC, nullptr) == 0 &&
                   mount("tmpfs", "/dev/shm", "tmpfs", MS_NOEXEC, nullptr) == 0,
               "mount");
       return std::string();
     },
     "mprotect, jit", "memfd, jit"},
    {"vm.memfd_noexec=2", [] { return memfd_noexec("2"); }, "mprotect, jit", "memfd, jit"},
    {"RLIMIT_NOFILE=0",
     [] {
       // UndefinedBehaviorSanitizer opens a pipe to look at an address.
       return sanitized ? std::string("the limit would not be the library's") : limit(RLIMIT_NOFILE);
     },
     "mprotect, jit", "memfd, portable, memfd_create 24"},
    {"RLIMIT_AS exhausted",
     [] {
       if (sanitized || emulated) return std::string("the limit would not be the library's");
       // What malloc needs is there: only pages for code are not.
       mallopt(M_MMAP_MAX, 0);
       mallopt(M_TRIM_THRESHOLD, 1 << 30);
       void* volatile reserve = std::malloc(8 << 20);
       std::free(reserve);
       return limit(RLIMIT_AS);
     },
     "mprotect, portable, mmap 12", "memfd, portable, mmap 12"},
    {"RLIMIT_FSIZE=0",
     [] {
       // qemu writes files of its own, such as the /proc/cpuinfo it shows.
       return emulated ? std::string("the limit would not be the library's") : limit(RLIMIT_FSIZE);
     },
     "mprotect, jit", "memfd, portable, RLIMIT_FSIZE 27"},
    {"an empty root directory, no /proc, no /sys",
     [] {
       char name[] = "/tmp/jithash_test_XXXXXX";
       require(mkdtemp(name) && chdir(name) == 0 && rmdir(name) == 0, "mkdtemp");
       if (chroot(".") != 0) return std::string("needs root");
       require(open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC) < 0, "/proc is still there");
       return std::string();
     },
     "mprotect, jit", "memfd, jit"},
};

// "3 memfd": the environment and the mode.
void hash_in_environment(const std::string& which) {
  const environment& place = environments[std::stoul(which)];
  policy allowed;
  if (which.ends_with("memfd")) allowed.code = code_memory::memfd;
  require(set_policy(allowed), "set_policy");
  const all_digests digests;
  if (const std::string missing = place.enter(); !missing.empty()) {
    tell("not here: " + missing);
    _exit(0);
  }

  digests.check("first use");
  const runtime_report r = report();
  for (const algorithm_report& a : r.algorithms) {
    require(a.origin == r.algorithms[0].origin, a.name + " is " + a.origin);
  }
  std::string found = r.code.mode + ", " + r.algorithms[0].origin;
  if (r.code.refused_errno != 0) {
    found += ", " + r.code.refused_step + " " + std::to_string(r.code.refused_errno);
    const std::string told =
        "no code memory: " + r.code.refused_step + ", errno " + std::to_string(r.code.refused_errno);
    for (const algorithm_report& a : r.algorithms) {
      require(!a.passed_over.empty() && a.passed_over.back().reason == told,
              a.name + ": " + (a.passed_over.empty() ? "nothing" : a.passed_over.back().reason));
    }
  }
  tell(found);
  for (const char* permissions : {"rwx", "-wx"}) {
    for (const auto& line : mappings_with(permissions)) require(false, line);
  }
  warm_up();
  digests.check("afterwards");
  _exit(0);
}

std::size_t open_descriptors() {
  namespace fs = std::filesystem;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

// Runs in a child of this process, which comes to no harm if a filter kills it, and gives its wait status.
int in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    const bool ok = body();
    syscall(SYS_exit_group, ok ? 0 : 1);  // not what sanitizers do at exit
  }
  return status_of(child);
}

bool killed_by_filter(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS; }

bool have_filters() { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 && !emulated; }

void use_mode(const std::string& mode) {
  policy allowed;
  allowed.code = mode == "memfd" ? code_memory::memfd : code_memory::mprotect;
  if (mode == "off") allowed.code = code_memory::off;
  require(set_policy(allowed), "set_policy");
}

}  // namespace

TEST_SUITE("restricted") {
  TEST_CASE("every environment, every mode: the right digest, the right report, no crash") {
    for (std::size_t i = 0; i < std::size(environments); ++i) {
      const environment& place = environments[i];
      CAPTURE(std::string(place.name));
      for (const bool memfd : {false, true}) {
        CAPTURE(memfd);
        const auto outcome =
            in_fresh_process(hash_in_environment, std::to_string(i) + (memfd ? " memfd" : " mprotect"));
        CHECK(outcome.failure == "");
        if (outcome.output.starts_with("not here")) {
          MESSAGE(std::string(place.name) << ": " << outcome.output);
        } else {
          CHECK(outcome.output == (memfd ? place.with_memfd : place.with_mprotect));
        }
      }
    }
  }

  TEST_CASE("after warm_up, hashing makes no system call at all") {
    for (const char* mode : {"mprotect", "memfd", "off"}) {
      CAPTURE(mode);
      const auto outcome = in_fresh_process(
          [](const std::string& how) {
            if (!have_filters()) return;
            use_mode(how);
            const all_digests digests;
            const auto hash_in_sandbox = [&] {
              seccomp_filter nothing;
              for (const long allowed : {SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn})
                nothing.on(allowed, SECCOMP_RET_ALLOW);
              return nothing.install(SECCOMP_RET_KILL_PROCESS) && digests.right();
            };
            // Without warm_up() the filter kills, or it would prove nothing.
            if (how != "off")
              require(killed_by_filter(in_child(hash_in_sandbox)), "the filter does not kill");
            warm_up();
            const int status = in_child(hash_in_sandbox);
            require(!killed_by_filter(status), "a system call after warm_up");
            require(status == 0, "wrong digest in the sandbox");
          },
          mode);
      CHECK(outcome.failure == "");
    }
  }

  TEST_CASE("generated code off: nothing executable is mapped, and nobody looks at the CPU") {
    const auto outcome = in_fresh_process([](const std::string&) {
      if (!have_filters()) return;
      const all_digests digests;
      // malloc may ask for memory; nothing may be opened or made executable.
      const auto hash_in_sandbox = [&] {
        seccomp_filter memory_only;
        memory_only.on(mmap_number, 2, PROT_EXEC, SECCOMP_RET_KILL_PROCESS);
        for (const long allowed : {mmap_number, long{SYS_munmap}, long{SYS_brk}, long{SYS_write},
                                   long{SYS_exit_group}, long{SYS_clock_gettime}})
          memory_only.on(allowed, SECCOMP_RET_ALLOW);
        if (!memory_only.install(SECCOMP_RET_KILL_PROCESS)) return false;
        warm_up();
        return digests.right() && report().algorithms.size() == 3;
      };
      require(killed_by_filter(in_child(hash_in_sandbox)), "the filter does not kill");
      setenv("JITHASH_JIT", "off", 1);
      const int status = in_child(hash_in_sandbox);
      require(!killed_by_filter(status), "a system call too many");
      require(status == 0, "wrong digest");
    });
    CHECK(outcome.failure == "");
  }

#if defined(__x86_64__)
  TEST_CASE("a denial is asked for once, and nothing is ever writable and executable") {
    for (const char* mode : {"mprotect", "memfd"}) {
      CAPTURE(mode);
      const auto outcome = in_fresh_process(
          [](const std::string& how) {
            static volatile sig_atomic_t protects, creations, write_executes;
            struct sigaction counting {};
            counting.sa_flags = SA_SIGINFO;
            counting.sa_sigaction = [](int, siginfo_t* what, void* context) {
              if (what->si_syscall == SYS_mprotect) protects = protects + 1;
              if (what->si_syscall == SYS_memfd_create) creations = creations + 1;
              if (what->si_syscall == SYS_mmap) write_executes = write_executes + 1;
              static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
            };
            sigaction(SIGSYS, &counting, nullptr);
            use_mode(how);
            const all_digests digests;
            require(seccomp_filter()
                        .on(SYS_mprotect, 2, PROT_EXEC, SECCOMP_RET_TRAP)
                        .on(SYS_memfd_create, SECCOMP_RET_TRAP)
                        .on(SYS_mmap, 2, PROT_WRITE | PROT_EXEC, SECCOMP_RET_TRAP)
                        .install(SECCOMP_RET_ALLOW),
                    "no filter");
            warm_up();
            digests.check("denied");
            tell(std::to_string(protects) + " mprotect, " + std::to_string(creations) + " memfd_create, " +
                 std::to_string(write_executes) + " W+X");
          },
          mode);
      CHECK(outcome.failure == "");
      CHECK(outcome.output == (std::string(mode) == "memfd" ? "0 mprotect, 1 memfd_create, 0 W+X"
                                                            : "1 mprotect, 0 memfd_create, 0 W+X"));
    }
  }
#endif

  TEST_CASE("JITHASH_CODE_MEMORY=memfd counts where no policy was set, and is told where one was") {
    const auto body = [](const std::string& with_policy) {
      setenv("JITHASH_CODE_MEMORY", "memfd", 1);
      if (!with_policy.empty()) require(set_policy({}), "set_policy");
      all_digests{}.check("first use");
      const runtime_report r = report();
      tell(r.code.mode + ": " + r.code.reason);
      for (const std::string& note : r.notes) tell("; " + note);
    };
    const auto alone = in_fresh_process(body);
    CHECK(alone.failure == "");
    CHECK(alone.output == "memfd: JITHASH_CODE_MEMORY=memfd");
    const auto decided = in_fresh_process(body, "policy");
    CHECK(decided.failure == "");
    CHECK(decided.output == "mprotect: default; JITHASH_CODE_MEMORY: memfd: the policy decides, ignored");
  }

  TEST_CASE("no descriptor stays open and no second mapping, whatever was refused") {
    for (const char* mode : {"mprotect", "memfd", "off"}) {
      CAPTURE(mode);
      const auto outcome = in_fresh_process(
          [](const std::string& how) {
            use_mode(how);
            const std::size_t before = open_descriptors();
            warm_up();
            all_digests{}.check(how);
            require(open_descriptors() == before, "descriptors: " + std::to_string(open_descriptors()));
            std::size_t files = 0, executable = 0;
            for (const char* permissions : {"r", "-"}) {
              for (const std::string& line : mappings_with(permissions)) {
                if (line.find("/memfd:jithash") == std::string::npos) continue;
                ++files;
                executable += line.find(" r-xp ") != std::string::npos;
              }
            }
            require(files == executable, "a memfd is mapped in another way too");
            require((files > 0) == (how == "memfd"), std::to_string(files) + " mappings of a memfd");
          },
          mode);
      CHECK(outcome.failure == "");
    }
    // Each step of the memfd refused in turn.
    for (const long refused : {long{SYS_memfd_create}, long{SYS_fcntl}, mmap_number}) {
      CAPTURE(refused);
      const auto outcome = in_fresh_process(
          [](const std::string& number) {
            if (!have_filters()) return;
            use_mode("memfd");
            const all_digests digests;
            const std::size_t before = open_descriptors();
            const long call = std::stol(number);
            seccomp_filter rules;
            if (call == SYS_memfd_create) rules.on(call, answer(ENOMEM));
            if (call == SYS_fcntl) rules.on(call, 1, F_ADD_SEALS, answer(ENOMEM));
            if (call == mmap_number) rules.on(call, 2, PROT_EXEC, answer(ENOMEM));
            require(rules.install(SECCOMP_RET_ALLOW), "no filter");
            digests.check("refused");
            require(open_descriptors() == before, "descriptors: " + std::to_string(open_descriptors()));
            require(report_of("sha256").origin == "portable", "not refused");
          },
          std::to_string(refused));
      CHECK(outcome.failure == "");
    }
  }

  TEST_CASE("fork after first use: both go on hashing, and the child's end harms nobody") {
    for (const char* mode : {"mprotect", "memfd"}) {
      CAPTURE(mode);
      const auto outcome = in_fresh_process(
          [](const std::string& how) {
            use_mode(how);
            const all_digests digests;
            require(digests.right(), "before");
            const std::string kernel = report_of("sha256").kernel;
            const int status =
                in_child([&] { return digests.right() && report_of("sha256").kernel == kernel; });
            require(status == 0, "in the child");
            require(digests.right(), "after the child");
          },
          mode);
      CHECK(outcome.failure == "");
    }
  }

  TEST_CASE("sealed on request: the page can neither be changed nor unmapped; without mseal, a note") {
    for (const char* mode : {"mprotect", "memfd"}) {
      CAPTURE(mode);
      const auto outcome = in_fresh_process(
          [](const std::string& how) {
            policy allowed;
            allowed.code = how == "memfd" ? code_memory::memfd : code_memory::mprotect;
            allowed.seal = true;
            require(set_policy(allowed), "set_policy");
            const std::vector<std::string> before = mappings_with("r-xp");
            warm_up();
            all_digests{}.check("sealed");
            const runtime_report r = report();
            if (!r.code.sealed) {
              require(r.notes.size() == 1 && r.notes[0].starts_with("seal: mseal refused: "), "no note");
              tell(r.notes[0]);
              return;
            }
            require(r.notes.empty(), "a note");
            std::size_t pages = 0;
            for (const std::string& line : mappings_with("r-xp")) {
              if (std::find(before.begin(), before.end(), line) != before.end()) continue;
              ++pages;
              auto* const page = reinterpret_cast<void*>(std::stoul(line, nullptr, 16));
              require(mprotect(page, 4096, PROT_READ) != 0 && errno == EPERM, "mprotect: " + line);
              require(munmap(page, 4096) != 0 && errno == EPERM, "munmap: " + line);
            }
            require(pages > 0, "no page of code");
            all_digests{}.check("afterwards");
          },
          mode);
      CHECK(outcome.failure == "");
      if (!outcome.output.empty()) MESSAGE(outcome.output);
    }
    const auto refused = in_fresh_process([](const std::string&) {
      if (!have_filters()) return;
      setenv("JITHASH_SEAL", "on", 1);
      const all_digests digests;
      require(seccomp_filter().on(mseal_number, answer(ENOSYS)).install(SECCOMP_RET_ALLOW), "no filter");
      digests.check("not sealed");
      const runtime_report r = report();
      require(!r.code.sealed && r.code.mode == "mprotect" && r.algorithms[1].origin == "jit", r.code.mode);
      if (r.notes.size() != 1) require(false, "notes: " + std::to_string(r.notes.size()));
      require(r.notes[0] == "seal: mseal refused: Function not implemented (errno 38)", r.notes[0]);
    });
    CHECK(refused.failure == "");
  }
}
