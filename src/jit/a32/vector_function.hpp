// What 32-bit Arm kernels share that keep all they have in vector registers: compress(state, blocks, n)
// without a frame on core registers.
#pragma once

#include "jit/a32/encoder.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

/// Where a kernel finds its arguments; r12 is free.
///
///   state   r0   the intermediate hash value, words in the standard's order
///   blocks  r1   the current block; the kernel moves it on
///   left    r2   how many blocks are left
///   k       r3   the kernel's constants
struct vector_arguments {
  static constexpr reg state = r0, blocks = r1, left = r2, k = r3;
};

/// compress(state, blocks, n) from a Kernel that has
///   Kernel(encoder&)
///   begin()            once, before the first block: loads the state
///   compress_block()   absorbs the block at `blocks` and moves that on; the state is up to date in memory
///                      afterwards, too
///   end()              once, after the last
///   constants()        what k points at, 16-byte aligned
template <class Kernel>
machine_code generate_vector_function(const generator_options& options) noexcept {
  using args = vector_arguments;
  encoder e(options.arm_level());
  Kernel kernel(e);
  const label next_block = e.new_label(), constants = e.new_label();

  e.address_of(args::k, constants);
  kernel.begin();
  e.bind(next_block);
  kernel.compress_block();
  e.subs(args::left, args::left, 1);
  e.b(next_block, condition::ne);
  kernel.end();
  e.bx(lr);

  e.align(16);
  e.bind(constants);
  kernel.constants();
  return e.finish();
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
