// The seven algorithms as the command knows them: by the names of its subcommands.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace jithash::cli {

/// What became of a file: the digest in hexadecimal, valid only where `error` is not set.
struct outcome {
  std::string hex;
  std::error_code error;
};

struct algorithm {
  std::string_view name;  ///< "sha256"
  /// What stands for it in "TAG (NAME) = HEX": the first is written, all (empty ones aside) are read.
  std::array<std::string_view, 3> tags;
  std::size_t hex_digits;
  bool known_by_length;             ///< an untagged sum of that many digits means this one
  outcome (*hash)(int descriptor);  ///< from the descriptor's offset to the end
};

[[nodiscard]] std::span<const algorithm> algorithms() noexcept;

/// The algorithm of that name, or null.
[[nodiscard]] const algorithm* algorithm_named(std::string_view name) noexcept;

}  // namespace jithash::cli
