#include "jithash/hasher.hpp"

#include <algorithm>
#include <cstring>

#include "algorithms.hpp"
#include "big_endian.hpp"
#include "padding.hpp"
#include "selector.hpp"
#include "wipe.hpp"

namespace jithash {
inline namespace v0 {
namespace {

template <class Algorithm>
using facts = algorithm_facts<Algorithm>;
template <class Algorithm>
using state_of = std::array<typename Algorithm::word, Algorithm::state_words>;

// Absorbs the end of a message and gives its digest. `size` bytes at `rest` follow what `state` has absorbed
// of the message, which has high * 2^64 + low bytes.
template <class Algorithm>
digest<Algorithm::digest_size> finish(state_of<Algorithm>& state, const std::byte* rest, std::size_t size,
                                      std::uint64_t high, std::uint64_t low) noexcept {
  const padded_end<Algorithm> end(rest, size, high, low);
  compress<typename facts<Algorithm>::compression>(state.data(), end.data(), end.count());

  digest<Algorithm::digest_size> result;
  constexpr std::size_t word_size = sizeof(typename Algorithm::word), whole = result.size() / word_size;
  for (std::size_t i = 0; i < whole; ++i) store_big_endian(&result[i * word_size], state[i]);
  if constexpr (constexpr std::size_t part = result.size() % word_size; part != 0) {  // SHA-512/224
    const auto last = to_big_endian(state[whole]);
    std::memcpy(&result[whole * word_size], &last, part);
  }
  return result;
}

// FNV-1a: any single damaged byte, and nearly all other damage, shows.
std::uint64_t checksum(const std::byte* bytes, std::size_t size) noexcept {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < size; ++i)
    sum = (sum ^ std::to_integer<std::uint64_t>(bytes[i])) * 0x100000001b3u;
  return sum;
}

// Saved states: where each part begins (docs/saved_state.md).
constexpr std::byte saved_magic[] = {std::byte{'J'}, std::byte{'H'}, std::byte{1}};
constexpr std::size_t saved_number = 3, saved_count = 4, saved_words = 20;

}  // namespace

template <class Algorithm>
auto hasher<Algorithm>::hash(bytes_view message) noexcept -> digest_type {
  state_of<Algorithm> state = facts<Algorithm>::initial_value;
  const std::byte* data = message.data();
  const std::size_t size = message.size();
  std::size_t rest = size;
  // A message that ends in its second block is padded as a whole: one call of the kernel instead of two.
  if (size >= 2 * block_size - facts<Algorithm>::length_field) {
    rest = size % block_size;
    compress<typename facts<Algorithm>::compression>(state.data(), data, size / block_size);
    data += size - rest;
  }
  return finish<Algorithm>(state, data, rest, 0, size);
}

template <class Algorithm>
hasher<Algorithm>& hasher<Algorithm>::update(bytes_view chunk) noexcept {
  if (chunk.empty()) return *this;
  const std::byte* data = chunk.data();
  std::size_t size = chunk.size();
  const std::size_t filled = buffered();
  count_.low += size;
  if constexpr (sizeof(count) > sizeof(std::uint64_t)) count_.high += count_.low < size;

  if (filled != 0) {
    const std::size_t taken = std::min(size, block_size - filled);
    std::memcpy(&buffer_[filled], data, taken);
    if (filled + taken < block_size) return *this;
    compress<typename facts<Algorithm>::compression>(state_.data(), buffer_.data(), 1);
    data += taken;
    size -= taken;
  }
  if (const std::size_t blocks = size / block_size; blocks != 0) {
    compress<typename facts<Algorithm>::compression>(state_.data(), data, blocks);
    data += blocks * block_size;
    size -= blocks * block_size;
  }
  if (size != 0) std::memcpy(buffer_.data(), data, size);
  return *this;
}

template <class Algorithm>
auto hasher<Algorithm>::finalize() const noexcept -> digest_type {
  state_of<Algorithm> state = state_;
  std::uint64_t high = 0;
  if constexpr (sizeof(count) > sizeof(std::uint64_t)) high = count_.high;
  return finish<Algorithm>(state, buffer_.data(), buffered(), high, count_.low);
}

template <class Algorithm>
void hasher<Algorithm>::reset() noexcept {
  state_ = facts<Algorithm>::initial_value;
  count_ = {};
}

template <class Algorithm>
void hasher<Algorithm>::wipe() noexcept {
  wipe_memory(this, sizeof *this);
  reset();
}

template <class Algorithm>
auto hasher<Algorithm>::save() const noexcept -> saved_type {
  saved_type saved{};
  std::copy(std::begin(saved_magic), std::end(saved_magic), saved.begin());
  saved[saved_number] = static_cast<std::byte>(facts<Algorithm>::number);
  if constexpr (sizeof(count) > sizeof(std::uint64_t)) store_big_endian(&saved[saved_count], count_.high);
  store_big_endian(&saved[saved_count + 8], count_.low);
  std::size_t at = saved_words;
  for (const word w : state_) {
    store_big_endian(&saved[at], w);
    at += sizeof w;
  }
  std::copy_n(buffer_.begin(), buffered(), &saved[at]);
  store_big_endian(&saved[saved_size - 8], checksum(saved.data(), saved_size - 8));
  return saved;
}

template <class Algorithm>
std::optional<hasher<Algorithm>> hasher<Algorithm>::restore(bytes_view saved) noexcept {
  if (saved.size() != saved_size) return std::nullopt;
  if (!std::equal(std::begin(saved_magic), std::end(saved_magic), saved.begin())) return std::nullopt;
  if (saved[saved_number] != static_cast<std::byte>(facts<Algorithm>::number)) return std::nullopt;
  if (load_big_endian<std::uint64_t>(&saved[saved_size - 8]) != checksum(saved.data(), saved_size - 8)) {
    return std::nullopt;
  }

  // The length in bits must fit its field.
  const auto high = load_big_endian<std::uint64_t>(&saved[saved_count]);
  const auto low = load_big_endian<std::uint64_t>(&saved[saved_count + 8]);
  constexpr bool wide = sizeof(count) > sizeof(std::uint64_t);
  if (wide ? high >> 61 != 0 : (high != 0 || low >> 61 != 0)) return std::nullopt;

  hasher restored;
  restored.count_.low = low;
  if constexpr (wide) restored.count_.high = high;
  std::size_t at = saved_words;
  for (word& w : restored.state_) {
    w = load_big_endian<word>(&saved[at]);
    at += sizeof w;
  }
  std::copy_n(&saved[at], restored.buffered(), restored.buffer_.begin());
  return restored;
}

template class hasher<algorithms::sha1>;
template class hasher<algorithms::sha224>;
template class hasher<algorithms::sha256>;
template class hasher<algorithms::sha384>;
template class hasher<algorithms::sha512>;
template class hasher<algorithms::sha512_224>;
template class hasher<algorithms::sha512_256>;

}  // namespace v0
}  // namespace jithash
