// The registers that belong to the caller.
#pragma once

#include <cstddef>

#if defined(__x86_64__) || defined(__aarch64__) || defined(__arm__)
#define JITHASH_TEST_WATCHES 1

/// Calls function(state, blocks, n) with a mark in every register that it has to keep. Returns how many marks are gone,
/// and 256 more where that of AArch64's x18 is: compilers for Linux may use it, generated code must not, since other
/// systems keep it for themselves.
extern "C" std::size_t jithash_test_call_watched(void* function, void* state, const void* blocks,
                                                 std::size_t n);
#endif
