// The end of a message (FIPS 180-4 section 5.1): what is left of it, a one bit, zeros, and its length in
// bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "algorithms.hpp"
#include "big_endian.hpp"

namespace jithash {
inline namespace v0 {

/// The last one or two blocks of a message. Kernels load sixteen bytes at a time, and a load that spans two
/// earlier stores waits until both have left the processor, which keeps one hash from beginning before the
/// last one ends: so everything here is stored sixteen bytes at a time.
template <class Algorithm>
class padded_end {
 public:
  /// `rest` is what follows the last whole block that was absorbed, `size` bytes, at most what leaves room
  /// for the padding in two blocks. The message has high * 2^64 + low bytes.
  padded_end(const std::byte* rest, std::size_t size, std::uint64_t high, std::uint64_t low) noexcept
      : count_(size < block - length_field ? 1 : 2) {
    const std::size_t end = count_ * block - chunk;
    std::size_t at = 0;
    for (; at + chunk <= size; at += chunk) copy_chunk(at, rest + at);
    if (at < end || length_field == 8) {
      const std::size_t left = size - at;
      std::uint64_t first = 0, second = 0;
      if (left < 8) {
        first = last_word(rest + at, left);
      } else {
        first = load_big_endian<std::uint64_t>(rest + at);
        second = last_word(rest + at + 8, left - 8);
      }
      if (at == end) second = low << 3;  // the length shares the chunk of the one bit
      store_chunk(at, first, second);
      if (at == end) return;
      at += chunk;
    }
    for (; at < end; at += chunk) store_chunk(at, 0, 0);
    store_chunk(end, length_field == 16 ? high << 3 | low >> 61 : 0, low << 3);
  }

  [[nodiscard]] const std::byte* data() const noexcept { return blocks_.data(); }
  /// Blocks.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  static constexpr std::size_t block = Algorithm::block_size;
  static constexpr std::size_t length_field = algorithm_facts<Algorithm>::length_field;
  static constexpr std::size_t chunk = 16;
  using pair = std::uint64_t __attribute__((vector_size(chunk)));

  void copy_chunk(std::size_t at, const std::byte* from) noexcept { std::memcpy(&blocks_[at], from, chunk); }

  void store_chunk(std::size_t at, std::uint64_t first, std::uint64_t second) noexcept {
    const pair both{to_big_endian(first), to_big_endian(second)};
    std::memcpy(&blocks_[at], &both, chunk);
  }

  // The last n < 8 bytes and the one bit behind them, from the highest byte of a word down.
  static std::uint64_t last_word(const std::byte* from, std::size_t n) noexcept {
    std::uint64_t word = 0;
    unsigned filled = 0;
    const auto append = [&](std::uint64_t value, unsigned bits) {
      filled += bits;
      word |= value << (64 - filled);
    };
    if (n & 4) {
      append(load_big_endian<std::uint32_t>(from), 32);
      from += 4;
    }
    if (n & 2) {
      append(std::to_integer<std::uint64_t>(from[0]) << 8 | std::to_integer<std::uint64_t>(from[1]), 16);
      from += 2;
    }
    if (n & 1) append(std::to_integer<std::uint64_t>(from[0]), 8);
    append(0x80, 8);
    return word;
  }

  std::size_t count_;
  alignas(64) std::array<std::byte, 2 * block> blocks_;
};

}  // namespace v0
}  // namespace jithash
