// The vocabulary that message schedules are written in, for every level of vector instructions.
#pragma once

#include "jit/x86/interleaver.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

/// avx2 and avx512 hold the same words of two blocks in a register, one in each 128-bit lane; bytes move
/// within lanes only.
enum class vector_level { ssse3, avx, avx2, avx512 };

/// Vectors of Words. Everything goes to the interleaver's queue. What has three operands takes two
/// instructions of SSE, so that `to` may be the first source but not the second.
template <vector_level Level, class Word>
class vectors {
 public:
  using reg = Vec;
  static constexpr unsigned lanes = Level >= vector_level::avx2 ? 2 : 1, words = 16 / sizeof(Word);
  static constexpr std::int32_t size = 16 * lanes;
  static constexpr std::int32_t second_lane = 16;
  static constexpr bool has_rotate = Level == vector_level::avx512;

  static constexpr reg nth(unsigned i) noexcept { return lanes == 2 ? reg(ymm(i)) : reg(xmm(i)); }

  /// Bytes more on the stack for align_stack(): a frame that is aligned more than the convention has it would
  /// need the frame pointer.
  static constexpr std::int32_t slack = lanes == 2 ? size : 0;
  /// to = where the stack for vectors begins
  static void align_stack(block_emitter& e, const Gp& to) noexcept {
    e.a.lea(to, e.stack(slack == 0 ? 0 : slack - 1));
    if (slack != 0) e.a.and_(to, -size);
  }

  explicit vectors(interleaver& out) noexcept : out_(out) {}

  void add(reg to, reg a, reg b) noexcept {
    three(by_word(Inst::kIdPaddd, Inst::kIdPaddq), by_word(Inst::kIdVpaddd, Inst::kIdVpaddq), to, a, b);
  }
  void xor_(reg to, reg a, reg b) noexcept { three(Inst::kIdPxor, Inst::kIdVpxor, to, a, b); }
  /// to ^= a ^ b
  void xor3(reg to, reg a, reg b) noexcept {
    if constexpr (Level == vector_level::avx512) {
      out_.later(Inst::kIdVpternlogd, to, a, b, 0x96u);
    } else {
      xor_(to, to, a);
      xor_(to, to, b);
    }
  }
  void shr(reg to, reg a, unsigned n) noexcept {
    three(by_word(Inst::kIdPsrld, Inst::kIdPsrlq), by_word(Inst::kIdVpsrld, Inst::kIdVpsrlq), to, a, n);
  }
  void shl(reg to, reg a, unsigned n) noexcept {
    three(by_word(Inst::kIdPslld, Inst::kIdPsllq), by_word(Inst::kIdVpslld, Inst::kIdVpsllq), to, a, n);
  }
  void shr64(reg to, reg a, unsigned n) noexcept { three(Inst::kIdPsrlq, Inst::kIdVpsrlq, to, a, n); }
  void shr_bytes(reg to, reg a, unsigned n) noexcept { three(Inst::kIdPsrldq, Inst::kIdVpsrldq, to, a, n); }
  void shl_bytes(reg to, reg a, unsigned n) noexcept { three(Inst::kIdPslldq, Inst::kIdVpslldq, to, a, n); }
  void permute_bytes(reg to, reg a, reg order) noexcept {
    three(Inst::kIdPshufb, Inst::kIdVpshufb, to, a, order);
  }
  void permute32(reg to, reg a, unsigned order) noexcept {
    out_.later(vex ? Inst::kIdVpshufd : Inst::kIdPshufd, to, a, order);
  }
  /// The bytes of `low` from n on, then the first n of `high`.
  void align(reg to, reg high, reg low, unsigned n) noexcept {
    if constexpr (vex) {
      out_.later(Inst::kIdVpalignr, to, high, low, n);
    } else {
      if (to != high) copy(to, high);
      out_.later(Inst::kIdPalignr, to, low, n);
    }
  }
  void copy(reg to, reg a) noexcept { out_.later(vex ? Inst::kIdVmovdqa : Inst::kIdMovdqa, to, a); }
  void rotl(reg x, reg scratch, unsigned n) noexcept {
    if constexpr (has_rotate) {
      rotr(x, x, bits - n);
    } else {
      shr(scratch, x, bits - n);
      shl(x, x, n);
      xor_(x, x, scratch);
    }
  }

  /// to = rotr(x, r[0]) ^ rotr(x, r[1]) ^ (x >> r[2]), r[0] < r[1]; x is lost
  void sigma(reg to, reg x, reg scratch, const std::array<unsigned, 3>& r) noexcept {
    if constexpr (has_rotate) {
      rotr(to, x, r[0]);
      rotr(scratch, x, r[1]);
      shr(x, x, r[2]);
      xor3(to, scratch, x);
    } else {
      // Each shift goes on from the one before it in its direction, which spares SSE copies.
      const unsigned first = r[2] < r[0] ? r[2] : r[0], second = r[2] < r[0] ? r[0] : r[2];
      shr(to, x, first);
      shl(scratch, x, bits - r[1]);
      shr(x, x, second);
      xor_(to, to, scratch);
      xor_(to, to, x);
      shr(x, x, r[1] - second);
      shl(scratch, scratch, r[1] - r[0]);
      xor_(to, to, x);
      xor_(to, to, scratch);
    }
  }
  /// The same where r[1] is 8, by which `rotate8` permutes bytes.
  void sigma(reg to, reg x, reg scratch, const std::array<unsigned, 3>& r, reg rotate8) noexcept {
    if constexpr (has_rotate) {
      sigma(to, x, scratch, r);
    } else {
      shr(to, x, r[0]);
      permute_bytes(scratch, x, rotate8);
      xor_(to, to, scratch);
      shl(scratch, x, bits - r[0]);
      shr(x, x, r[2]);
      xor_(to, to, scratch);
      xor_(to, to, x);
    }
  }

  /// Sixteen bytes of one block, or of two.
  void load(reg to, const Mem& first, const Mem& second) noexcept {
    out_.later(vex ? Inst::kIdVmovdqu : Inst::kIdMovdqu, to.xmm(), first);
    if constexpr (lanes == 2) out_.later(Inst::kIdVinserti128, to, to, second, 1u);
  }
  /// to = a + the sixteen bytes at b, in every lane
  void add_constant(reg to, reg a, const Mem& b) noexcept {
    if constexpr (vex && lanes == 1) {
      out_.later(by_word(Inst::kIdVpaddd, Inst::kIdVpaddq), to, a, b);
    } else {
      constant(to, b);
      add(to, to, a);
    }
  }
  void store(const Mem& to, reg a) noexcept { out_.later(vex ? Inst::kIdVmovdqa : Inst::kIdMovdqa, to, a); }
  /// Sixteen bytes for every lane.
  void constant(reg to, const Mem& from) noexcept {
    out_.later(lanes == 2 ? Inst::kIdVbroadcasti128 : vex ? Inst::kIdVmovdqa : Inst::kIdMovdqa, to, from);
  }

 private:
  static constexpr bool vex = Level >= vector_level::avx;
  static constexpr unsigned bits = 8 * sizeof(Word);

  static constexpr asmjit::InstId by_word(asmjit::InstId of32, asmjit::InstId of64) noexcept {
    return sizeof(Word) == 4 ? of32 : of64;
  }

  void rotr(reg to, reg a, unsigned n) noexcept {
    out_.later(by_word(Inst::kIdVprord, Inst::kIdVprorq), to, a, n);
  }

  template <class Last>
  void three(asmjit::InstId sse, asmjit::InstId avx, reg to, reg a, const Last& b) noexcept {
    if constexpr (vex) {
      out_.later(avx, to, a, b);
    } else {
      if (to != a) copy(to, a);
      out_.later(sse, to, b);
    }
  }

  interleaver& out_;
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
