// The registers that belong to the caller.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) || defined(__aarch64__) || defined(__arm__)
#define JITHASH_TEST_WATCHES 1

/// Calls function(state, blocks, n) with a mark in every register that it has to keep. Returns a bit for each mark that is
/// gone: on x86-64 by the register's number; on Arm likewise, and those of d8 to d15 from bit 40 on (where the compiler
/// knows them: code for soft floats cannot look). AArch64's x18 is among them, which compilers for Linux may use;
/// generated code must not, since other systems keep it for themselves.
extern "C" std::uint64_t jithash_test_call_watched(void* function, void* state, const void* blocks,
                                                   std::size_t n);
#endif
