// Hashing what a file or a descriptor holds: the only input and output of the library.
#pragma once

#include <filesystem>
#include <system_error>

#include "jithash/hasher.hpp"

namespace jithash {
inline namespace v0 {

/// What became of a file: its digest, valid only where `error` is not set.
template <class Hasher>
struct file_digest {
  typename Hasher::digest_type digest;
  std::error_code error;
};

/// Reads `path` from start to end and hashes it. Works on whatever read(2) reads (regular files, pipes,
/// devices), never maps it (a file that shrinks meanwhile cannot raise SIGBUS), follows symbolic links,
/// leaves no descriptor open and leaks none into a child (O_CLOEXEC). Allocates one read buffer. Errors are
/// those of open(2) and read(2), EISDIR for a directory included, ENOMEM, and EINVAL for a
/// path with a NUL in it. Thread safe.
template <class Hasher>
[[nodiscard]] file_digest<Hasher> hash_file(const std::filesystem::path& path) noexcept;

/// The same for a descriptor that is open already: from its current offset to the end. It stays open.
template <class Hasher>
[[nodiscard]] file_digest<Hasher> hash_file(int descriptor) noexcept;

}  // namespace v0
}  // namespace jithash
