#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "process.hpp"
#include "registry.hpp"

namespace jithash::cli {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

std::error_code write_all(int descriptor, bytes_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return last_error();
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

// All of the bytes or, should that fail, no file.
std::error_code write_file(const std::string& path, bytes_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return last_error();
  std::error_code error = write_all(file, bytes);
  struct stat status;
  const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (close(file) != 0 && !error) error = last_error();
  if (error && regular) unlink(path.c_str());
  return error;
}

// "x86" of "sha256/x86-shani".
std::string_view architecture_of(const kernel& row) {
  const std::string_view extension = row.name.substr(row.name.find('/') + 1);
  return extension.substr(0, extension.find('-'));
}

// The kernels of an architecture, or, where that is empty, of all whose generators this build has.
std::vector<kernel> generated_kernels(std::string_view architecture) {
#if JITHASH_EVERY_ARCHITECTURE
  const std::span<const kernel> all = every_kernel();
#else
  const std::span<const kernel> all = registry();
#endif
  std::vector<kernel> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [=](const kernel& row) {
    return row.generate != nullptr && (architecture.empty() || architecture_of(row) == architecture);
  });
  return found;
}

kernel find(const std::string& name, const std::string& architecture) {
  std::string names;
  for (const kernel& row : generated_kernels(architecture)) {
    if (row.name == name) return row;
    names.append(names.empty() ? "" : ", ").append(row.name);
  }
  throw usage_error{"no generated kernel is called " + shell_quoted(name) +
                    "; there are: " + (names.empty() ? "none in this build" : names)};
}

// What this CPU has, where a kernel is of its architecture, and what the kernel cannot do without.
cpu_features features_for(const kernel& row) {
  const auto own = registry();
  const bool runs_here =
      std::any_of(own.begin(), own.end(), [&](const kernel& k) { return k.name == row.name; });
  return runs_here ? this_process().features | row.needs : row.needs;
}

}  // namespace

int list_kernels(const std::string& architecture) {
  for (const kernel& row : generated_kernels(architecture)) print(std::string{row.name} + '\n');
  return 0;
}

int dump_kernel(const std::string& name, const std::string& architecture, const std::string& to) {
  const kernel row = find(name, architecture);
  if (to.empty() && isatty(STDOUT_FILENO) == 1) {
    throw usage_error{"machine code is not for terminals: use -o FILE, or a pipe"};
  }
  const machine_code code = row.generate({.features = features_for(row)});
  if (code.error != nullptr) {
    complain(name + ": " + code.error);
    return 1;
  }
  const bytes_view bytes{code.bytes.get(), code.size};
  if (to.empty()) {
    print({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } else if (const std::error_code error = write_file(to, bytes)) {
    complain_of(to, error);
    return 1;
  }
  return 0;
}

}  // namespace jithash::cli
