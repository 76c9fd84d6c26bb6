// Command lines as GNU programs take them: options anywhere among the operands, "--" to end them, long ones
// cut short, short ones joined.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <vector>

namespace jithash::cli {

struct separated {
  std::vector<std::string> options;   ///< with their values, long names in full: for CLI11
  std::vector<std::string> operands;  ///< byte for byte, in order
};

/// Tells the options of `command` from operands. CLI11 would too, but gives a meaning of its own to operands
/// such as "[a,b]" and "{}", which may be names of files.
[[nodiscard]] separated separate(const CLI::App& command, std::span<const std::string> arguments);

}  // namespace jithash::cli
