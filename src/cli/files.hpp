// Files by name, hashed in batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "algorithm.hpp"
#include "progress.hpp"

namespace jithash::cli {

/// One file to hash ("-" is standard input), and afterwards what became of it.
struct job {
  const algorithm* function;
  std::string name;
  outcome result;
};

/// Opens and hashes a batch of files; each gets its result.
void hash_files(std::span<job> batch, progress& bar);

/// Standard input is about to be read, by whatever means.
void use_input();

/// To be called once, after the last file: false, after a complaint, where standard input was used and is not
/// even open.
[[nodiscard]] bool close_input();

/// The bytes that reading the files will yield, those that are missing left out; nothing where that cannot be
/// known, as with pipes and devices.
[[nodiscard]] std::optional<std::uint64_t> total_bytes(std::span<const std::string> names);

}  // namespace jithash::cli
