// One spelling for what asmjit renamed in 1.18 (Debian 12 has 1.9): functions went snake_case, Error became a
// scoped enumeration. Instructions are spelled the same in both.
#pragma once

#include <asmjit/core.h>

#include <cstddef>
#include <cstdint>

namespace jithash {
inline namespace v0 {
namespace compat {

#if ASMJIT_LIBRARY_VERSION >= 0x011200

using namespace asmjit;

inline constexpr Error too_many = Error::kTooManyHandles;
inline auto block_function_signature(CallConvId id) {
  return FuncSignature::build<void, void*, const void*, std::size_t>(id);
}
inline const char* error_text(Error e) { return DebugUtils::error_as_string(e); }
inline Label new_label(BaseEmitter& a) { return a.new_label(); }
inline void set_error_handler(CodeHolder& c, ErrorHandler* h) { c.set_error_handler(h); }
inline std::size_t code_size(const CodeHolder& c) { return c.code_size(); }
inline Error link(CodeHolder& c) {
  const Error e = c.flatten();
  return e == Error::kOk ? c.resolve_cross_section_fixups() : e;
}
inline Error copy_code(CodeHolder& c, void* to, std::size_t size) { return c.copy_flattened_data(to, size); }
inline void add_dirty(FuncFrame& f, RegGroup group, std::uint32_t mask) { f.add_dirty_regs(group, mask); }
inline void set_local_stack(FuncFrame& f, std::uint32_t size, std::uint32_t alignment) {
  f.set_local_stack_size(size);
  f.set_local_stack_alignment(alignment);
}
inline std::int32_t local_stack_offset(const FuncFrame& f) {
  return static_cast<std::int32_t>(f.local_stack_offset());
}
inline void set_avx(FuncFrame& f) {
  f.set_avx_enabled();
  f.set_avx_cleanup();
}
template <class... Regs>
Error assign_arguments(FuncArgsAssignment& args, FuncFrame& frame, const Regs&... regs) {
  args.assign_all(regs...);
  return args.update_func_frame(frame);
}
inline Error prologue(BaseEmitter& a, const FuncFrame& frame) { return a.emit_prolog(frame); }
inline Error move_arguments(BaseEmitter& a, const FuncFrame& frame, const FuncArgsAssignment& args) {
  return a.emit_args_assignment(frame, args);
}
inline Error epilogue(BaseEmitter& a, const FuncFrame& frame) { return a.emit_epilog(frame); }
inline bool pushes_and_reserves(const CodeHolder& c, const FuncFrame& f) {
  return c.arch() == Arch::kX64 && !f.has_preserved_fp() && !f.has_dynamic_alignment();
}
inline std::uint32_t pushed_registers(const FuncFrame& f) { return f.saved_regs(RegGroup::kGp); }
inline std::uint32_t reserved_stack(const FuncFrame& f) { return f.stack_adjustment(); }

#else

using namespace asmjit;

inline constexpr Error too_many = kErrorTooManyHandles;
inline auto block_function_signature(CallConvId id) {
  return FuncSignatureT<void, void*, const void*, std::size_t>(id);
}
inline const char* error_text(Error e) { return DebugUtils::errorAsString(e); }
inline Label new_label(BaseEmitter& a) { return a.newLabel(); }
inline void set_error_handler(CodeHolder& c, ErrorHandler* h) { c.setErrorHandler(h); }
inline std::size_t code_size(const CodeHolder& c) { return c.codeSize(); }
inline Error link(CodeHolder& c) {
  const Error e = c.flatten();
  return e == kErrorOk ? c.resolveUnresolvedLinks() : e;
}
inline Error copy_code(CodeHolder& c, void* to, std::size_t size) { return c.copyFlattenedData(to, size); }
inline void add_dirty(FuncFrame& f, RegGroup group, std::uint32_t mask) { f.addDirtyRegs(group, mask); }
inline void set_local_stack(FuncFrame& f, std::uint32_t size, std::uint32_t alignment) {
  f.setLocalStackSize(size);
  f.setLocalStackAlignment(alignment);
}
inline std::int32_t local_stack_offset(const FuncFrame& f) {
  return static_cast<std::int32_t>(f.localStackOffset());
}
inline void set_avx(FuncFrame& f) {
  f.setAvxEnabled();
  f.setAvxCleanup();
}
template <class... Regs>
Error assign_arguments(FuncArgsAssignment& args, FuncFrame& frame, const Regs&... regs) {
  args.assignAll(regs...);
  return args.updateFuncFrame(frame);
}
inline Error prologue(BaseEmitter& a, const FuncFrame& frame) { return a.emitProlog(frame); }
inline Error move_arguments(BaseEmitter& a, const FuncFrame& frame, const FuncArgsAssignment& args) {
  return a.emitArgsAssignment(frame, args);
}
inline Error epilogue(BaseEmitter& a, const FuncFrame& frame) { return a.emitEpilog(frame); }
inline bool pushes_and_reserves(const CodeHolder& c, const FuncFrame& f) {
  return c.arch() == Arch::kX64 && !f.hasPreservedFP() && !f.hasDynamicAlignment();
}
inline std::uint32_t pushed_registers(const FuncFrame& f) { return f.savedRegs(RegGroup::kGp); }
inline std::uint32_t reserved_stack(const FuncFrame& f) { return f.stackAdjustment(); }

#endif

/// Keeps the first error of an assembly.
class first_error : public ErrorHandler {
 public:
#if ASMJIT_LIBRARY_VERSION >= 0x011200
  void handle_error(Error e, const char*, BaseEmitter*) override { keep(e); }
#else
  void handleError(Error e, const char*, BaseEmitter*) override { keep(e); }
#endif
  void keep(Error e) noexcept {
    if (first_ == Error{}) first_ = e;
  }
  /// Null if there was none; a text that lives for ever.
  [[nodiscard]] const char* text() const noexcept { return first_ == Error{} ? nullptr : error_text(first_); }

 private:
  Error first_{};
};

}  // namespace compat
}  // namespace v0
}  // namespace jithash
