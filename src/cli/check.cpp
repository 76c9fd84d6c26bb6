#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "files.hpp"

namespace jithash::cli {
namespace {

// A sum file, line by line. "-" is standard input.
class sum_file {
 public:
  explicit sum_file(const std::string& name)
      : is_standard_input_(name == "-"),
        name_(is_standard_input_ ? "standard input" : name),
        stream_(is_standard_input_ ? stdin : std::fopen(name.c_str(), "re")) {
    if (is_standard_input_) use_input();
    if (stream_ == nullptr) error_ = {errno, std::generic_category()};
  }
  ~sum_file() {
    std::free(buffer_);
    if (is_standard_input_) {
      std::clearerr(stdin);
    } else if (stream_ != nullptr) {
      std::fclose(stream_);
    }
  }
  sum_file(const sum_file&) = delete;
  sum_file& operator=(const sum_file&) = delete;

  [[nodiscard]] bool is_standard_input() const { return is_standard_input_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::error_code open_error() const { return error_; }
  [[nodiscard]] bool read_error() const { return std::ferror(stream_) != 0; }

  // Valid until the next call; empty at the end.
  [[nodiscard]] std::string_view next_line() {
    const ssize_t length = getline(&buffer_, &capacity_, stream_);
    return length <= 0 ? std::string_view{} : std::string_view{buffer_, static_cast<std::size_t>(length)};
  }

 private:
  bool is_standard_input_;
  std::string name_;
  std::FILE* stream_;
  std::error_code error_;
  char* buffer_ = nullptr;
  std::size_t capacity_ = 0;
};

// The files that `lists` name, for a progress bar; lists that can be read but once name none.
std::optional<std::uint64_t> total_of_lists(const algorithm* only, std::span<const std::string> lists) {
  std::vector<std::string> names;
  sum_parser parser{only};
  for (const std::string& list : lists) {
    if (list == "-" || !total_bytes({&list, 1})) return std::nullopt;
    sum_file file{list};
    if (file.open_error()) continue;
    for (auto line = file.next_line(); !line.empty(); line = file.next_line()) {
      const auto content = line_content(line);
      if (auto sum = content ? parser.parse(*content) : std::nullopt) names.push_back(std::move(sum->name));
    }
  }
  return total_bytes(names);
}

class checker {
 public:
  checker(const algorithm* only, const check_options& options, progress& bar)
      : only_(only), options_(options), parser_(only), bar_(bar) {}

  // Whether everything in it was right.
  bool check(const std::string& list);

 private:
  struct counts {
    std::uintmax_t formatted = 0, misformatted = 0, unreadable = 0, mismatched = 0, matched = 0;
  };
  void check_line(const sum_line& sum, counts& seen);
  void tell(const std::string& name, std::string_view verdict) const;
  void warn(std::uintmax_t count, std::string_view singular, std::string_view plural) const;

  const algorithm* only_;
  const check_options& options_;
  sum_parser parser_;
  progress& bar_;
};

bool checker::check(const std::string& list) {
  sum_file file{list};
  if (file.open_error()) {
    complain_of(file.name(), file.open_error());
    return false;
  }
  counts seen;
  std::uintmax_t number = 0;
  for (auto line = file.next_line(); !line.empty(); line = file.next_line()) {
    ++number;
    const auto content = line_content(line);
    if (!content) continue;
    const auto sum = parser_.parse(*content);
    if (sum && !(file.is_standard_input() && sum->name == "-")) {
      ++seen.formatted;
      check_line(*sum, seen);
      continue;
    }
    ++seen.misformatted;
    if (options_.warn) {
      const std::string kind = only_ == nullptr ? "" : std::string{only_->tags[0]} + ' ';
      complain(shell_quoted(file.name()) + ": " + std::to_string(number) + ": improperly formatted " + kind +
               "checksum line");
    }
  }
  if (file.read_error()) {
    complain(shell_quoted(file.name()) + ": read error");
    return false;
  }
  if (seen.formatted == 0) {
    complain(shell_quoted(file.name()) + ": no properly formatted checksum lines found");
    return false;
  }
  if (!options_.status_only) {
    warn(seen.misformatted, "line is improperly formatted", "lines are improperly formatted");
    warn(seen.unreadable, "listed file could not be read", "listed files could not be read");
    warn(seen.mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
    if (options_.ignore_missing && seen.matched == 0)
      complain(shell_quoted(file.name()) + ": no file was verified");
  }
  return seen.matched > 0 && seen.mismatched == 0 && seen.unreadable == 0 &&
         (seen.misformatted == 0 || !options_.strict);
}

void checker::check_line(const sum_line& sum, counts& seen) {
  job one{sum.function, sum.name, {}};
  hash_files({&one, 1}, bar_);
  const auto& [hex, error] = one.result;
  if (error) {
    if (options_.ignore_missing && error == std::errc::no_such_file_or_directory) return;
    complain_of(sum.name, error);
    ++seen.unreadable;
    tell(sum.name, "FAILED open or read");
  } else if (hex == sum.hex) {
    ++seen.matched;
    if (!options_.quiet) tell(sum.name, "OK");
  } else {
    ++seen.mismatched;
    tell(sum.name, "FAILED");
  }
}

void checker::tell(const std::string& name, std::string_view verdict) const {
  if (options_.status_only) return;
  std::string line = name.find('\n') == std::string::npos ? name : escaped_name(name);
  print(line.append(": ").append(verdict).append("\n"));
}

void checker::warn(std::uintmax_t count, std::string_view singular, std::string_view plural) const {
  if (count == 0) return;
  complain("WARNING: " + std::to_string(count) + ' ' + std::string{count == 1 ? singular : plural});
}

}  // namespace

int check_sums(const algorithm* only, std::span<const std::string> lists, const check_options& options) {
  progress bar{progress::possible() ? total_of_lists(only, lists) : std::nullopt};
  checker all{only, options, bar};
  bool right = true;
  for (const std::string& list : lists) right &= all.check(list);
  return right ? 0 : 1;
}

}  // namespace jithash::cli
