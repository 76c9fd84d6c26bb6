#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "console.hpp"

namespace jithash::cli {
namespace {

bool input_used = false;

// An open file; standard input is not closed with it.
class open_file {
 public:
  explicit open_file(const std::string& name) : is_standard_input_(name == "-") {
    if (is_standard_input_) {
      use_input();
      descriptor_ = STDIN_FILENO;
    } else if (descriptor_ = open(name.c_str(), O_RDONLY | O_CLOEXEC); descriptor_ < 0) {
      error_ = {errno, std::generic_category()};
    }
  }
  ~open_file() {
    if (!is_standard_input_ && descriptor_ >= 0) close(descriptor_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::error_code error() const { return error_; }

 private:
  bool is_standard_input_;
  int descriptor_ = -1;
  std::error_code error_;
};

}  // namespace

void hash_files(std::span<job> batch, progress& bar) {
  for (job& one : batch) {
    const open_file file{one.name};
    if (file.error()) {
      one.result.error = file.error();
      continue;
    }
    bar.begin(file.descriptor());
    one.result = one.function->hash(file.descriptor());
    bar.end();
  }
}

void use_input() { input_used = true; }

bool close_input() {
  if (!input_used || close(STDIN_FILENO) == 0) return true;
  complain("standard input: " + std::generic_category().message(errno));
  return false;
}

std::optional<std::uint64_t> total_bytes(std::span<const std::string> names) {
  std::uint64_t total = 0;
  for (const std::string& name : names) {
    struct stat status;
    if ((name == "-" ? fstat(STDIN_FILENO, &status) : stat(name.c_str(), &status)) != 0) continue;
    if (S_ISDIR(status.st_mode)) continue;
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    total += static_cast<std::uint64_t>(status.st_size);
  }
  return total;
}

}  // namespace jithash::cli
