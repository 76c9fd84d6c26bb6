#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "console.hpp"

namespace jithash::cli {
namespace {

using namespace std::chrono_literals;
using seconds = std::chrono::duration<double>;

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// The time that what is left takes at the speed so far.
seconds time_left(std::uint64_t done, std::uint64_t total, seconds elapsed) {
  if (done == 0) return seconds::max();
  return elapsed * (static_cast<double>(total - done) / static_cast<double>(done));
}

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t total, seconds elapsed, std::size_t columns) {
  struct unit {
    double size;
    const char* name;
  };
  static constexpr std::array<unit, 4> units{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
  const auto bytes = static_cast<double>(done), all = static_cast<double>(total);
  const auto [size, name] =
      *std::find_if(units.begin(), units.end() - 1, [=](const unit& u) { return all >= u.size; });
  const double fraction = total == 0 ? 1.0 : bytes / all;

  char left[32] = "";
  if (done > 0) {
    // Anything longer than this is not a forecast.
    const auto s = static_cast<unsigned>(std::min(time_left(done, total, elapsed).count(), 359999.0));
    if (s >= 3600) {
      std::snprintf(left, sizeof left, "  %u:%02u:%02u left", s / 3600, s / 60 % 60, s % 60);
    } else {
      std::snprintf(left, sizeof left, "  %u:%02u left", s / 60, s % 60);
    }
  }
  char figures[128];
  std::snprintf(figures, sizeof figures, "%3.0f%%  %.1f of %.1f %s  %.2f GB/s%s", fraction * 100,
                bytes / size, all / size, name, bytes / elapsed.count() / 1e9, left);

  std::string line = figures;
  static constexpr std::size_t narrowest = 10, widest = 50, frame = 3;
  if (columns >= line.size() + narrowest + frame) {
    const std::size_t width = std::min(columns - line.size() - frame, widest);
    const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(width));
    std::string bar(filled, '=');
    if (filled < width) bar += '>';
    bar.resize(width, ' ');
    line = '[' + bar + "] " + line;
  }
  return line.size() <= columns ? line : line.substr(0, std::min<std::size_t>(columns, 4));
}

bool progress::possible() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && terminal != std::string_view{"dumb"};
}

progress::progress(std::optional<std::uint64_t> total) : total_(total.value_or(0)) {
  if (total_ == 0) return;
  try {
    watcher_ = std::jthread{[this](std::stop_token stop) { watch(std::move(stop)); }};
  } catch (const std::system_error&) {
    // Where there is no thread to be had there is no bar.
  }
}

progress::~progress() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  watcher_.join();
  draw_status("");
}

void progress::begin(int descriptor) {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock{mutex_};
  descriptor_ = descriptor;
  start_ = lseek(descriptor, 0, SEEK_CUR);
}

void progress::end() {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock{mutex_};
  finished_ = bytes_done();
  descriptor_ = -1;
}

std::uint64_t progress::bytes_done() const {
  const std::int64_t offset = descriptor_ < 0 ? start_ : lseek(descriptor_, 0, SEEK_CUR);
  // No file grows the total that was counted at the start.
  return std::min(total_, finished_ + static_cast<std::uint64_t>(std::max<std::int64_t>(offset - start_, 0)));
}

void progress::watch(std::stop_token stop) {
  const auto started = std::chrono::steady_clock::now();
  bool showing = false;
  std::unique_lock lock{mutex_};
  for (auto pause = 1000ms; !stopped_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); });
       pause = 200ms) {
    const std::uint64_t done = bytes_done();
    const seconds elapsed = std::chrono::steady_clock::now() - started;
    showing = showing || time_left(done, total_, elapsed) > 1s;
    if (showing) draw_status(progress_line(done, total_, elapsed, terminal_columns() - 1));
  }
}

}  // namespace jithash::cli
