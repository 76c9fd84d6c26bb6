#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "jit/a32/disassembler.hpp"
#include "process.hpp"
#include "registry.hpp"
#include "write_all.hpp"

namespace jithash::cli {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

// All of the bytes or, where there is no room for them, what was there before.
std::error_code write_file(const std::string& path, bytes_view bytes) {
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool created = file >= 0;
  if (!created) file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return last_error();

  // The room first: once it is there, writing does not fail half-way.
  struct stat before;
  const bool regular = fstat(file, &before) == 0 && S_ISREG(before.st_mode);
  const auto size = static_cast<off_t>(bytes.size());
  std::error_code error;
  std::signal(SIGXFSZ, SIG_IGN);
  const int full = regular ? posix_fallocate(file, 0, size) : 0;
  if (full == ENOSPC || full == EFBIG || full == EDQUOT) {  // others cannot tell
    error.assign(full, std::generic_category());
    (void)!ftruncate(file, before.st_size);
  } else {
    const bool whole = write_all(file, bytes) && (!regular || ftruncate(file, size) == 0);
    if (!whole) error = last_error();
  }
  if (close(file) != 0 && !error) error = last_error();
  if (error && created) unlink(path.c_str());
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

// What the kernel cannot do without, and what `cpu` names or, without it, what this CPU has if the kernel is of its
// architecture.
cpu_features features_for(const kernel& row, const std::optional<std::string>& cpu) {
  cpu_features features = row.needs;
  for_each_item(cpu.value_or(""), [&](std::string_view item) {
    const cpu_features named = features_named(item);
    if (named.empty()) throw usage_error{"no CPU feature is called " + shell_quoted(item)};
    features = features | named;
  });
  if (cpu) return with_prerequisites(features);
  const auto own = registry();
  const bool runs_here =
      std::any_of(own.begin(), own.end(), [&](const kernel& k) { return k.name == row.name; });
  return runs_here ? features | this_process().features : features;
}

}  // namespace

int list_kernels(const std::string& architecture) {
  for (const kernel& row : generated_kernels(architecture)) print(std::string{row.name} + '\n');
  return 0;
}

int dump_kernel(const dump_options& options) {
  const kernel row = find(options.kernel, options.architecture);
  if (options.listing && architecture_of(row) != "a32") {
    throw usage_error{"listings are of 32-bit Arm kernels; of others, objdump -D -b binary makes one"};
  }
  const bool to_file = !options.output.empty() && options.output != "-";
  if (!options.listing && !to_file && isatty(STDOUT_FILENO) == 1) {
    throw usage_error{"machine code is not for terminals: use -o FILE, or a pipe"};
  }
  const machine_code code =
      row.generate({.features = features_for(row, options.cpu), .compact = options.compact});
  if (code.error != nullptr) {
    complain(options.kernel + ": " + code.error);
    return 1;
  }
  bytes_view dumped{code.bytes.get(), code.size};
  const std::string listing = options.listing ? a32::disassemble(dumped) : std::string{};
  if (options.listing) dumped = bytes(listing);
  if (!to_file) {
    print({reinterpret_cast<const char*>(dumped.data()), dumped.size()});
  } else if (const std::error_code error = write_file(options.output, dumped)) {
    complain_of(options.output, error);
    return 1;
  }
  return 0;
}

}  // namespace jithash::cli
