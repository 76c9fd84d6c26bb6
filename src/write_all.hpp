// Writing to descriptors.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "jithash/bytes.hpp"

namespace jithash {
inline namespace v0 {

/// All of `bytes`, in as many writes as it takes. False, with errno set, if one fails.
[[nodiscard]] inline bool write_all(int file, bytes_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace v0
}  // namespace jithash
