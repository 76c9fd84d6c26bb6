#include "jit/code_memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>

#if JITHASH_JIT && defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace jithash {
inline namespace v0 {

std::string_view code_memory_error::step_name() const noexcept {
  switch (step) {
    case code_memory_step::none:
      break;
    case code_memory_step::unsupported:
      return "no code memory on this system yet";
    case code_memory_step::map:
      return "mmap";
    case code_memory_step::protect:
      return "mprotect";
  }
  return {};
}

namespace {

constinit std::atomic<code_memory_error> denial{};
static_assert(decltype(denial)::is_always_lock_free);

}  // namespace

code_memory_error code_memory_denial() noexcept { return denial.load(std::memory_order_relaxed); }

#if JITHASH_JIT && defined(__linux__)

namespace {

code_memory_error refused(code_memory_step step) noexcept {
  const code_memory_error refusal{step, errno};
  if (refusal.error == EACCES || refusal.error == EPERM) denial.store(refusal, std::memory_order_relaxed);
  return refusal;
}

}  // namespace

executable_code::~executable_code() {
  if (mapping_) munmap(mapping_, mapped_);
}

code_memory_error executable_code::load(const machine_code& code, code_memory) noexcept {
  if (const code_memory_error known = code_memory_denial()) return known;

  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t size = (entry_offset + code.size + page - 1) / page * page;
  void* const mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return refused(code_memory_step::map);

  executable_code loaded;
  loaded.mapping_ = static_cast<std::byte*>(mapping);
  loaded.mapped_ = size;
  std::byte* const entry = loaded.mapping_ + entry_offset;
  std::memcpy(entry, code.bytes.get(), code.size);
  if (mprotect(mapping, size, PROT_READ | PROT_EXEC) != 0) return refused(code_memory_step::protect);
  __builtin___clear_cache(reinterpret_cast<char*>(entry), reinterpret_cast<char*>(entry + code.size));
  *this = std::move(loaded);
  return {};
}

#else

executable_code::~executable_code() = default;

code_memory_error executable_code::load(const machine_code&, code_memory) noexcept {
  return {code_memory_step::unsupported, ENOSYS};
}

#endif

}  // namespace v0
}  // namespace jithash
