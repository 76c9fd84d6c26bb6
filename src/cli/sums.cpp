#include "commands.hpp"
#include "console.hpp"
#include "files.hpp"

namespace jithash::cli {

int print_sums(const algorithm& function, std::span<const std::string> files, const sum_style& style) {
  progress bar{progress::possible() ? total_bytes(files) : std::nullopt};
  int status = 0;
  for (const std::string& name : files) {
    job one{&function, name, {}};
    hash_files({&one, 1}, bar);
    if (one.result.error) {
      complain_of(name, one.result.error);
      status = 1;
    } else {
      print(format_sum(function, one.result.hex, name, style));
    }
  }
  return status;
}

}  // namespace jithash::cli
