// Two streams of instructions become one: scalar rounds, and a message schedule in vectors spread among them.
#pragma once

#include <array>
#include <cstddef>

#include "jit/x86/block_function.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {

/// Takes the rounds' instructions by the Assembler's names and emits them at once. Those given to later()
/// wait in a queue, which spread() lets out among the rounds'.
class interleaver {
 public:
  explicit interleaver(Assembler& assembler) noexcept : a_(assembler) {}

#define JITHASH_INSTRUCTION(name, id)               \
  template <class... Operands>                      \
  void name(const Operands&... operands) noexcept { \
    now(Inst::id, operands...);                     \
  }
  JITHASH_INSTRUCTION(add, kIdAdd)
  JITHASH_INSTRUCTION(and_, kIdAnd)
  JITHASH_INSTRUCTION(andn, kIdAndn)
  JITHASH_INSTRUCTION(mov, kIdMov)
  JITHASH_INSTRUCTION(rol, kIdRol)
  JITHASH_INSTRUCTION(ror, kIdRor)
  JITHASH_INSTRUCTION(rorx, kIdRorx)
  JITHASH_INSTRUCTION(xor_, kIdXor)
#undef JITHASH_INSTRUCTION

  template <class... Operands>
  void later(asmjit::InstId id, const Operands&... operands) noexcept {
    if (waiting_ == queue_.size()) let_out();
    queue_[(first_ + waiting_++) % queue_.size()] = {id, {operand(operands)...}};
  }

  /// Spreads what waits evenly over the next `count` instructions, but for the last of it, which waits for
  /// flush(): a store that must not come before these rounds' last load can be it.
  void spread(unsigned count) noexcept {
    to_spread_ = waiting_;
    let_out_ = emitted_ = 0;
    count_ = count;
  }

  /// Lets out all that waits.
  void flush() noexcept {
    while (waiting_ != 0) let_out();
  }

 private:
  struct instruction {
    asmjit::InstId id = 0;
    std::array<asmjit::Operand, 4> operands;
  };

  static const asmjit::Operand& operand(const asmjit::Operand& o) noexcept { return o; }
  static asmjit::Operand operand(unsigned immediate) noexcept { return asmjit::Imm(immediate); }

  template <class... Operands>
  void now(asmjit::InstId id, const Operands&... operands) noexcept {
    a_.emit(id, operands...);
    ++emitted_;
    while (waiting_ > 1 && let_out_ * count_ < emitted_ * to_spread_) let_out();
  }

  void let_out() noexcept {
    const auto& [id, o] = queue_[first_];
    a_.emit(id, o[0], o[1], o[2], o[3]);
    first_ = (first_ + 1) % queue_.size();
    --waiting_;
    ++let_out_;
  }

  Assembler& a_;
  std::array<instruction, 64> queue_;
  std::size_t first_ = 0, waiting_ = 0;                                // of the queue
  std::size_t to_spread_ = 0, let_out_ = 0, count_ = 0, emitted_ = 0;  // of spread()
};

}  // namespace x86
}  // namespace v0
}  // namespace jithash
