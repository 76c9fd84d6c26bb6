// Names for profilers and debuggers: where they are put, that they are true, and that nothing happens
// unasked.
#include "jit/profiling.hpp"

#include <doctest/doctest.h>

#if JITHASH_JIT
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fresh_process.hpp"
#include "selector.hpp"
#include "support.hpp"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

using namespace jithash;

// As a debugger declares them, which knows nothing of jithash.
extern "C" {
struct debugger_view_entry {
  debugger_view_entry *next, *previous;
  const char* object;
  std::uint64_t size;
};
struct debugger_view {
  std::uint32_t version, action;
  debugger_view_entry *relevant, *first;
};
}
extern debugger_view descriptor_seen __asm__("__jit_debug_descriptor");
extern "C" void __register_frame(const void* eh_frame);

namespace {

struct named_code {
  std::string name;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  const char* frames = nullptr;

  bool operator==(const named_code& other) const {
    return name == other.name && address == other.address && size == other.size;
  }
};

named_code read_object(const debugger_view_entry& entry) {
  named_code found;
  const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(entry.object);
  require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "not an ELF file");
  const auto* const sections = reinterpret_cast<const ElfW(Shdr)*>(entry.object + header.e_shoff);
  const char* const names = entry.object + sections[header.e_shstrndx].sh_offset;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const ElfW(Shdr)& s = sections[i];
    const std::string name = names + s.sh_name;
    require(s.sh_type == SHT_NOBITS || s.sh_offset + s.sh_size <= entry.size, name + " is outside the file");
    if (name == ".eh_frame") found.frames = entry.object + s.sh_offset;
    if (name != ".symtab") continue;
    const auto& symbol = reinterpret_cast<const ElfW(Sym)*>(entry.object + s.sh_offset)[1];
    found.name = entry.object + sections[s.sh_link].sh_offset + symbol.st_name;
    found.address = symbol.st_value;
    found.size = symbol.st_size;
    require(sections[symbol.st_shndx].sh_addr == symbol.st_value, "the symbol is not at its section");
  }
  return found;
}

std::vector<named_code> known_to_debugger() {
  std::vector<named_code> all;
  const debugger_view_entry* before = nullptr;
  for (const auto* entry = descriptor_seen.first; entry; before = entry, entry = entry->next) {
    require(entry->previous == before, "a broken list");
    all.push_back(read_object(*entry));
  }
  return all;
}

std::string map_path() { return "/tmp/perf-" + std::to_string(getpid()) + ".map"; }

std::vector<named_code> known_to_perf() {
  std::vector<named_code> all;
  std::ifstream map(map_path());
  for (std::string line; std::getline(map, line);) {
    named_code found;
    std::istringstream(line) >> std::hex >> found.address >> found.size >> found.name;
    all.push_back(found);
  }
  return all;
}

void sort(std::vector<named_code>& all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

template <class Compression>
named_code truth() {
  const ready_kernel<Compression>& chosen = resolve<Compression>().chosen;
  return {"jithash:" + std::string(chosen.row->name), reinterpret_cast<std::uintptr_t>(chosen.code.entry()),
          chosen.code_bytes};
}

}  // namespace

TEST_SUITE("profiling") {
  TEST_CASE("off by default: no file, nothing registered") {
    const auto outcome = in_fresh_process([](const std::string&) {
      unlink(map_path().c_str());
      warm_up();
      require(known_to_debugger().empty(), "registered");
      require(access(map_path().c_str(), F_OK) != 0, "a file");
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("on request, perf and gdb know every kernel, also when threads race") {
    const auto outcome = in_fresh_process([](const std::string&) {
      unlink(map_path().c_str());
      setenv("JITHASH_PERF", "1", 1);
      std::vector<std::thread> threads;
      threads.emplace_back([] { resolve<sha1_compression>(); });
      threads.emplace_back([] { resolve<sha256_compression>(); });
      threads.emplace_back([] { resolve<sha512_compression>(); });
      for (auto& thread : threads) thread.join();

      std::vector<named_code> expected;
      for (const auto& code :
           {truth<sha1_compression>(), truth<sha256_compression>(), truth<sha512_compression>()}) {
        if (code.size > 0) expected.push_back(code);
      }
      std::vector<named_code> perf = known_to_perf(), debugger = known_to_debugger();
      struct stat facts {};
      require(stat(map_path().c_str(), &facts) == 0 && (facts.st_mode & 0777) == 0600, "the file's mode");
      unlink(map_path().c_str());
      sort(perf);
      sort(debugger);
      require(perf == expected, "perf's map");
      require(debugger == expected, "gdb's list");
      require(descriptor_seen.version == 1 && descriptor_seen.action == 1, "the descriptor");
      require(report().notes.empty(), "a note");
    });
    CHECK(outcome.failure == "");
  }

  TEST_CASE("what lies where perf's map should be is left alone, and told") {
    const auto body = [](const std::string& what) {
      const std::string path = map_path(), other = path + ".other";
      unlink(path.c_str());
      setenv("JITHASH_PERF", "1", 1);
      std::ofstream(other) << "precious";
      if (what == "symlink") require(symlink(other.c_str(), path.c_str()) == 0, "symlink");
      if (what == "hard link") require(link(other.c_str(), path.c_str()) == 0, "link");
      if (what == "fifo") require(mkfifo(path.c_str(), 0600) == 0, "mkfifo");
      if (what == "directory") require(mkdir(path.c_str(), 0700) == 0, "mkdir");
      if (what == "limit") {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_FSIZE, &none);
      }
      warm_up();
      std::string kept;
      std::ifstream(other) >> kept;
      unlink(path.c_str());
      rmdir(path.c_str());
      unlink(other.c_str());
      require(kept == "precious", "written to: " + kept);
      for (const std::string& note : report().notes) tell(note);
      require(report_of("sha1").origin == "jit" && sha1::hash("abc").hex().starts_with("a9993e36"), "sha1");
    };
    const std::string begin = "perf: no line in /tmp/perf-PID.map: ";
    struct obstacle {
      std::string what, why;
    };
    for (const obstacle& one : {obstacle{"symlink", "Too many levels of symbolic links (errno 40)"},
                                {"hard link", "Operation not permitted (errno 1)"},
                                {"fifo", "No such device or address (errno 6)"},
                                {"directory", "Is a directory (errno 21)"},
                                {"limit", "File too large (errno 27)"}}) {
      CAPTURE(one.what);
      const auto outcome = in_fresh_process(body, one.what);
      CHECK(outcome.failure == "");
      CHECK(outcome.output == begin + one.why);
    }
  }

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The compiler's own unwinder reads the frame information that gdb is given: at every single instruction of
  // every kernel it must find the caller, its stack, and the registers that a call keeps.
  namespace {

  constexpr std::array kept_registers{std::pair{3, REG_RBX},  std::pair{6, REG_RBP},  std::pair{12, REG_R12},
                                      std::pair{13, REG_R13}, std::pair{14, REG_R14}, std::pair{15, REG_R15}};

  struct walk {
    std::uintptr_t entry = 0, end = 0;             // the kernel
    std::uintptr_t caller = 0, callers_stack = 0;  // as they were at its entry
    std::array<std::uintptr_t, kept_registers.size()> kept{};
    unsigned steps = 0, wrong = 0;
    std::uintptr_t first_wrong = 0;

    bool in_kernel = false, found = false;  // of one backtrace
  } walked;

  _Unwind_Reason_Code visit_frame(_Unwind_Context* context, void*) {
    const std::uintptr_t at = _Unwind_GetIP(context);
    if (!walked.in_kernel) {
      walked.in_kernel = at >= walked.entry && at < walked.end;
      return _URC_NO_REASON;
    }
    walked.found = at == walked.caller && _Unwind_GetCFA(context) == walked.callers_stack;
    for (std::size_t i = 0; i < kept_registers.size(); ++i)
      walked.found = walked.found && _Unwind_GetGR(context, kept_registers[i].first) == walked.kept[i];
    return _URC_END_OF_STACK;
  }

  void step(int, siginfo_t*, void* context) {
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto value = [&](int which) { return static_cast<std::uintptr_t>(registers[which]); };
    const std::uintptr_t at = value(REG_RIP);
    if (at < walked.entry || at >= walked.end) return;
    if (walked.steps++ == 0) {
      walked.caller = *reinterpret_cast<const std::uintptr_t*>(value(REG_RSP));
      walked.callers_stack = value(REG_RSP) + 8;
      for (std::size_t i = 0; i < kept_registers.size(); ++i)
        walked.kept[i] = value(kept_registers[i].second);
    }
    walked.in_kernel = walked.found = false;
    _Unwind_Backtrace(visit_frame, nullptr);
    const bool right =
        walked.found && value(REG_RBP) == walked.kept[1];  // profilers follow the frame pointer
    if (!right && walked.wrong++ == 0) walked.first_wrong = at - walked.entry;
  }

  template <class Compression>
  void step_through(const std::string& name) {
    if (name.substr(0, name.find('/')) != Compression::name) return;
    setenv("JITHASH_KERNEL", name.c_str(), 1);
    setenv("JITHASH_PERF", "1", 1);
    const ready_kernel<Compression>& chosen = resolve<Compression>().chosen;
    unlink(map_path().c_str());
    if (chosen.row->name != name) return;  // not on this CPU
    const named_code code = known_to_debugger().at(0);
    require(code.frames != nullptr, "no frame information");
    __register_frame(code.frames);
    walked.entry = code.address;
    walked.end = code.address + code.size;

    struct sigaction stepping {};
    stepping.sa_flags = SA_SIGINFO;
    stepping.sa_sigaction = step;
    sigaction(SIGTRAP, &stepping, nullptr);
    std::array<typename Compression::word, Compression::state_words> state{};
    const auto blocks = pattern(2 * Compression::block_size);
    constexpr std::uint64_t trap_flag = 0x100;
    __writeeflags(__readeflags() | trap_flag);
    chosen.compress(state.data(), blocks.data(), 2);
    __writeeflags(__readeflags() & ~trap_flag);
    tell(std::to_string(walked.steps));
    require(walked.steps > 100, "hardly a step");
    std::ostringstream where;
    where << walked.wrong << " steps without the caller, the first at 0x" << std::hex << walked.first_wrong;
    require(walked.wrong == 0, where.str());
  }

  }  // namespace

  TEST_CASE("the frame information is right at every instruction of every kernel") {
    for (const kernel& row : registry()) {
      if (!row.generate) continue;
      CAPTURE(std::string(row.name));
      const auto outcome = in_fresh_process(
          [](const std::string& name) {
            step_through<sha1_compression>(name);
            step_through<sha256_compression>(name);
            step_through<sha512_compression>(name);
          },
          std::string(row.name));
      CHECK(outcome.failure == "");
      MESSAGE(std::string(row.name) << ": " << outcome.output << " steps");
    }
  }
#endif
}
#endif
