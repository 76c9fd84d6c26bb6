#include "jithash/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <new>

namespace jithash {
inline namespace v0 {
namespace {

constexpr std::size_t read_size = 128 * 1024;

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

}  // namespace

template <class Hasher>
file_digest<Hasher> hash_file(int descriptor) noexcept {
  const std::unique_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[read_size]);
  if (!buffer) return {{}, std::make_error_code(std::errc::not_enough_memory)};

  Hasher hasher;
  for (;;) {
    const ssize_t got = read(descriptor, buffer.get(), read_size);
    if (got == 0) return {hasher.finalize(), {}};
    if (got > 0) {
      hasher.update(buffer.get(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return {{}, last_error()};
    }
  }
}

template <class Hasher>
file_digest<Hasher> hash_file(const std::filesystem::path& path) noexcept {
  // The system would stop at a NUL and open another file.
  if (path.native().find('\0') != std::filesystem::path::string_type::npos) {
    return {{}, std::make_error_code(std::errc::invalid_argument)};
  }
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return {{}, last_error()};
  const auto result = hash_file<Hasher>(descriptor);
  close(descriptor);
  return result;
}

#define JITHASH_INSTANTIATE(hasher)                             \
  template file_digest<hasher> hash_file<hasher>(int) noexcept; \
  template file_digest<hasher> hash_file<hasher>(const std::filesystem::path&) noexcept

JITHASH_INSTANTIATE(sha1);
JITHASH_INSTANTIATE(sha224);
JITHASH_INSTANTIATE(sha256);
JITHASH_INSTANTIATE(sha384);
JITHASH_INSTANTIATE(sha512);
JITHASH_INSTANTIATE(sha512_224);
JITHASH_INSTANTIATE(sha512_256);

#undef JITHASH_INSTANTIATE

}  // namespace v0
}  // namespace jithash
