// The hash functions of FIPS 180-4: one-shot and streaming.
//
//   auto d = jithash::sha256::hash("abc");
//   jithash::sha256 h;  h.update(a).update(b);  auto now = h.finalize();
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "jithash/bytes.hpp"
#include "jithash/digest.hpp"

namespace jithash {
inline namespace v0 {

/// The algorithms by name (FIPS 180-4 section 1): sizes in bytes, as in its figure 1. `state_words` counts
/// the words of the intermediate hash value; a 64-bit word goes with 1024-bit blocks and a 128-bit length
/// field.
namespace algorithms {
struct sha1 {
  using word = std::uint32_t;
  static constexpr std::size_t digest_size = 20, block_size = 64, state_words = 5;
};
struct sha224 {
  using word = std::uint32_t;
  static constexpr std::size_t digest_size = 28, block_size = 64, state_words = 8;
};
struct sha256 {
  using word = std::uint32_t;
  static constexpr std::size_t digest_size = 32, block_size = 64, state_words = 8;
};
struct sha384 {
  using word = std::uint64_t;
  static constexpr std::size_t digest_size = 48, block_size = 128, state_words = 8;
};
struct sha512 {
  using word = std::uint64_t;
  static constexpr std::size_t digest_size = 64, block_size = 128, state_words = 8;
};
struct sha512_224 {
  using word = std::uint64_t;
  static constexpr std::size_t digest_size = 28, block_size = 128, state_words = 8;
};
struct sha512_256 {
  using word = std::uint64_t;
  static constexpr std::size_t digest_size = 32, block_size = 128, state_words = 8;
};
}  // namespace algorithms

/// One hash computation. A trivially copyable value (state words, count, partial block; no pointer): a copy
/// is a fork of the stream, and two hashers may be used by two threads, one hasher by one thread at a time.
/// Nothing here fails, throws or allocates; inputs may have any length and alignment and are only read.
/// The first call in a process that reaches a whole block chooses the code that runs (see runtime.hpp).
template <class Algorithm>
class hasher {
 public:
  using algorithm = Algorithm;
  using digest_type = digest<Algorithm::digest_size>;
  using word = typename Algorithm::word;
  /// Bytes of a digest, of a block, and of what save() returns.
  static constexpr std::size_t digest_size = Algorithm::digest_size;
  static constexpr std::size_t block_size = Algorithm::block_size;
  static constexpr std::size_t saved_size =
      4 + 16 + Algorithm::state_words * sizeof(word) + Algorithm::block_size + 8;
  using saved_type = std::array<std::byte, saved_size>;

  /// Ready to absorb a message: the standard's initial value (section 5.3).
  hasher() noexcept { reset(); }

  /// The digest of one whole message. Fastest for messages at hand; `message` may be empty.
  [[nodiscard]] static digest_type hash(bytes_view message) noexcept;
  [[nodiscard]] static digest_type hash(const void* data, std::size_t size) noexcept {
    return hash(bytes_view{static_cast<const std::byte*>(data), size});
  }
  template <bytes_like Bytes>
  [[nodiscard]] static digest_type hash(Bytes&& message) noexcept {
    return hash(bytes(message));
  }

  /// Absorbs the next bytes of the message; an update of nothing, (nullptr, 0) included, changes nothing.
  /// `chunk` must not overlap the hasher itself.
  hasher& update(bytes_view chunk) noexcept;
  hasher& update(const void* data, std::size_t size) noexcept {
    return update(bytes_view{static_cast<const std::byte*>(data), size});
  }
  template <bytes_like Bytes>
  hasher& update(Bytes&& chunk) noexcept {
    return update(bytes(chunk));
  }

  /// The digest of all that was absorbed so far. The hasher is not changed: the stream can go on.
  [[nodiscard]] digest_type finalize() const noexcept;

  /// Starts a new message.
  void reset() noexcept;

  /// Starts a new message and leaves no trace of the old one in the hasher, not even to an optimiser.
  void wipe() noexcept;

  /// The stream as bytes, to go on later, elsewhere, on another CPU or kernel. They hold the state and up to
  /// a block of the message in the clear: as secret as the message. Format: docs/saved_state.md.
  [[nodiscard]] saved_type save() const noexcept;

  /// The stream that save() of the same algorithm wrote; anything else (another algorithm or version, a wrong
  /// size, damaged bytes) is std::nullopt.
  [[nodiscard]] static std::optional<hasher> restore(bytes_view saved) noexcept;
  [[nodiscard]] static std::optional<hasher> restore(const void* data, std::size_t size) noexcept {
    return restore(bytes_view{static_cast<const std::byte*>(data), size});
  }
  template <bytes_like Bytes>
  [[nodiscard]] static std::optional<hasher> restore(Bytes&& saved) noexcept {
    return restore(bytes(saved));
  }

 private:
  // Message bytes absorbed. FIPS 180-4 counts bits in 64 (32-bit words) or 128 (64-bit words) of them.
  struct narrow_count {
    std::uint64_t low = 0;
  };
  struct wide_count {
    std::uint64_t low = 0, high = 0;
  };
  using count = std::conditional_t<sizeof(word) == 4, narrow_count, wide_count>;

  [[nodiscard]] std::size_t buffered() const noexcept { return count_.low % block_size; }

  std::array<word, Algorithm::state_words> state_;
  count count_;
  std::array<std::byte, block_size> buffer_;
};

extern template class hasher<algorithms::sha1>;
extern template class hasher<algorithms::sha224>;
extern template class hasher<algorithms::sha256>;
extern template class hasher<algorithms::sha384>;
extern template class hasher<algorithms::sha512>;
extern template class hasher<algorithms::sha512_224>;
extern template class hasher<algorithms::sha512_256>;

/// SHA-1 is broken for signatures and wherever an attacker chooses the message (SP 800-131A): use it only
/// where an existing format demands it.
using sha1 = hasher<algorithms::sha1>;
using sha224 = hasher<algorithms::sha224>;
using sha256 = hasher<algorithms::sha256>;
using sha384 = hasher<algorithms::sha384>;
using sha512 = hasher<algorithms::sha512>;
using sha512_224 = hasher<algorithms::sha512_224>;
using sha512_256 = hasher<algorithms::sha512_256>;

}  // namespace v0
}  // namespace jithash
