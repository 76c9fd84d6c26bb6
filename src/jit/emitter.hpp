// The thin layer over asmjit that generators stand on: one function in one code block, its frame by the
// calling convention, its constants behind it, its first error kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>

#include "jit/asmjit_compat.hpp"
#include "kernel.hpp"

namespace jithash {
inline namespace v0 {

/// The bit of each register, or-ed: what frame_needs counts in.
template <class... Regs>
constexpr std::uint32_t mask_of(const Regs&... regs) noexcept {
  return ((std::uint32_t{1} << regs.id()) | ...);
}

/// Calls the n-th of `steps`, where there is one: for work that goes instruction by instruction between those
/// of other work.
template <class... Steps>
void call_nth(unsigned n, const std::tuple<Steps...>& steps) noexcept {
  unsigned i = 0;
  std::apply([&](const Steps&... step) { ((i++ == n ? step() : void()), ...); }, steps);
}

/// The registers a function writes beside its arguments' (as bit masks) and the stack bytes it wants.
struct frame_needs {
  std::uint32_t general = 0;
  std::uint32_t vector = 0;
  std::uint32_t stack = 0;
  std::uint32_t stack_alignment = 16;
  bool avx = false;  ///< writes registers wider than xmm: ends with vzeroupper
};

/// Assembles one function. Nothing here allocates executable memory or looks at the host.
template <class Assembler>
class emitter {
 public:
  explicit emitter(asmjit::Arch arch, asmjit::CallConvId convention) noexcept : convention_(convention) {
    errors_.keep(code_.init(asmjit::Environment(arch)));
    compat::set_error_handler(code_, &errors_);
    errors_.keep(code_.attach(&a));
  }
  emitter(const emitter&) = delete;
  emitter& operator=(const emitter&) = delete;

  Assembler a;

  [[nodiscard]] asmjit::Label new_label() noexcept { return compat::new_label(a); }

  /// A label on `values`, which are placed behind the code, 64-byte aligned; they must outlive finish().
  template <class T, std::size_t N>
  [[nodiscard]] asmjit::Label constant(const std::array<T, N>& values) noexcept {
    const asmjit::Label label = new_label();
    if (constant_count_ == constants_.size()) {
      errors_.keep(compat::too_many);
      return label;
    }
    constants_[constant_count_++] = {label, values.data(), sizeof values};
    return label;
  }

  /// Saves what the convention wants saved, reserves the stack, and brings the three arguments into `args`.
  template <class... Regs>
  void prologue(const frame_needs& needs, const Regs&... args) noexcept {
    asmjit::FuncDetail function;
    errors_.keep(function.init(compat::block_function_signature(convention_), code_.environment()));
    errors_.keep(frame_.init(function));
    compat::add_dirty(frame_, asmjit::RegGroup::kGp, needs.general);
    compat::add_dirty(frame_, asmjit::RegGroup::kVec, needs.vector);
    compat::set_local_stack(frame_, needs.stack, needs.stack_alignment);
    if (needs.avx) compat::set_avx(frame_);
    asmjit::FuncArgsAssignment assignment(&function);
    errors_.keep(compat::assign_arguments(assignment, frame_, args...));
    errors_.keep(frame_.finalize());
    layout_.begin = position();
    errors_.keep(compat::prologue(a, frame_));
    layout_.body = position();
    errors_.keep(compat::move_arguments(a, frame_, assignment));
  }

  void epilogue() noexcept {
    errors_.keep(compat::epilogue(a, frame_));
    layout_.end = position();
  }

  /// Where the stack that the function asked for begins, from the stack pointer.
  [[nodiscard]] std::int32_t stack_offset() const noexcept { return compat::local_stack_offset(frame_); }

  /// The bytes, or the first error of all that was emitted.
  [[nodiscard]] machine_code finish() noexcept {
    for (std::size_t i = 0; i < constant_count_; ++i) {
      a.align(asmjit::AlignMode::kData, 64);
      a.bind(constants_[i].label);
      a.embed(constants_[i].data, constants_[i].size);
    }
    errors_.keep(compat::link(code_));
    if (errors_.text()) return machine_code::failure(errors_.text());

    machine_code result;
    result.size = compat::code_size(code_);
    result.bytes.reset(new (std::nothrow) std::byte[result.size]);
    if (!result.bytes) return machine_code::failure("out of memory");
    errors_.keep(compat::copy_code(code_, result.bytes.get(), result.size));
    if (errors_.text()) return machine_code::failure(errors_.text());
    if (compat::pushes_and_reserves(code_, frame_)) {
      layout_.pushed = compat::pushed_registers(frame_);
      layout_.stack = compat::reserved_stack(frame_);
      result.frame = layout_;
    }
    return result;
  }

 private:
  [[nodiscard]] std::uint32_t position() const noexcept { return static_cast<std::uint32_t>(a.offset()); }

  struct embedded {
    asmjit::Label label;
    const void* data = nullptr;
    std::size_t size = 0;
  };

  compat::first_error errors_;
  asmjit::CodeHolder code_;
  asmjit::CallConvId convention_;
  asmjit::FuncFrame frame_;
  frame_layout layout_;
  std::array<embedded, 8> constants_{};
  std::size_t constant_count_ = 0;
};

}  // namespace v0
}  // namespace jithash
