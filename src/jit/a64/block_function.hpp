// What every A64 kernel of the form compress(state, blocks, n) shares: arguments, frame, block loop,
// constants.
#pragma once

#if __has_include(<asmjit/a64.h>)
#include <asmjit/a64.h>
#else
#include <asmjit/arm/a64assembler.h>
#endif

#include "jit/emitter.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {

using namespace asmjit::a64;

/// Where a kernel finds its arguments: AAPCS64, which all systems follow here.
///
///   state   x0   the intermediate hash value, words in the standard's order
///   blocks  x1   the current block
///   count   x2   blocks left, this one included
class block_emitter : public emitter<Assembler> {
 public:
  block_emitter() noexcept : emitter<Assembler>(asmjit::Arch::kAArch64, asmjit::CallConvId::kCDecl) {}

  static constexpr Gp state = x0, blocks = x1, count = x2;

  /// The kernel's own stack, which its frame_needs asked for; zeroed at the end.
  [[nodiscard]] Mem stack(std::int32_t offset) const noexcept { return ptr(sp, stack_offset() + offset); }
};

/// Zeroes `size` bytes of the kernel's stack: words of a message or what they can be told from.
inline void wipe_stack(block_emitter& e, std::uint32_t size) noexcept {
  for (std::uint32_t i = 0; i < size; i += 16) e.a.stp(xzr, xzr, e.stack(static_cast<std::int32_t>(i)));
}

/// compress(state, blocks, n) from a Kernel that has
///   needs              what its frame wants
///   Kernel(block_emitter&, arguments...)
///   load_state()       once, before the first block
///   compress_block()   absorbs a block, feed-forward included, and moves on; leaves the flags "not equal"
///                      while there are more
///   store_state()      once, after the last
template <class Kernel, class... Arguments>
machine_code generate_block_function(const Arguments&... arguments) noexcept {
  block_emitter e;
  Kernel kernel(e, arguments...);
  const asmjit::Label next_block = e.new_label();

  e.a.hint(34);  // bti c: indirect calls may land here
  e.prologue(Kernel::needs, e.state, e.blocks, e.count);
  kernel.load_state();

  e.a.align(asmjit::AlignMode::kCode, 64);
  e.a.bind(next_block);
  kernel.compress_block();
  e.a.b_ne(next_block);

  kernel.store_state();
  wipe_stack(e, Kernel::needs.stack);
  e.epilogue();
  return e.finish();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
