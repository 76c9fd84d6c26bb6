// Runs a block function under an emulator whose plugin is trace.c:
//   arm_subjects SUBJECT (sha1|sha256|sha512) BLOCKS
// SUBJECT is portable, rolled, intrinsics (AArch64), openssl, openssl-neon, openssl-crypto, or a file that
// `jithash dump` wrote. Whatever it is must compute what the portable function does.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms.hpp"
#include "arm/subjects.hpp"
#include "arm/trace_switch.h"
#include "fallback/fallback.hpp"
#include "kernel.hpp"

// OpenSSL's own: not in its headers. The last chooses the form of the others.
extern "C" {
void sha1_block_data_order(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void sha256_block_data_order(std::uint32_t* state, const std::byte* blocks, std::size_t n) noexcept;
void sha512_block_data_order(std::uint64_t* state, const std::byte* blocks, std::size_t n) noexcept;
extern unsigned OPENSSL_armcap_P;
}

namespace jithash {
inline namespace v0 {
namespace {

// Machine code from a file, readable and executable.
void* load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
  if (code.empty()) throw std::runtime_error("no such subject, nor a file with code: " + path);
  void* page = mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("no memory for code");
  char* begin = static_cast<char*>(page);
  std::memcpy(begin, code.data(), code.size());
  if (mprotect(page, code.size(), PROT_READ | PROT_EXEC) != 0) throw std::runtime_error("code may not run");
  __builtin___clear_cache(begin, begin + code.size());
  return page;
}

// The bits of OpenSSL's arm_arch.h.
unsigned openssl_features(std::string_view subject) {
  enum : unsigned { neon = 1 << 0, sha1 = 1 << 3, sha256 = 1 << 4, sha512 = 1 << 6 };
  return subject == "openssl-neon" ? neon : subject == "openssl-crypto" ? neon | sha1 | sha256 | sha512 : 0;
}

template <class Word>
struct candidates {
  compress_function<Word> portable, rolled, intrinsics, openssl;
};

template <class Word>
compress_function<Word> find(const std::string& subject, const candidates<Word>& known) {
  if (subject == "portable") return known.portable;
  if (subject == "rolled") return known.rolled;
  if (subject == "intrinsics" && known.intrinsics != nullptr) return known.intrinsics;
  if (subject.starts_with("openssl")) {
    OPENSSL_armcap_P = openssl_features(subject);
    return known.openssl;
  }
  return reinterpret_cast<compress_function<Word>>(load(subject));
}

template <class Word>
void run(const std::string& subject, const candidates<Word>& known, std::size_t n) {
  const compress_function<Word> compress = find(subject, known);
  std::vector<std::byte> blocks(16 * sizeof(Word) * n);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<std::byte>(i % 251);
  Word state[8]{}, expected[8]{};
  known.portable(expected, blocks.data(), n);

  syscall(trace_switch);
  compress(state, blocks.data(), n);
  syscall(trace_switch);

  if (std::memcmp(state, expected, sizeof state) != 0)
    throw std::runtime_error(subject + " computes nonsense");
}

void run(const std::string& subject, std::string_view algorithm, std::size_t n) {
  if (algorithm == "sha1") {
    run<std::uint32_t>(
        subject,
        {fallback::compress_sha1, rolled::compress_sha1, intrinsics::compress_sha1, sha1_block_data_order},
        n);
  } else if (algorithm == "sha256") {
    run<std::uint32_t>(subject,
                       {fallback::compress_sha256, rolled::compress_sha256, intrinsics::compress_sha256,
                        sha256_block_data_order},
                       n);
  } else if (algorithm == "sha512") {
    run<std::uint64_t>(subject,
                       {fallback::compress_sha512, rolled::compress_sha512, intrinsics::compress_sha512,
                        sha512_block_data_order},
                       n);
  } else {
    throw std::runtime_error("no such algorithm: " + std::string{algorithm});
  }
}

}  // namespace
}  // namespace v0
}  // namespace jithash

int main(int count, char** arguments) try {
  if (count != 4) throw std::runtime_error("usage: arm_subjects SUBJECT ALGORITHM BLOCKS");
  jithash::run(arguments[1], arguments[2], std::strtoul(arguments[3], nullptr, 10));
} catch (const std::exception& error) {
  std::fprintf(stderr, "arm_subjects: %s\n", error.what());
  return 1;
}
