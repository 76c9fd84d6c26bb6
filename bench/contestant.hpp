// What is measured: a hash function behind a loop of its own, so that nothing but the call itself is timed.
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jithash::bench {

enum class algorithm { sha1, sha256, sha512 };
inline constexpr std::array<std::string_view, 3> algorithm_names{"sha1", "sha256", "sha512"};

/// What one call does.
enum class work {
  call,   ///< the digest of a whole message; successive messages do not depend on each other
  chain,  ///< the same, each message beginning with the digest before it: the latency of a call
  blocks  ///< whole blocks absorbed into the initial value, no padding: what a kernel does
};
inline constexpr std::array<std::string_view, 3> work_names{"call", "chain", "blocks"};

/// Different messages of one size. Small ones fit the first-level data cache together.
class messages {
 public:
  /// Room for a result: the longest digest and state.
  static constexpr std::size_t result_size = 64;

  explicit messages(std::size_t size)
      : size_(size),
        stride_((size + 63) / 64 * 64),
        bytes_(count() * stride_),
        results_(count() * result_size) {
    // Period 251: no block of a message equals another one that some mistake could take for it.
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(i % 251);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// A power of two.
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 64;
    while (n > 1 && n * stride_ > 16384) n /= 2;
    return n;
  }
  [[nodiscard]] std::byte* message(std::size_t i) { return bytes_.data() + i * stride_; }
  /// Where the digest, or the state, of message `i` goes.
  [[nodiscard]] std::byte* result(std::size_t i) { return results_.data() + i * result_size; }
  [[nodiscard]] std::vector<std::byte>& results() { return results_; }

 private:
  std::size_t size_, stride_;
  std::vector<std::byte> bytes_, results_;
};

/// One way to hash.
class contestant {
 public:
  contestant(std::string name, algorithm of, bool raw) : name_(std::move(name)), of_(of), raw_(raw) {}
  virtual ~contestant() = default;
  contestant(const contestant&) = delete;
  contestant& operator=(const contestant&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] algorithm of() const { return of_; }
  [[nodiscard]] bool does(work w) const { return (w == work::blocks) == raw_; }

  void run(work w, messages& input, std::size_t calls) {
    w == work::chain ? chained(input, calls) : independent(input, calls);
  }

 private:
  virtual void independent(messages& input, std::size_t calls) = 0;
  virtual void chained(messages& input, std::size_t calls) = 0;

  std::string name_;
  algorithm of_;
  bool raw_;
};

using contestants = std::vector<std::unique_ptr<contestant>>;

template <class Hash>
class contestant_of final : public contestant {
 public:
  contestant_of(std::string name, algorithm of, bool raw, Hash hash)
      : contestant(std::move(name), of, raw), hash_(std::move(hash)) {}

 private:
  // The compiler barriers make every result needed and every message new.
  void independent(messages& input, std::size_t calls) override {
    const std::size_t mask = input.count() - 1, size = input.size();
    for (std::size_t i = 0; i < calls; ++i) {
      hash_(input.message(i & mask), size, input.result(i & mask));
      benchmark::ClobberMemory();
    }
  }

  // Two messages take turns: the digest of one is written over the beginning of the other.
  void chained(messages& input, std::size_t calls) override {
    const std::size_t size = input.size();
    for (std::size_t i = 0; i < calls; ++i) {
      hash_(input.message(i & 1), size, input.message(~i & 1));
      benchmark::ClobberMemory();
    }
    std::memcpy(input.result(0), input.message(calls & 1), messages::result_size);
  }

  Hash hash_;
};

/// `hash(const std::byte* message, std::size_t size, std::byte* result)`; `raw` if it does work::blocks.
template <class Hash>
void add(contestants& to, std::string name, algorithm of, bool raw, Hash hash) {
  to.push_back(std::make_unique<contestant_of<Hash>>(std::move(name), of, raw, std::move(hash)));
}

/// OpenSSL, libgcrypt and nettle; `portable` keeps libgcrypt from using anything but C.
void add_peers(contestants& to, bool portable);
/// jithash: its public interface, and its kernels by name.
void add_jithash(contestants& to);

}  // namespace jithash::bench
