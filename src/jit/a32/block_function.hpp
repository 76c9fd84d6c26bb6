// What 32-bit Arm kernels of the form compress(state, blocks, n) share: frame, block loop, reading the
// message. The frame pointer (r11) is never touched.
#pragma once

#include "jit/a32/encoder.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

/// A register and how far its value has still to be rotated right: the barrel shifter does it where the value
/// is used.
struct rotated {
  reg r;
  unsigned by = 0;
  constexpr operator operand() const noexcept { return ror(r, by); }
};

/// The registers of two neighbouring words.
struct reg_pair {
  reg first, second;

  /// Whether ldrd and strd take it.
  [[nodiscard]] constexpr bool dual() const noexcept {
    return first.id % 2 == 0 && second.id == first.id + 1 && first.id < 12;
  }
};

/// Neighbouring words, each pair in one instruction where the registers allow it; no index.
inline void load_pair(encoder& e, const reg_pair& to, const address& from) noexcept {
  if (to.dual()) {
    e.ldrd(to.first, from);
  } else {
    e.ldr(to.first, from);
    e.ldr(to.second, at(from.base, from.offset + 4));
  }
}
inline void store_pair(encoder& e, const reg_pair& from, const address& to) noexcept {
  if (from.dual()) {
    e.strd(from.first, to);
  } else {
    e.str(from.first, to);
    e.str(from.second, at(to.base, to.offset + 4));
  }
}

/// The frame of a kernel that keeps nothing in registers from block to block:
///
///   sp              what the kernel keeps there, above all the message schedule; cleared at the end
///   + kernel_bytes  the current block, the end of the last one, the state, a spare word for the kernel
///
/// Free in the block: r0 to r10, r12, lr.
class frame {
 public:
  frame(encoder& e, unsigned kernel_bytes) noexcept : e_(e), kernel_bytes_(kernel_bytes) {}

  void open(unsigned block_shift) noexcept {
    e_.push(saved | reg_set(lr));
    e_.sub(sp, sp, kernel_bytes_ + 16);
    e_.add(r2, r1, lsl(r2, block_shift));
    e_.str(r1, blocks());
    e_.str(r2, end());
    e_.str(r0, state());
  }

  void close() noexcept {
    const reg_set zero = reg_set::range(r0, r7);
    e_.mov(r12, sp);
    for (unsigned i = 0; i < 8; ++i) e_.mov(reg{static_cast<std::uint8_t>(i)}, 0);
    for (unsigned i = 0; i < kernel_bytes_; i += 32) e_.stm(r12, zero, true);
    e_.add(sp, sp, kernel_bytes_ + 16);
    e_.pop(saved | reg_set(pc));
  }

  /// Sets eq where `blocks` is at its end. Clobbers r12 and lr.
  void compare_end() noexcept {
    e_.ldr(r12, blocks());
    e_.ldr(lr, end());
    e_.cmp(r12, lr);
  }

  [[nodiscard]] address blocks() const noexcept { return at(sp, static_cast<int>(kernel_bytes_)); }
  [[nodiscard]] address end() const noexcept { return at(sp, static_cast<int>(kernel_bytes_ + 4)); }
  [[nodiscard]] address state() const noexcept { return at(sp, static_cast<int>(kernel_bytes_ + 8)); }
  [[nodiscard]] address spare() const noexcept { return at(sp, static_cast<int>(kernel_bytes_ + 12)); }

 private:
  static constexpr reg_set saved = reg_set::range(r4, r10);

  encoder& e_;
  unsigned kernel_bytes_;
};

/// Eight big-endian words at p, of any alignment, into r0 to r7; r8 to r10 are clobbered. Before ARMv6 an
/// unaligned ldr rotates what it loads; later ones allow ldr, but no ldrd or ldm.
inline void load_eight_words(encoder& e, reg p, int offset) noexcept {
  constexpr unsigned words = 8;
  const auto to = [](unsigned i) { return reg{static_cast<std::uint8_t>(i)}; };
  if (e.level() >= 6) {
    for (unsigned i = 0; i < words; ++i) e.ldr(to(i), at(p, offset + 4 * static_cast<int>(i)));
    for (unsigned i = 0; i < words; ++i) e.rev(to(i), to(i));
    return;
  }
  for (unsigned i = 0; i < words; ++i) {
    const int byte = offset + 4 * static_cast<int>(i);
    e.ldrb(r8, at(p, byte));
    e.ldrb(r9, at(p, byte + 1));
    e.ldrb(r10, at(p, byte + 2));
    e.ldrb(to(i), at(p, byte + 3));
    e.orr(to(i), to(i), lsl(r10, 8));
    e.orr(to(i), to(i), lsl(r9, 16));
    e.orr(to(i), to(i), lsl(r8, 24));
  }
}

/// The block, as 32-bit words, to sp + `offset`, the last eight of them in r0 to r7 as well; `blocks` moves
/// on. Clobbers all of the frame's registers.
inline void load_message(encoder& e, frame& f, unsigned offset, unsigned block_bytes, bool compact) noexcept {
  const reg from = lr, to = r12;
  e.ldr(from, f.blocks());
  e.add(to, sp, offset);
  if (compact) {
    const label next = e.new_label();
    e.bind(next);
    load_eight_words(e, from, 0);
    e.stm(to, reg_set::range(r0, r7), true);
    e.add(from, from, 32);
    e.sub(r8, to, sp);
    e.cmp(r8, offset + block_bytes);
    e.b(next, condition::ne);
  } else {
    for (unsigned i = 0; i < block_bytes; i += 32) {
      load_eight_words(e, from, static_cast<int>(i));
      e.stm(to, reg_set::range(r0, r7), true);
    }
    e.add(from, from, block_bytes);
  }
  e.str(from, f.blocks());
}

/// compress(state, blocks, n) from a Kernel that has
///   block_shift           log2 of the block's bytes
///   stack_bytes(compact)  what its frame wants, a multiple of 32
///   Kernel(encoder&, frame&, const generator_options&)
///   begin()               once, before the first block
///   compress_block()      absorbs the block at `blocks` and moves that on, feed-forward included; leaves eq
///                         after the last block, ne before
///   constants()           what it wants behind the code
template <class Kernel>
machine_code generate_block_function(const generator_options& options) noexcept {
  encoder e(options.arm_level());
  frame f(e, Kernel::stack_bytes(options.compact));
  Kernel kernel(e, f, options);
  const label next_block = e.new_label();

  f.open(Kernel::block_shift);
  kernel.begin();
  e.bind(next_block);
  kernel.compress_block();
  e.b(next_block, condition::ne);
  f.close();
  kernel.constants();
  return e.finish();
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
