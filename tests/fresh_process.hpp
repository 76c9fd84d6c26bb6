// Runs a function in a process that has not used jithash yet, whatever this one did: policy, environment and
// first use can be tried over and over. Works under emulation, where a program cannot start itself again.
#pragma once

#include <string>

/// What became of the child: nothing in `failure` if the body returned; else what it said or the signal it
/// died of.
struct child_outcome {
  std::string failure;
  std::string output;  ///< what the body passed to tell()
};

using child_body = void (*)(const std::string& argument);

/// Must be called first thing in main(), before any thread and any use of jithash.
void start_fresh_processes();

child_outcome in_fresh_process(child_body body, const std::string& argument = {});

/// For bodies: ends the child with `message` as its failure unless `ok`.
void require(bool ok, const std::string& message);

/// For bodies: hands a text to the parent.
void tell(const std::string& text);
