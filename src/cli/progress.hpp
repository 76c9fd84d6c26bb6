// A progress bar for long work, on a terminal only.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jithash::cli {

/// "[=====>    ] 52%  1.2 of 2.3 GB  1.83 GB/s  0:05 left", in at most `columns` columns.
[[nodiscard]] std::string progress_line(std::uint64_t done, std::uint64_t total,
                                        std::chrono::duration<double> elapsed, std::size_t columns);

/// Watches how far the offset of the descriptor being hashed has come, from a thread of its own: who reads
/// neither knows nor waits. Draws nothing in the first second, nor where the rest would take less than one.
class progress {
 public:
  /// Whether standard error is a terminal that can show a bar: only then is it worth to find out the total.
  [[nodiscard]] static bool possible();

  /// `total` bytes are to be read; nothing is ever shown where that is not known.
  explicit progress(std::optional<std::uint64_t> total);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Reading of `descriptor` begins and, before it is closed, ends.
  void begin(int descriptor);
  void end();

 private:
  void watch(std::stop_token stop);
  [[nodiscard]] std::uint64_t bytes_done() const;

  const std::uint64_t total_;
  std::mutex mutex_;  // guards the three below
  std::uint64_t finished_ = 0;
  int descriptor_ = -1;
  std::int64_t start_ = 0;  // offset of descriptor_ when it began
  std::condition_variable_any stopped_;
  std::jthread watcher_;
};

}  // namespace jithash::cli
