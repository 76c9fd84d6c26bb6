#include "jit/profiling.hpp"

#include <atomic>

#if JITHASH_JIT && defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "fixed_text.hpp"
#include "jit/code_memory.hpp"
#endif

namespace jithash {
inline namespace v0 {
namespace {

constinit std::atomic<int> map_error{0};

}  // namespace

int perf_map_error() noexcept { return map_error.load(std::memory_order_relaxed); }

#if JITHASH_JIT && defined(__linux__)

// The linker's name for the first bytes of this program or library.
extern "C" const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

namespace {

using symbol_text = fixed_text<80>;

// ---- perf ----

// Everybody may create files in /tmp: only a plain file of this user's, by this name alone, is written to.
int append(int file, std::string_view line) noexcept {
  struct stat facts {};
  if (fstat(file, &facts) != 0) return errno;
  if (!S_ISREG(facts.st_mode) || facts.st_uid != geteuid() || facts.st_nlink != 1) return EPERM;
  if (!file_size_allowed(static_cast<std::uint64_t>(facts.st_size) + line.size())) return EFBIG;
  return write(file, line.data(), line.size()) < 0 ? errno : 0;
}

int add_to_perf_map(std::string_view symbol, const std::byte* entry, std::size_t size) noexcept {
  fixed_text<128> line;
  line.append_hexadecimal(reinterpret_cast<std::uintptr_t>(entry)) << " ";
  line.append_hexadecimal(size) << " " << symbol << "\n";

  fixed_text<40> path("/tmp/perf-");
  path << getpid() << ".map";
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return errno;
  const int error = append(file, line.view());
  close(file);
  return error;
}

// ---- gdb: an object file in memory that holds a symbol, and how to unwind ----

// Call frame information (DWARF 5 section 6.4) as .eh_frame has it (System V ABI for x86-64).
class frame_information {
 public:
  static constexpr std::size_t capacity = 512;  // sixteen registers pushed and popped take under 400

  frame_information(const std::byte* entry, std::size_t size, const frame_layout& frame) noexcept {
    record([&] {  // what frames have in common: at the entry, the return address lies at the stack pointer
      put(std::uint32_t{0});
      put(std::uint8_t{1});
      for (const char c : {'z', 'R', '\0'}) put(c);
      for (const int field : {1, 0x78, return_address, 1, 0})
        byte(field);  // factors 1 and -8, absolute pointers
      for (const int field : {def_cfa, stack_pointer, 8, offset | return_address, 1}) byte(field);
    });
    record([&] {
      put(static_cast<std::uint32_t>(size_));
      put(reinterpret_cast<std::uintptr_t>(entry));
      put(static_cast<std::uintptr_t>(size));
      byte(0);
      describe(frame);
    });
    put(std::uint32_t{0});
  }

  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  // Operations, and registers by their DWARF numbers.
  static constexpr int advance_loc4 = 0x04, same_value = 0x08, def_cfa = 0x0c, def_cfa_offset = 0x0e,
                       offset = 0x80;
  static constexpr int stack_pointer = 7, return_address = 16;

  static int dwarf_number(unsigned reg) noexcept {
    constexpr std::array<int, 8> low{0, 2, 1, 3, 7, 6, 4, 5};
    return reg < low.size() ? low[reg] : static_cast<int>(reg);
  }
  // push and pop are one byte long, or two for the registers that came with 64 bits.
  static std::uint32_t push_length(unsigned reg) noexcept { return reg < 8 ? 1 : 2; }

  // The prologue pushes registers in the order of their numbers and lowers the stack; the epilogue undoes it.
  void describe(const frame_layout& frame) noexcept {
    std::uint32_t at = frame.begin, depth = 8, pops = 0;
    for (unsigned reg = 0; reg < 16; ++reg) {
      if (!(frame.pushed >> reg & 1)) continue;
      pops += push_length(reg);
      row(at += push_length(reg), depth += 8);
      byte(offset | dwarf_number(reg));
      unsigned_number(depth / 8);
    }
    row(frame.body, depth + frame.stack);
    row(at = frame.end - 1 - pops, depth);
    for (unsigned reg = 16; reg-- > 0;) {
      if (!(frame.pushed >> reg & 1)) continue;
      row(at += push_length(reg), depth -= 8);
      byte(same_value);
      unsigned_number(static_cast<unsigned>(dwarf_number(reg)));
    }
  }

  // From offset `at` on, the caller's stack begins `depth` bytes above the stack pointer.
  void row(std::uint32_t at, std::uint32_t depth) noexcept {
    byte(advance_loc4);
    put(at - at_);
    at_ = at;
    byte(def_cfa_offset);
    unsigned_number(depth);
  }

  template <class Content>
  void record(Content&& content) noexcept {
    const std::size_t begin = size_;
    put(std::uint32_t{0});
    content();
    while (size_ % sizeof(std::uintptr_t) != 0) byte(0);
    const auto length = static_cast<std::uint32_t>(size_ - begin - sizeof(std::uint32_t));
    std::memcpy(bytes_.data() + begin, &length, sizeof length);
  }

  void byte(int value) noexcept { put(static_cast<std::uint8_t>(value)); }
  void unsigned_number(std::uint32_t value) noexcept {
    for (; value >= 0x80; value >>= 7) byte(static_cast<int>((value & 0x7f) | 0x80));
    byte(static_cast<int>(value));
  }
  template <class Value>
  void put(Value value) noexcept {
    std::memcpy(bytes_.data() + size_, &value, sizeof value);
    size_ += sizeof value;
  }

  std::array<std::byte, capacity> bytes_{};
  std::size_t size_ = 0;
  std::uint32_t at_ = 0;
};

struct object_file {
  enum section : unsigned { null, text, symtab, strtab, eh_frame, section_count };
  static constexpr char section_names[] = "\0.text\0.symtab\0.strtab\0.eh_frame";

  ElfW(Ehdr) header{};
  std::array<ElfW(Shdr), section_count> sections{};
  std::array<ElfW(Sym), 2> symbols{};
  std::array<char, sizeof section_names + symbol_text::capacity + 1> strings{};
  alignas(8) std::array<std::byte, frame_information::capacity> frames{};

  object_file(std::string_view symbol, const std::byte* entry, std::size_t size,
              const frame_layout& frame) noexcept {
    // Of the same machine, class and byte order as what it is a part of.
    header = __ehdr_start;
    header.e_type = ET_EXEC;
    header.e_entry = 0;
    header.e_phoff = 0;
    header.e_phnum = 0;
    header.e_shoff = offset_of(sections);
    header.e_shentsize = sizeof(ElfW(Shdr));
    header.e_shnum = frame.end != 0 ? section_count : section_count - 1;
    header.e_shstrndx = strtab;

    std::copy(std::begin(section_names), std::end(section_names), strings.begin());
    std::copy(symbol.begin(), symbol.end(), strings.begin() + sizeof section_names);

    const auto address = reinterpret_cast<ElfW(Addr)>(entry);
    ElfW(Sym)& function = symbols[1];
    function.st_name = sizeof section_names;
    function.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);  // the same for both classes
    function.st_shndx = text;
    function.st_value = address;
    function.st_size = size;

    describe(text, 1, SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0, size);
    sections[text].sh_addr = address;
    describe(symtab, 7, SHT_SYMTAB, 0, offset_of(symbols), sizeof symbols);
    sections[symtab].sh_link = strtab;
    sections[symtab].sh_info = 1;
    sections[symtab].sh_entsize = sizeof(ElfW(Sym));
    describe(strtab, 15, SHT_STRTAB, 0, offset_of(strings), sizeof strings);
    if (frame.end == 0) return;
    const frame_information information(entry, size, frame);
    std::copy_n(information.data(), information.size(), frames.begin());
    describe(eh_frame, 23, SHT_PROGBITS, SHF_ALLOC, offset_of(frames), information.size());
    sections[eh_frame].sh_addr = reinterpret_cast<ElfW(Addr)>(&frames);
  }

 private:
  template <class Member>
  [[nodiscard]] std::size_t offset_of(const Member& member) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                    reinterpret_cast<const char*>(this));
  }
  void describe(section which, unsigned name, unsigned type, unsigned flags, std::size_t offset,
                std::size_t size) noexcept {
    ElfW(Shdr)& header_of = sections[which];
    header_of.sh_name = name;
    header_of.sh_type = type;
    header_of.sh_flags = flags;
    header_of.sh_offset = offset;
    header_of.sh_size = size;
    header_of.sh_addralign = which == text ? 64 : 8;
  }
};

}  // namespace

// The interface that gdb documents ("JIT Compilation Interface"): it sets a breakpoint into the function and
// reads the descriptor there. Weak, so that all generators of code in one process share them.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next, *previous;
  const void* object;
  std::uint64_t object_size;
};
struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action;
  jit_code_entry *relevant, *first;
};
__attribute__((weak, visibility("default"))) jit_descriptor __jit_debug_descriptor{1, 0, nullptr, nullptr};
__attribute__((weak, visibility("default"), noinline)) void __jit_debug_register_code() {
  __asm__ volatile("" ::: "memory");
}
}

namespace {

struct debugger_entry : jit_code_entry {
  debugger_entry(std::string_view symbol, const std::byte* entry, std::size_t size,
                 const frame_layout& frame) noexcept
      : jit_code_entry{nullptr, nullptr, &file, sizeof file}, file(symbol, entry, size, frame) {}

  debugger_entry* next_waiting = nullptr;
  object_file file;
};

void announce(debugger_entry& entry) noexcept {
  std::atomic_ref<jit_code_entry*> first(__jit_debug_descriptor.first);
  jit_code_entry* next = first.load();
  do {
    entry.next = next;
  } while (!first.compare_exchange_weak(next, &entry));
  if (next) next->previous = &entry;
  constexpr std::uint32_t register_function = 1;
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_descriptor.action = register_function;
  __jit_debug_register_code();
}

constinit std::atomic<debugger_entry*> waiting{nullptr};
constinit std::atomic<bool> announcing{false};

// One thread at a time announces, for all; nobody waits, so a fork in the middle leaves no lock behind.
void register_with_debugger(debugger_entry& entry) noexcept {
  entry.next_waiting = waiting.load();
  while (!waiting.compare_exchange_weak(entry.next_waiting, &entry)) {
  }
  while (waiting.load() && !announcing.exchange(true)) {
    for (debugger_entry* next = waiting.exchange(nullptr); next;) {
      debugger_entry& now = *next;
      next = now.next_waiting;
      announce(now);
    }
    announcing.store(false);
  }
}

}  // namespace

void show_to_profilers(std::string_view name, const std::byte* entry, std::size_t size,
                       const frame_layout& frame) noexcept {
  const symbol_text symbol = symbol_text("jithash:") << name;
  if (const int error = add_to_perf_map(symbol.view(), entry, size))
    map_error.store(error, std::memory_order_relaxed);
  if (&__ehdr_start == nullptr) return;
  if (auto* const known = new (std::nothrow) debugger_entry(symbol.view(), entry, size, frame))
    register_with_debugger(*known);
}

#else

void show_to_profilers(std::string_view, const std::byte*, std::size_t, const frame_layout&) noexcept {}

#endif

}  // namespace v0
}  // namespace jithash
