#include "console.hpp"

#include <stdio_ext.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <mutex>

namespace jithash::cli {
namespace {

// How a character fares in a word of the shell.
enum class quoting {
  none,           // stands for itself
  only_if_first,  // special at the start of a word
  only_if_alone,  // special as a word of its own
  any,            // special: needs quotes of one kind or the other
  single          // special even in double quotes
};

quoting quoting_of(unsigned char c) {
  switch (c) {
    case '#':
    case '~':
      return quoting::only_if_first;
    case '{':
    case '}':
      return quoting::only_if_alone;
    case ' ':
    case '\'':
      return quoting::any;
    case '!':
    case '"':
    case '$':
    case '&':
    case '(':
    case ')':
    case '*':
    case ';':
    case '<':
    case '=':
    case '>':
    case '?':
    case '[':
    case '\\':
    case '^':
    case '`':
    case '|':
    case ':':  // not for the shell: it ends names in messages
      return quoting::single;
    default:
      return quoting::none;
  }
}

// The bytes of the character that `text` starts with, and whether a terminal shows it in this locale.
struct character {
  std::size_t size;
  bool printable;
};

character first_character(std::string_view text) {
  std::mbstate_t state{};
  wchar_t wide;
  const std::size_t size = std::mbrtowc(&wide, text.data(), text.size(), &state);
  if (size == 0) return {1, false};
  if (size > text.size()) return {1, false};  // not a character, or not all of one
  return {size, std::iswprint(static_cast<std::wint_t>(wide)) != 0};
}

// A byte inside $'...'.
void append_escape(std::string& text, unsigned char c) {
  static constexpr std::string_view controls = "\a\b\t\n\v\f\r", letters = "abtnvfr";
  text += '\\';
  if (const std::size_t i = controls.find(static_cast<char>(c)); i != std::string_view::npos) {
    text += letters[i];
    return;
  }
  for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + ((c >> shift) & 7));
}

std::string single_quoted(std::string_view name, bool escaping) {
  std::string text = "'";
  while (!name.empty()) {
    const auto [size, printable] = first_character(name);
    const std::string_view c = name.substr(0, size);
    name.remove_prefix(size);
    if (!printable) {
      if (!escaping) text += "'$'";
      escaping = true;
      for (const char byte : c) append_escape(text, static_cast<unsigned char>(byte));
    } else if (c == "'") {
      text += "'\\''";
      escaping = false;
    } else {
      if (escaping) text += "''";
      escaping = false;
      text += c;
    }
  }
  return text += '\'';
}

std::mutex output;  // guards what follows and the order of writes
bool status_drawn = false;

void erase_status() {
  if (!status_drawn) return;
  std::fputs("\r\033[K", stderr);
  status_drawn = false;
}

}  // namespace

std::string shell_quoted(std::string_view name) {
  bool bare = !name.empty(), apostrophe = false, fits_double_quotes = true, ends_escaped = false;
  for (std::string_view rest = name; !rest.empty();) {
    const auto [size, printable] = first_character(rest);
    const quoting how = size == 1 ? quoting_of(static_cast<unsigned char>(rest.front())) : quoting::none;
    const bool special = how == quoting::any || how == quoting::single ||
                         (how == quoting::only_if_first && rest.size() == name.size()) ||
                         (how == quoting::only_if_alone && name.size() == 1);
    if (special || !printable) bare = false;
    if (how == quoting::single || !printable || (how != quoting::none && !special))
      fits_double_quotes = false;
    if (rest.front() == '\'') apostrophe = true;
    ends_escaped = !printable;
    rest.remove_prefix(size);
  }
  if (bare) return std::string{name};
  if (apostrophe && fits_double_quotes) return '"' + std::string{name} + '"';
  // coreutils 9.1 lets the end of such a name leak into its start; messages are the same to the byte.
  return single_quoted(name, apostrophe && ends_escaped);
}

void print(std::string_view text) {
  static const bool terminal = isatty(STDOUT_FILENO) == 1;
  const std::lock_guard lock{output};
  if (terminal) erase_status();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(std::string_view text) {
  const std::string line = "jithash: " + std::string{text} + '\n';
  const std::lock_guard lock{output};
  std::fflush(stdout);
  erase_status();
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void complain_of(std::string_view name, std::error_code error) {
  complain(shell_quoted(name) + ": " + error.message());
}

void draw_status(std::string_view line) {
  const std::lock_guard lock{output};
  if (line.empty()) return erase_status();
  const std::string text = '\r' + std::string{line} + "\033[K";
  std::fwrite(text.data(), 1, text.size(), stderr);
  status_drawn = true;
}

bool close_output() {
  const bool pending = __fpending(stdout) != 0, failed = std::ferror(stdout) != 0;
  errno = 0;
  const bool close_failed = std::fclose(stdout) != 0;
  const int error = close_failed ? errno : 0;
  // A standard output that was closed from the start matters only to those who wrote to it.
  if (!failed && !(close_failed && (pending || error != EBADF))) return true;
  complain(error == 0 ? "write error" : "write error: " + std::generic_category().message(error));
  return false;
}

}  // namespace jithash::cli
