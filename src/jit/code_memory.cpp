#include "jit/code_memory.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <type_traits>

#if JITHASH_JIT && defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "write_all.hpp"
#endif

namespace jithash {
inline namespace v0 {

bool code_memory_error::lasts() const noexcept {
  return error == EACCES || error == EPERM || error == ENOSYS;
}

std::string_view code_memory_error::step_name() const noexcept {
  switch (step) {
    case code_memory_step::none:
      break;
    case code_memory_step::unsupported:
      return "no code memory on this system yet";
    case code_memory_step::create:
      return "memfd_create";
    case code_memory_step::size_limit:
      return "RLIMIT_FSIZE";
    case code_memory_step::write:
      return "write";
    case code_memory_step::seal_file:
      return "F_ADD_SEALS";
    case code_memory_step::map:
      return "mmap";
    case code_memory_step::protect:
      return "mprotect";
    case code_memory_step::seal:
      return "mseal";
  }
  return {};
}

namespace {

constinit std::atomic<code_memory_error> last_refusal{};
constinit std::atomic<code_memory_error> sealing{};
static_assert(std::has_unique_object_representations_v<code_memory_error>);  // nothing but values to compare

}  // namespace

code_memory_error code_memory_refusal() noexcept { return last_refusal.load(std::memory_order_relaxed); }
code_memory_error seal_refusal() noexcept { return sealing.load(std::memory_order_relaxed); }

#if JITHASH_JIT && defined(__linux__)

namespace {

code_memory_error refused(code_memory_step step, int error = errno) noexcept {
  const code_memory_error refusal{step, static_cast<std::int16_t>(error)};
  code_memory_error current = code_memory_refusal();
  while (!current.lasts() &&
         !last_refusal.compare_exchange_weak(current, refusal, std::memory_order_relaxed)) {
  }
  return refusal;
}

// Linux 6.3's flag, so that a system without executable memfds (vm.memfd_noexec=2) still gives one that may
// be mapped; the C library's header may be older.
constexpr unsigned noexec_seal = 0x8;

int create_memory_file() noexcept {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int file = memfd_create("jithash", flags | noexec_seal);
  return file < 0 && errno == EINVAL ? memfd_create("jithash", flags) : file;
}

// What closes a file on every way out.
class open_file {
 public:
  explicit open_file(int file) noexcept : file_(file) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (file_ >= 0) close(file_);
  }
  operator int() const noexcept { return file_; }

 private:
  int file_;
};

// What was just written is fetched by every core from now on: the data caches give it to memory, the instruction
// caches drop what they had there, and no core goes on with instructions that it fetched before, where the kernel can
// see to that (Linux 4.16). x86 does all this by itself.
void make_coherent(std::byte* begin, std::size_t size) noexcept {
  auto* const first = reinterpret_cast<char*>(begin);
  __builtin___clear_cache(first, first + size);
#if (defined(__aarch64__) || defined(__arm__)) && defined(SYS_membarrier)
  // MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE and its registration, which older headers do not have.
  constexpr int sync_core = 1 << 5, register_sync_core = 1 << 6;
  if (syscall(SYS_membarrier, register_sync_core, 0) == 0) (void)syscall(SYS_membarrier, sync_core, 0);
#endif
}

std::size_t whole_pages(std::size_t size) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

}  // namespace

bool file_size_allowed(std::uint64_t size) noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

executable_code::~executable_code() {
  if (mapping_) munmap(mapping_, mapped_);
}

code_memory_error executable_code::load(const machine_code& code, code_memory how) noexcept {
  if (const code_memory_error known = code_memory_refusal(); known.lasts()) return known;
  executable_code loaded;
  if (const auto error = how == code_memory::memfd ? loaded.load_file(code) : loaded.load_anonymous(code))
    return error;
  make_coherent(loaded.mapping_ + entry_offset, code.size);
  *this = std::move(loaded);
  return {};
}

// Written while it is not executable, executable when nobody can write it any more.
code_memory_error executable_code::load_anonymous(const machine_code& code) noexcept {
  const std::size_t size = whole_pages(entry_offset + code.size);
  void* const mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return refused(code_memory_step::map);
  mapping_ = static_cast<std::byte*>(mapping);
  mapped_ = size;
  std::memcpy(mapping_ + entry_offset, code.bytes.get(), code.size);
  if (mprotect(mapping, size, PROT_READ | PROT_EXEC) != 0) return refused(code_memory_step::protect);
  return {};
}

// A file without a name, sealed before it is mapped: no descriptor, kept or inherited, can change it.
code_memory_error executable_code::load_file(const machine_code& code) noexcept {
  constexpr std::array<std::byte, entry_offset> before{};
  if (!file_size_allowed(before.size() + code.size)) return refused(code_memory_step::size_limit, EFBIG);
  const open_file file(create_memory_file());
  if (file < 0) return refused(code_memory_step::create);
  if (!write_all(file, before) || !write_all(file, {code.bytes.get(), code.size}))
    return refused(code_memory_step::write);
  if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return refused(code_memory_step::seal_file);

  const std::size_t size = whole_pages(before.size() + code.size);
  void* const mapping = mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED) return refused(code_memory_step::map);
  mapping_ = static_cast<std::byte*>(mapping);
  mapped_ = size;
  return {};
}

code_memory_error executable_code::seal() const noexcept {
  if (const code_memory_error known = seal_refusal()) return known;
#if defined(SYS_mseal)
  constexpr long mseal_number = SYS_mseal;
#else
  constexpr long mseal_number = 462;  // the same on every architecture
#endif
  if (syscall(mseal_number, mapping_, mapped_, 0ul) == 0) return {};
  const code_memory_error refusal{code_memory_step::seal, static_cast<std::int16_t>(errno)};
  sealing.store(refusal, std::memory_order_relaxed);
  return refusal;
}

#else

bool file_size_allowed(std::uint64_t) noexcept { return false; }

executable_code::~executable_code() = default;

code_memory_error executable_code::load(const machine_code&, code_memory) noexcept {
  return {code_memory_step::unsupported, ENOSYS};
}

code_memory_error executable_code::seal() const noexcept { return {code_memory_step::unsupported, ENOSYS}; }

#endif

}  // namespace v0
}  // namespace jithash
