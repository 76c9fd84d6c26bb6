#include "self_test.hpp"

#include <array>

#include "registry.hpp"

namespace jithash {
inline namespace v0 {
namespace {

// splitmix64: words without structure, the same on every machine.
class sequence {
 public:
  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

template <class Compression>
JITHASH_CALLS_GENERATED_CODE bool passes_self_test(
    compress_function<typename Compression::word> candidate) noexcept {
  using word = typename Compression::word;
  constexpr std::size_t most_blocks = 8, most_offset = 3;

  sequence random;
  alignas(64) std::array<std::byte, most_blocks * Compression::block_size + most_offset> blocks;
  for (std::byte& b : blocks) b = static_cast<std::byte>(random.next());

  for (std::size_t n = 1; n <= most_blocks; ++n) {
    for (std::size_t offset = 0; offset <= most_offset; offset += most_offset) {
      std::array<word, Compression::state_words> expected;
      for (word& w : expected) w = static_cast<word>(random.next());
      std::array<word, Compression::state_words> computed = expected;
      portable<Compression>(expected.data(), blocks.data() + offset, n);
      candidate(computed.data(), blocks.data() + offset, n);
      if (computed != expected) return false;
    }
  }
  return true;
}

template bool passes_self_test<sha1_compression>(compress_function<std::uint32_t>) noexcept;
template bool passes_self_test<sha256_compression>(compress_function<std::uint32_t>) noexcept;
template bool passes_self_test<sha512_compression>(compress_function<std::uint64_t>) noexcept;

}  // namespace v0
}  // namespace jithash
