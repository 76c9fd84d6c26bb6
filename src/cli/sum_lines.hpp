// The lines of sum files, as coreutils' sha*sum write and read them. Pure functions of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algorithm.hpp"

namespace jithash::cli {

/// How sums are written.
struct sum_style {
  bool tagged = false;  ///< "SHA256 (NAME) = HEX" instead of "HEX  NAME"
  bool binary = false;  ///< '*' before the name
  bool zero = false;    ///< ended by NUL, names as they are
};

[[nodiscard]] std::string format_sum(const algorithm& function, std::string_view hex, std::string_view name,
                                     const sum_style& style);

/// `name` on one line: backslash, newline and carriage return as \\, \n and \r, after a leading backslash
/// that says so.
[[nodiscard]] std::string escaped_name(std::string_view name);

/// `line` without its end, or nothing where it is a comment or empty.
[[nodiscard]] std::optional<std::string_view> line_content(std::string_view line);

/// What a line of a sum file asks for.
struct sum_line {
  const algorithm* function;
  std::string hex;  ///< lowercase
  std::string name;
};

/// Reads lines one after another: a list whose names are preceded by one blank (BSD's reversed form) is told
/// from one with two by its first line, and must stay what it is.
class sum_parser {
 public:
  /// Takes lines of `only`, or, where that is null, of any algorithm: by tag or by length.
  explicit sum_parser(const algorithm* only) noexcept : only_(only) {}

  /// What line_content() returned, read; nothing where it is not properly formatted.
  [[nodiscard]] std::optional<sum_line> parse(std::string_view line);

 private:
  [[nodiscard]] std::optional<sum_line> parse_untagged(std::string_view line, bool escaped);

  const algorithm* only_;
  enum class spacing { unknown, one_blank, two } spacing_ = spacing::unknown;
};

}  // namespace jithash::cli
