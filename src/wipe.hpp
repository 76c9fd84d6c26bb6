// Erasing secrets so that no optimiser leaves them.
#pragma once

#include <cstddef>
#include <cstring>

namespace jithash {
inline namespace v0 {

inline void wipe_memory(void* data, std::size_t size) noexcept {
  std::memset(data, 0, size);
  __asm__ volatile("" : : "r"(data) : "memory");  // the zeros count as read
}

}  // namespace v0
}  // namespace jithash
