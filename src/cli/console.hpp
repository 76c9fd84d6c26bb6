// What the command says: results on standard output, complaints and the progress bar on standard error, kept
// from overwriting each other on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace jithash::cli {

/// A file name as a message shows it: as it is, or, where a shell would not read that as one word or a
/// terminal not show it, quoted for the shell the way GNU programs do.
[[nodiscard]] std::string shell_quoted(std::string_view name);

/// Results. Whatever became of earlier ones; close_output() tells.
void print(std::string_view text);

/// "jithash: TEXT" in a line of its own, after the results so far.
void complain(std::string_view text);
void complain_of(std::string_view name, std::error_code error);

/// Draws `line` as the last line of the terminal at standard error, in place of the one before; the empty
/// line takes it away.
void draw_status(std::string_view line);

/// To be called once, last: false, after a complaint, where not everything that was printed could be written.
[[nodiscard]] bool close_output();

}  // namespace jithash::cli
