// The jithash command: its options, and which subcommand does the work.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <clocale>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "files.hpp"
#include "jithash/runtime.hpp"

namespace jithash::cli {
namespace {

constexpr int wrong_usage = 2;

// Operands of sums and checks are not CLI11's business (arguments.hpp), but help names them.
class help_with_operands : public CLI::Formatter {
 public:
  explicit help_with_operands(std::string operands) : operands_(std::move(operands)) { column_width(28); }
  std::string make_usage(const CLI::App* command, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(command, std::move(name));
    usage.insert(usage.rfind('\n'), ' ' + operands_);
    return usage;
  }

 private:
  std::string operands_;
};

void add_flag(CLI::App& command, const std::string& name, const std::string& help,
              std::function<void()> action) {
  command.add_flag_callback(name, std::move(action), help)->trigger_on_parse()->disable_flag_override();
}

// Of --quiet, --status and --warn the last one counts, as with coreutils.
void add_check_flags(CLI::App& command, check_options& options, const std::string& group) {
  command.option_defaults()->group(group);
  add_flag(command, "--ignore-missing", "don't fail or report status for missing files",
           [&] { options.ignore_missing = true; });
  add_flag(command, "--quiet", "don't print OK for each verified file", [&] {
    options.quiet = true;
    options.status_only = options.warn = false;
  });
  add_flag(command, "--status", "print no results: the exit code tells", [&] {
    options.status_only = true;
    options.quiet = options.warn = false;
  });
  add_flag(command, "--strict", "fail for improperly formatted lines, too", [&] { options.strict = true; });
  add_flag(command, "-w,--warn", "tell each improperly formatted line", [&] {
    options.warn = true;
    options.quiet = options.status_only = false;
  });
}

// Everything a command line can say.
struct settings {
  sum_style style;
  bool mode_given = false;  // --binary, --text or --tag
  bool check = false;
  check_options checking;
  std::string only;  // --algorithm
  bool json = false;
  bool list = false;
  dump_options dump;
};

void add_sums(CLI::App& app, const algorithm& function, settings& s) {
  const std::string tag{function.tags[0]};
  CLI::App& command =
      *app.add_subcommand(std::string{function.name}, "Print or check " + tag + " sums of files");
  command.group("Sums");
  command.formatter(std::make_shared<help_with_operands>("[FILE]..."));
  command.footer(
      "With no FILE, or when FILE is -, standard input is read. The output is that of\n"
      "coreutils' sha*sum programs; binary and text mode do not differ but in the mark.");
  add_flag(command, "-b,--binary", "mark names with '*'", [&] { s.style.binary = s.mode_given = true; });
  add_flag(command, "-t,--text", "mark names with a blank (default)", [&] {
    s.style.binary = false;
    s.mode_given = true;
  });
  add_flag(command, "--tag", "print \"" + tag + " (FILE) = HEX\"",
           [&] { s.style.tagged = s.style.binary = s.mode_given = true; });
  add_flag(command, "-z,--zero", "end lines with NUL and don't escape names", [&] { s.style.zero = true; });
  add_flag(command, "-c,--check", "read sums from FILEs and check them", [&] { s.check = true; });
  add_check_flags(command, s.checking, "With --check");
}

void add_commands(CLI::App& app, settings& s) {
  for (const algorithm& function : algorithms()) add_sums(app, function, s);

  CLI::App& check = *app.add_subcommand("check", "Verify files against sum files of any of these algorithms");
  check.group("Sums");
  check.formatter(std::make_shared<help_with_operands>("[SUMS]..."));
  check.footer(
      "With no SUMS, or when SUMS is -, standard input is read. Lines with a tag say what\n"
      "they are; the others are SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512 by length.");
  check.add_option("--algorithm", s.only, "take lines of this algorithm only (sha512-256, ...)")
      ->type_name("NAME");
  add_check_flags(check, s.checking, "Options");

  CLI::App& info = *app.add_subcommand("info", "Show what code runs on this CPU, and why");
  info.group("This machine");
  info.add_flag("--json", s.json, "for programs");

  CLI::App& tune = *app.add_subcommand("tune", "Measure every kernel that can run on this CPU");
  tune.group("This machine");

  CLI::App& dump = *app.add_subcommand("dump", "Write the machine code of a kernel");
  dump.group("This machine");
  dump.add_option("KERNEL", s.dump.kernel, "its name: sha256/x86-shani")->option_text(" ");
  dump.add_flag("--list", s.list, "list the names of kernels instead");
  dump.add_option("--arch", s.dump.architecture, "only kernels of x86, a64 or a32")
      ->type_name("ARCH")
      ->check(CLI::IsMember({"x86", "a64", "a32"}).description(""));
  dump.add_option("--cpu", s.dump.cpu, "generate for what it needs and these, rather than for this CPU")
      ->type_name("FEATURE,...");
  dump.add_flag("--compact", s.dump.compact, "small loops, where the kernel has both forms");
  dump.add_flag("--listing", s.dump.listing, "assembly text instead (32-bit Arm)");
  dump.add_option("-o,--output", s.dump.output, "where to, rather than to standard output")
      ->type_name("FILE");
  dump.footer("For example: jithash dump sha256/x86-shani -o k && objdump -D -b binary -m i386:x86-64 k");
}

// Combinations that mean nothing, in the words and the order of coreutils.
void refuse_nonsense(const settings& s) {
  const auto refuse_if = [](bool wrong, const std::string& why) {
    if (wrong) throw usage_error{why};
  };
  refuse_if(s.style.tagged && !s.style.binary, "--tag does not support --text mode");
  if (s.check) {
    refuse_if(s.style.zero, "the --zero option is not supported when verifying checksums");
    refuse_if(s.style.tagged, "the --tag option is meaningless when verifying checksums");
    refuse_if(s.mode_given, "the --binary and --text options are meaningless when verifying checksums");
    return;
  }
  const auto refuse_without_check = [&](bool given, const std::string& option) {
    refuse_if(given, "the --" + option + " option is meaningful only when verifying checksums");
  };
  refuse_without_check(s.checking.ignore_missing, "ignore-missing");
  refuse_without_check(s.checking.status_only, "status");
  refuse_without_check(s.checking.warn, "warn");
  refuse_without_check(s.checking.quiet, "quiet");
  refuse_without_check(s.checking.strict, "strict");
}

int run(const std::string& command, const settings& s, std::vector<std::string> operands) {
  if (command == "info") return show_info(s.json);
  if (command == "tune") return tune_kernels();
  if (command == "dump") {
    if (s.list) {
      const bool dumps =
          !s.dump.kernel.empty() || s.dump.cpu || s.dump.compact || s.dump.listing || !s.dump.output.empty();
      if (dumps) throw usage_error{"--list goes with --arch only"};
      return list_kernels(s.dump.architecture);
    }
    if (s.dump.kernel.empty()) throw usage_error{"the name of a kernel is missing"};
    return dump_kernel(s.dump);
  }
  if (operands.empty()) operands.emplace_back("-");
  if (const algorithm* function = algorithm_named(command)) {
    refuse_nonsense(s);
    return s.check ? check_sums(function, operands, s.checking) : print_sums(*function, operands, s.style);
  }
  const algorithm* only = algorithm_named(s.only);
  if (only == nullptr && !s.only.empty()) throw usage_error{"no algorithm is called " + shell_quoted(s.only)};
  return check_sums(only, operands, s.checking);
}

int parse_and_run(std::vector<std::string> arguments) {
  settings s;
  CLI::App app{"Hash files with code generated for this CPU.", "jithash"};
  app.set_help_flag("--help", "show this help");
  app.set_version_flag(
      "--version", [] { return "jithash " + report().version; }, "show the version");
  add_commands(app, s);
  app.footer(
      "'jithash COMMAND --help' tells more. Exit code: 0 all is right, 1 a mismatch or a file\n"
      "that could not be read, 2 wrong usage.");

  CLI::App* command = nullptr;
  try {
    if (arguments.empty()) throw usage_error{"a command is missing"};
    const auto named = app.get_subcommands([&](CLI::App* c) { return c->get_name() == arguments.front(); });
    if (!named.empty()) command = named.front();
    std::vector<std::string> operands;
    const bool takes_files = command != nullptr && command->get_group() == "Sums";
    if (takes_files) {
      auto [options, names] = separate(*command, std::span{arguments}.subspan(1));
      operands = std::move(names);
      options.insert(options.begin(), std::move(arguments.front()));
      arguments = std::move(options);
    }
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
    if (command == nullptr) throw usage_error{"a command is missing"};
    return run(command->get_name(), s, std::move(operands));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    complain(error.what());
  } catch (const usage_error& error) {
    complain(error.what());
  }
  const std::string name = command == nullptr ? "" : command->get_name() + ' ';
  std::fprintf(stderr, "Try 'jithash %s--help' for more information.\n", name.c_str());
  return wrong_usage;
}

}  // namespace
}  // namespace jithash::cli

int main(int argc, char** argv) {
  using namespace jithash::cli;
  std::setlocale(LC_CTYPE, "");
  // Whole lines at once, so that processes that write to one terminal or pipe do not mix theirs.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int status = 1;
  try {
    status = parse_and_run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  if (!close_input() && status == 0) status = 1;
  if (!close_output() && status == 0) status = 1;
  return status;
}
