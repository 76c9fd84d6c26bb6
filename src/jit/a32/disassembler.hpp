// What generated A32 code says, for people: `jithash dump`.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace jithash {
inline namespace v0 {
namespace a32 {

/// A line for each word, with its offset and value behind "@", after the directives with which GNU as makes the same bytes
/// of the text. Knows
/// the instructions of the encoder; everything else, and what no execution reaches, is data (.word). Throws
/// std::bad_alloc only.
[[nodiscard]] std::string disassemble(std::span<const std::byte> code);

}  // namespace a32
}  // namespace v0
}  // namespace jithash
