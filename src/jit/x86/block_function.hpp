// What every x86-64 kernel of the form compress(state, blocks, n) shares: arguments, frame, block loop,
// constants.
#pragma once

#include <asmjit/x86.h>

#include "jit/emitter.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

using namespace asmjit::x86;
#if ASMJIT_LIBRARY_VERSION >= 0x011200
using Xmm = Vec;  // one class for all widths since 1.18
using Ymm = Vec;
using Zmm = Vec;
#endif

inline asmjit::CallConvId convention_of(abi which) noexcept {
  return which == abi::windows ? asmjit::CallConvId::kX64Windows : asmjit::CallConvId::kX64SystemV;
}

/// For pshufb: big-endian 32-bit words from memory order.
inline constexpr std::array<std::uint8_t, 16> word_byte_swap{3,  2,  1, 0, 7,  6,  5,  4,
                                                             11, 10, 9, 8, 15, 14, 13, 12};
/// For pshufb: big-endian 64-bit words from memory order.
inline constexpr std::array<std::uint8_t, 16> long_byte_swap{7,  6,  5,  4,  3,  2,  1, 0,
                                                             15, 14, 13, 12, 11, 10, 9, 8};

/// Where a kernel finds its arguments, under every convention.
///
///   state   rdi   the intermediate hash value, words in the standard's order
///   blocks  rsi   the current block; moves on by a block each turn
///   end     rdx   behind the last block
class block_emitter : public emitter<Assembler> {
 public:
  explicit block_emitter(const generator_options& options) noexcept
      : emitter<Assembler>(asmjit::Arch::kX64, convention_of(options.convention)) {}

  static constexpr Gp state = rdi, blocks = rsi, end = rdx;

  /// The kernel's own stack, which its frame_needs asked for; zeroed at the end.
  [[nodiscard]] Mem stack(std::int32_t offset) const noexcept { return ptr(rsp, stack_offset() + offset); }
};

/// Zeroes the kernel's stack: it held words of a message, or what they can be told from.
inline void wipe_stack(block_emitter& e, const frame_needs& needs) noexcept {
  if (needs.stack == 0) return;
  const auto size = static_cast<std::int32_t>(needs.stack);
  if (needs.avx) {
    e.a.vpxor(xmm0, xmm0, xmm0);
    for (std::int32_t i = 0; i < size; i += 32) e.a.vmovdqu(e.stack(i), ymm0);
  } else {
    e.a.pxor(xmm0, xmm0);
    for (std::int32_t i = 0; i < size; i += 16) e.a.movdqa(e.stack(i), xmm0);
  }
}

/// compress(state, blocks, n) from a Kernel that has
///   needs, block_shift             what its frame wants; log2 of the block's bytes
///   Kernel(block_emitter&)
///   load_state()                   once, before the first block
///   compress_block()               absorbs the block at `blocks`, feed-forward included
///   store_state()                  once, after the last
template <class Kernel>
machine_code generate_block_function(const generator_options& options) noexcept {
  static_assert(Kernel::needs.stack % (Kernel::needs.avx ? 32 : 16) == 0,
                "wipe_stack() wipes that much at once");
  block_emitter e(options);
  Kernel kernel(e);
  const asmjit::Label next_block = e.new_label();

  e.a.endbr64();
  e.prologue(Kernel::needs, e.state, e.blocks, e.end);
  e.a.shl(e.end, Kernel::block_shift);
  e.a.add(e.end, e.blocks);
  kernel.load_state();

  e.a.align(asmjit::AlignMode::kCode, 64);
  e.a.bind(next_block);
  kernel.compress_block();
  e.a.add(e.blocks, 1 << Kernel::block_shift);
  e.a.cmp(e.blocks, e.end);
  e.a.jne(next_block);

  kernel.store_state();
  wipe_stack(e, Kernel::needs);
  e.epilogue();
  return e.finish();
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
