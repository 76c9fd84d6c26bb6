// The subcommands. Each returns the exit code it deserves, 0 or 1; what cannot be written to standard output
// is found by close_output().
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "algorithm.hpp"
#include "sum_lines.hpp"

namespace jithash::cli {

/// A command line that asks for what does not exist or makes no sense: exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct check_options {
  bool ignore_missing = false;  ///< files that do not exist are neither told nor counted
  bool quiet = false;           ///< matching files are not told
  bool status_only = false;     ///< results and summaries are not told
  bool strict = false;          ///< a line that is not properly formatted is a failure
  bool warn = false;            ///< and is told
};

/// jithash sha1 ... sha512-256: the sums of `files`.
int print_sums(const algorithm& function, std::span<const std::string> files, const sum_style& style);

/// jithash check, and sha1 --check ... sha512-256 --check: verifies what the sum files `lists` list.
int check_sums(const algorithm* only, std::span<const std::string> lists, const check_options& options);

/// jithash info.
int show_info(bool as_json);

/// jithash tune: measures every kernel that can run here.
int tune_kernels();

/// jithash dump --list: the names of the kernels that can be dumped, of one architecture unless that is
/// empty.
int list_kernels(const std::string& architecture);

struct dump_options {
  std::string kernel;
  std::string architecture;  ///< of the kernel; any if empty
  /// Features to generate for, beside those that the kernel needs: "armv7,neon"; without it, this CPU's.
  std::optional<std::string> cpu;
  bool compact = false;  ///< small loops, where the kernel has both forms
  bool listing = false;  ///< text for people and assemblers rather than bytes
  std::string output;    ///< a file; standard output if empty
};

/// jithash dump: the code of a kernel.
int dump_kernel(const dump_options& options);

}  // namespace jithash::cli
