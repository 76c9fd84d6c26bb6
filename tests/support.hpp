// What several tests need: an independent implementation, inputs that show mistakes, memory with hard edges.
#pragma once

#include <openssl/evp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "jithash/jithash.hpp"

/// Calls visit.template operator()<Hasher>("sha256") for each of the seven algorithms.
template <class Visit>
void for_each_hasher(Visit&& visit) {
  visit.template operator()<jithash::sha1>("SHA1");
  visit.template operator()<jithash::sha224>("SHA224");
  visit.template operator()<jithash::sha256>("SHA256");
  visit.template operator()<jithash::sha384>("SHA384");
  visit.template operator()<jithash::sha512>("SHA512");
  visit.template operator()<jithash::sha512_224>("SHA512-224");
  visit.template operator()<jithash::sha512_256>("SHA512-256");
}

/// The compression function's name behind an algorithm's OpenSSL name.
inline std::string function_of(const std::string& openssl_name) {
  if (openssl_name == "SHA1") return "sha1";
  return openssl_name == "SHA224" || openssl_name == "SHA256" ? "sha256" : "sha512";
}

inline std::string hex_of(const void* data, std::size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned value = static_cast<const unsigned char*>(data)[i];
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

/// OpenSSL's digest, in hexadecimal.
inline std::string openssl_hex(const char* name, const void* data, std::size_t size) {
  unsigned char out[EVP_MAX_MD_SIZE];
  std::size_t out_size = 0;
  if (EVP_Q_digest(nullptr, name, nullptr, data, size, out, &out_size) != 1) throw std::runtime_error(name);
  return hex_of(out, out_size);
}

/// `size` bytes with a period of 251: no two blocks are equal, so swapped or repeated ones show.
inline std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

/// Pages between two that cannot be touched: reading one byte too far is a crash.
class guarded_memory {
 public:
  explicit guarded_memory(std::size_t size) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    size_ = (size + page_ - 1) / page_ * page_;
    void* const all = mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error("mmap failed");
    begin_ = static_cast<std::byte*>(all) + page_;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("mprotect failed");
  }
  ~guarded_memory() { munmap(begin_ - page_, size_ + 2 * page_); }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;

  /// The first `size` bytes behind the page before.
  std::byte* at_start() { return begin_; }
  /// The last `size` bytes before the page behind.
  std::byte* at_end(std::size_t size) { return begin_ + size_ - size; }

 private:
  std::size_t page_, size_ = 0;
  std::byte* begin_ = nullptr;
};

/// The lines of /proc/self/maps that hold `permissions`, such as "rwx".
inline std::vector<std::string> mappings_with(const std::string& permissions) {
  std::vector<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(" " + permissions) != std::string::npos) found.push_back(line);
  }
  return found;
}

/// The mapping that holds an address: "r-xp", and the file, if it has one. Both empty if there is none.
struct mapping {
  std::string permissions, file;
};
inline mapping mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string offset, device, inode;
    mapping found;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> found.permissions >> offset >> device >>
        inode >> found.file;
    if (wanted >= begin && wanted < end) return found;
  }
  return {};
}

/// What the report says of one compression function.
inline jithash::algorithm_report report_of(const std::string& function) {
  for (const auto& algorithm : jithash::report().algorithms) {
    if (algorithm.name == function) return algorithm;
  }
  throw std::runtime_error("no such function: " + function);
}

/// Fewer repetitions where every instruction is emulated or watched.
#if defined(JITHASH_TEST_EMULATED)
inline constexpr unsigned effort = 1;
#else
inline constexpr unsigned effort = 4;
#endif
