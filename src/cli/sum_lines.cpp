#include "sum_lines.hpp"

#include <algorithm>

namespace jithash::cli {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::size_t count_hex_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hex_digit) - text.begin());
}

std::string lowercase(std::string_view hex) {
  std::string result{hex};
  for (char& c : result) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string escape(std::string_view name) {
  std::string result;
  for (const char c : name) {
    switch (c) {
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// A name as it stood in a line. Files have no NUL in their names: without escapes it ends there, with them
// the line is not one that was written by escaping.
std::optional<std::string> read_name(std::string_view text, bool escaped) {
  if (!escaped) return std::string{text.substr(0, text.find('\0'))};
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') return std::nullopt;
    if (text[i] != '\\') {
      name += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    switch (text[i]) {
      case '\\':
        name += '\\';
        break;
      case 'n':
        name += '\n';
        break;
      case 'r':
        name += '\r';
        break;
      default:
        return std::nullopt;
    }
  }
  return name;
}

// "NAME) = HEX", what follows the tag.
std::optional<sum_line> parse_tagged(const algorithm& function, std::string_view text, bool escaped) {
  const std::size_t end = text.rfind(')');
  if (end == std::string_view::npos) return std::nullopt;
  auto name = read_name(text.substr(0, end), escaped);
  text.remove_prefix(end + 1);
  skip_blanks(text);
  if (!name || !skip(text, '=')) return std::nullopt;
  skip_blanks(text);
  const std::string_view hex = text.substr(0, text.find('\0'));
  if (hex.size() != function.hex_digits || count_hex_digits(hex) != hex.size()) return std::nullopt;
  return sum_line{&function, lowercase(hex), std::move(*name)};
}

}  // namespace

std::string format_sum(const algorithm& function, std::string_view hex, std::string_view name,
                       const sum_style& style) {
  const bool escaped = !style.zero && name.find_first_of("\\\n\r") != std::string_view::npos;
  const std::string shown = escaped ? escape(name) : std::string{name};
  std::string line = escaped ? "\\" : "";
  if (style.tagged) {
    line.append(function.tags[0]).append(" (").append(shown).append(") = ").append(hex);
  } else {
    line.append(hex).append(style.binary ? " *" : "  ").append(shown);
  }
  return line += style.zero ? '\0' : '\n';
}

std::string escaped_name(std::string_view name) { return '\\' + escape(name); }

std::optional<std::string_view> line_content(std::string_view line) {
  if (line.starts_with('#')) return std::nullopt;
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return std::nullopt;
  return line;
}

std::optional<sum_line> sum_parser::parse(std::string_view line) {
  skip_blanks(line);
  const bool escaped = skip(line, '\\');
  for (const algorithm& candidate : algorithms()) {
    if (only_ != nullptr && only_ != &candidate) continue;
    for (const std::string_view tag : candidate.tags) {
      if (tag.empty() || !line.starts_with(tag)) continue;
      std::string_view rest = line.substr(tag.size());
      skip(rest, ' ');
      if (skip(rest, '(')) return parse_tagged(candidate, rest, escaped);
    }
  }
  return parse_untagged(line, escaped);
}

std::optional<sum_line> sum_parser::parse_untagged(std::string_view line, bool escaped) {
  const std::string_view hex = line.substr(0, count_hex_digits(line));
  const algorithm* function = only_;
  if (function == nullptr) {
    for (const algorithm& candidate : algorithms()) {
      if (candidate.known_by_length && candidate.hex_digits == hex.size()) function = &candidate;
    }
  }
  line.remove_prefix(hex.size());
  if (function == nullptr || hex.size() != function->hex_digits) return std::nullopt;
  if (line.size() < 2 || !is_blank(line.front())) return std::nullopt;
  line.remove_prefix(1);

  if (line.size() == 1 || (line.front() != ' ' && line.front() != '*')) {
    // Files are not to be confused by names that start with a blank: no list has both spacings.
    if (spacing_ == spacing::two) return std::nullopt;
    spacing_ = spacing::one_blank;
  } else if (spacing_ != spacing::one_blank) {
    spacing_ = spacing::two;
    line.remove_prefix(1);
  }
  auto name = read_name(line, escaped);
  if (!name) return std::nullopt;
  return sum_line{function, lowercase(hex), std::move(*name)};
}

}  // namespace jithash::cli
