// An encoder for the A32 instructions that the generators here use, and no more. Section numbers are those of
// the Arm Architecture Reference Manual for ARMv7-A (DDI 0406C); the SHA instructions stand in the one for
// ARMv8 (DDI 0487, F6.1).
//
// What cannot be encoded emits nothing sensible and leaves an error: the first one is kept, and finish()
// tells it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kernel.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {

/// A core register (A2.3).
struct reg {
  std::uint8_t id = 0;
  friend constexpr bool operator==(reg, reg) noexcept = default;
};
inline constexpr reg r0{0}, r1{1}, r2{2}, r3{3}, r4{4}, r5{5}, r6{6}, r7{7}, r8{8}, r9{9}, r10{10}, r11{11},
    r12{12}, sp{13}, lr{14}, pc{15};

/// A doubleword or quadword register of Advanced SIMD (A2.6). `id` counts doublewords in both cases.
struct vreg {
  std::uint8_t id = 0;
  bool quad = false;

  /// The doublewords of a quadword.
  [[nodiscard]] constexpr vreg low() const noexcept { return {id, false}; }
  [[nodiscard]] constexpr vreg high() const noexcept { return {static_cast<std::uint8_t>(id + 1), false}; }
  friend constexpr bool operator==(vreg, vreg) noexcept = default;
};
[[nodiscard]] constexpr vreg d(unsigned number) noexcept {
  return {static_cast<std::uint8_t>(number), false};
}
[[nodiscard]] constexpr vreg q(unsigned number) noexcept {
  return {static_cast<std::uint8_t>(2 * number), true};
}

/// When an instruction is executed (A8.3).
enum class condition : std::uint8_t { eq, ne, cs, cc, mi, pl, vs, vc, hi, ls, ge, lt, gt, le, always };

/// A set of core registers, for load and store multiple.
class reg_set {
 public:
  template <class... Regs>
  constexpr explicit reg_set(Regs... regs) noexcept
      : bits_(static_cast<std::uint16_t>((0u | ... | (1u << regs.id)))) {}
  /// `first` to `last`, both included.
  [[nodiscard]] static constexpr reg_set range(reg first, reg last) noexcept {
    reg_set all;
    for (unsigned i = first.id; i <= last.id; ++i)
      all.bits_ = static_cast<std::uint16_t>(all.bits_ | 1u << i);
    return all;
  }
  friend constexpr reg_set operator|(reg_set a, reg_set b) noexcept {
    a.bits_ = static_cast<std::uint16_t>(a.bits_ | b.bits_);
    return a;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }

 private:
  std::uint16_t bits_;
};

/// The flexible second operand of data processing: a constant (A5.2.4), a register, or one that is shifted
/// (A8.4). A shift by zero is the register itself.
class operand {
 public:
  constexpr operand(std::uint32_t value) noexcept;  // NOLINT: implicit on purpose, as is the next
  constexpr operand(reg r) noexcept : bits_(r.id) {}

  [[nodiscard]] constexpr bool encodable() const noexcept { return encodable_; }
  [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }

  friend constexpr operand lsl(reg r, unsigned n) noexcept { return {r, 0, n, n < 32}; }
  friend constexpr operand lsr(reg r, unsigned n) noexcept { return {r, 1, n, n <= 32}; }
  friend constexpr operand asr(reg r, unsigned n) noexcept { return {r, 2, n, n <= 32}; }
  friend constexpr operand ror(reg r, unsigned n) noexcept { return {r, 3, n, n < 32}; }

 private:
  constexpr operand(reg r, unsigned type, unsigned n, bool in_range) noexcept
      : bits_(n == 0 ? r.id : (n % 32) << 7 | type << 5 | r.id), encodable_(in_range) {}

  std::uint32_t bits_ = 0;  // as in the instruction: bit 25 (constant) and bits 11:0
  bool encodable_ = true;
};
constexpr operand lsl(reg r, unsigned n) noexcept;
constexpr operand lsr(reg r, unsigned n) noexcept;
constexpr operand asr(reg r, unsigned n) noexcept;
constexpr operand ror(reg r, unsigned n) noexcept;

constexpr operand::operand(std::uint32_t value) noexcept : encodable_(false) {
  for (unsigned turn = 0; turn < 16 && !encodable_; ++turn) {  // eight bits, rotated right by 2 * turn
    const std::uint32_t byte = turn == 0 ? value : value << 2 * turn | value >> (32 - 2 * turn);
    if (byte > 0xff) continue;
    bits_ = 1u << 25 | turn << 8 | byte;
    encodable_ = true;
  }
}

/// Where a load or store goes (A4.6.5): base and offset in bytes, base moved on before or after.
struct address {
  enum class index { offset, pre, post };
  reg base;
  int offset = 0;
  index mode = index::offset;
};
[[nodiscard]] constexpr address at(reg base, int offset = 0) noexcept { return {base, offset}; }
[[nodiscard]] constexpr address pre(reg base, int offset) noexcept {
  return {base, offset, address::index::pre};
}
[[nodiscard]] constexpr address post(reg base, int offset) noexcept {
  return {base, offset, address::index::post};
}

/// A place in the code, bound once.
struct label {
  std::uint8_t id = 0;
};

class encoder {
 public:
  /// For the architecture `level`: 5 (v5TE), 6 or 7. An instruction of a later one is an error.
  explicit encoder(unsigned level) noexcept : level_(level) {}
  encoder(const encoder&) = delete;
  encoder& operator=(const encoder&) = delete;

  [[nodiscard]] unsigned level() const noexcept { return level_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The first error of all that was emitted, or null.
  [[nodiscard]] const char* error() const noexcept { return error_; }

  /// The code, with pending literals behind it; or the first error.
  [[nodiscard]] machine_code finish() noexcept;

  // Labels and data.
  [[nodiscard]] label new_label() noexcept;
  void bind(label target) noexcept;
  /// Zero bytes up to a multiple of `boundary`, a power of two of at least 4.
  void align(std::size_t boundary) noexcept;
  void word(std::uint32_t value) noexcept;
  void words(std::span<const std::uint32_t> values) noexcept;
  /// Each as two words, the lower one first.
  void words(std::span<const std::uint64_t> values) noexcept;
  /// Places the constants that load_constant() has left behind. Not in the path of execution.
  void flush_literals() noexcept;

  using cond = condition;
  static constexpr cond always = condition::always;

  // Data processing (A5.2.1 to A5.2.3). The ones that end in s set the flags.
  void and_(reg d, reg n, operand m, cond c = always) noexcept { alu(0, d, n, m, c); }
  void eor(reg d, reg n, operand m, cond c = always) noexcept { alu(1, d, n, m, c); }
  void sub(reg d, reg n, operand m, cond c = always) noexcept { alu(2, d, n, m, c); }
  void rsb(reg d, reg n, operand m, cond c = always) noexcept { alu(3, d, n, m, c); }
  void add(reg d, reg n, operand m, cond c = always) noexcept { alu(4, d, n, m, c); }
  void adc(reg d, reg n, operand m, cond c = always) noexcept { alu(5, d, n, m, c); }
  void sbc(reg d, reg n, operand m, cond c = always) noexcept { alu(6, d, n, m, c); }
  void orr(reg d, reg n, operand m, cond c = always) noexcept { alu(12, d, n, m, c); }
  void bic(reg d, reg n, operand m, cond c = always) noexcept { alu(14, d, n, m, c); }
  void mov(reg d, operand m, cond c = always) noexcept { alu(13, d, r0, m, c); }
  void mvn(reg d, operand m, cond c = always) noexcept { alu(15, d, r0, m, c); }
  void adds(reg d, reg n, operand m, cond c = always) noexcept { alu(4, d, n, m, c, true); }
  void subs(reg d, reg n, operand m, cond c = always) noexcept { alu(2, d, n, m, c, true); }
  void tst(reg n, operand m, cond c = always) noexcept { alu(8, r0, n, m, c, true); }
  void cmp(reg n, operand m, cond c = always) noexcept { alu(10, r0, n, m, c, true); }

  void movw(reg d, std::uint32_t value, cond c = always) noexcept { mov16(0, d, value, c); }  // A8.8.102
  void movt(reg d, std::uint32_t value, cond c = always) noexcept { mov16(4, d, value, c); }  // A8.8.106
  void rev(reg d, reg m, cond c = always) noexcept;                                           // A8.8.145

  /// Any constant in its shortest form: mov, mvn, movw and movt from v7 on, a literal before.
  void load_constant(reg d, std::uint32_t value) noexcept;
  /// The address of a label within 64 KiB, in two instructions.
  void address_of(reg d, label target) noexcept;

  // Loads and stores (A5.3, A5.2.8). Doubleword ones take an even register and the one after it.
  void ldr(reg t, address a, cond c = always) noexcept { load_store(1u << 20, t, a, c); }
  void str(reg t, address a, cond c = always) noexcept { load_store(0, t, a, c); }
  void ldrb(reg t, address a, cond c = always) noexcept { load_store(1u << 22 | 1u << 20, t, a, c); }
  void ldrd(reg t, address a, cond c = always) noexcept { load_store_dual(0xd0, t, a, c); }
  void strd(reg t, address a, cond c = always) noexcept { load_store_dual(0xf0, t, a, c); }
  /// The word `offset` bytes behind a label, which lies within 4 KiB of here.
  void ldr(reg t, label source, int offset = 0, cond c = always) noexcept;

  // Load and store multiple (A5.5): increment after, or before it decrement; `advance` moves the base.
  void ldm(reg base, reg_set regs, bool advance = false, cond c = always) noexcept {
    multiple(0x08900000, base, regs, advance, c);
  }
  void stm(reg base, reg_set regs, bool advance = false, cond c = always) noexcept {
    multiple(0x08800000, base, regs, advance, c);
  }
  void stmdb(reg base, reg_set regs, bool advance = false, cond c = always) noexcept {
    multiple(0x09000000, base, regs, advance, c);
  }
  /// Two registers or more.
  void push(reg_set regs, cond c = always) noexcept { stmdb(sp, regs, true, c); }
  void pop(reg_set regs, cond c = always) noexcept { ldm(sp, regs, true, c); }

  // Branches (A5.5). bx goes back to Thumb callers.
  void b(label target, cond c = always) noexcept;
  void bx(reg m, cond c = always) noexcept { word(with(c, 0x012fff10) | m.id); }

  // Advanced SIMD (A7.4). All operands are doublewords, or all are quadwords; `size` is that of an element in
  // bits.
  void vadd(unsigned size, vreg d, vreg n, vreg m) noexcept {
    if (check_size(size)) three(0xf2000800 | lane(size) << 20, d, n, m);
  }
  void vand(vreg d, vreg n, vreg m) noexcept { three(0xf2000110, d, n, m); }
  void vbic(vreg d, vreg n, vreg m) noexcept { three(0xf2100110, d, n, m); }
  void vorr(vreg d, vreg n, vreg m) noexcept { three(0xf2200110, d, n, m); }
  void veor(vreg d, vreg n, vreg m) noexcept { three(0xf3000110, d, n, m); }
  void vmov(vreg d, vreg m) noexcept { vorr(d, m, m); }
  /// d = d's bits choose: n where one, m where zero.
  void vbsl(vreg d, vreg n, vreg m) noexcept { three(0xf3100110, d, n, m); }

  // Shifts by a constant (A7.4.4); vsli keeps the bits of d that it shifts no bit into.
  void vshr(unsigned size, vreg d, vreg m, unsigned n) noexcept { shift(0xf3800010, true, size, d, m, n); }
  void vshl(unsigned size, vreg d, vreg m, unsigned n) noexcept { shift(0xf2800510, false, size, d, m, n); }
  void vsli(unsigned size, vreg d, vreg m, unsigned n) noexcept { shift(0xf3800510, false, size, d, m, n); }

  /// n:m from byte `first` of n on: n is the lower part (A8.8.316).
  void vext(vreg d, vreg n, vreg m, unsigned first) noexcept;
  /// Reverses the bytes of each 32-bit or 64-bit part (A8.8.386).
  void vrev(unsigned part, vreg d, vreg m) noexcept;
  /// All 32-bit elements (A8.8.314).
  void vdup(vreg d, reg t, cond c = always) noexcept;

  /// Loads or stores one to four consecutive doublewords of any alignment, as elements of `size` bits
  /// (A8.8.320, A8.8.404).
  void vld1(unsigned size, vreg first, vreg last, reg base, bool advance = false) noexcept {
    structures(0xf4200000, size, first, last, base, advance);
  }
  void vst1(unsigned size, vreg first, vreg last, reg base, bool advance = false) noexcept {
    structures(0xf4000000, size, first, last, base, advance);
  }
  /// One 32-bit element of a doubleword (A8.8.321, A8.8.405).
  void vld1_lane(vreg d, unsigned element, reg base) noexcept { one_lane(0xf4a0080f, d, element, base); }
  void vst1_lane(vreg d, unsigned element, reg base) noexcept { one_lane(0xf480080f, d, element, base); }
  /// Consecutive doublewords (A8.8.367, A8.8.368).
  void vpush(vreg first, vreg last) noexcept { vector_stack(0xed2d0b00, first, last); }
  void vpop(vreg first, vreg last) noexcept { vector_stack(0xecbd0b00, first, last); }

  // SHA1 and SHA256 instructions; quadwords only (DDI 0487, F6.1).
  void sha1c(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf2000c40, d, n, m); }
  void sha1p(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf2100c40, d, n, m); }
  void sha1m(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf2200c40, d, n, m); }
  void sha1su0(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf2300c40, d, n, m); }
  void sha256h(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf3000c40, d, n, m); }
  void sha256h2(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf3100c40, d, n, m); }
  void sha256su1(vreg d, vreg n, vreg m) noexcept { crypto_three(0xf3200c40, d, n, m); }
  void sha1h(vreg d, vreg m) noexcept { crypto_two(0xf3b902c0, d, m); }
  void sha1su1(vreg d, vreg m) noexcept { crypto_two(0xf3ba0380, d, m); }
  void sha256su0(vreg d, vreg m) noexcept { crypto_two(0xf3ba03c0, d, m); }

 private:
  // A place that waits for the address of a label, or for that of a literal, whose value `literal` is.
  struct use {
    std::uint32_t at = 0;
    int offset = 0;
    std::uint32_t literal = 0;
    std::uint8_t target = no_label;
  };
  static constexpr std::uint8_t no_label = 0xff;
  static constexpr std::uint32_t unbound = ~0u;

  static constexpr std::uint32_t with(cond c, std::uint32_t bits) noexcept {
    return static_cast<std::uint32_t>(c) << 28 | bits;
  }
  static constexpr std::uint32_t lane(unsigned size) noexcept {
    return size == 8 ? 0 : size == 16 ? 1 : size == 32 ? 2 : 3;
  }

  bool check(bool right, const char* error) noexcept {
    if (!right && !error_) error_ = error;
    return right;
  }
  bool check_size(unsigned size) noexcept {
    return check(size == 8 || size == 16 || size == 32 || size == 64, "no such element size");
  }
  void alu(unsigned opcode, reg d, reg n, operand m, cond c, bool flags = false) noexcept;
  void mov16(unsigned which, reg d, std::uint32_t value, cond c) noexcept;
  void load_store(std::uint32_t bits, reg t, address a, cond c) noexcept;
  void load_store_dual(std::uint32_t bits, reg t, address a, cond c) noexcept;
  void multiple(std::uint32_t bits, reg base, reg_set regs, bool advance, cond c) noexcept;
  void three(std::uint32_t bits, vreg d, vreg n, vreg m) noexcept;
  void two(std::uint32_t bits, vreg d, vreg m) noexcept;
  void shift(std::uint32_t bits, bool right, unsigned size, vreg d, vreg m, unsigned n) noexcept;
  void structures(std::uint32_t bits, unsigned size, vreg first, vreg last, reg base, bool advance) noexcept;
  void one_lane(std::uint32_t bits, vreg d, unsigned element, reg base) noexcept;
  void vector_stack(std::uint32_t bits, vreg first, vreg last) noexcept;
  void vector_word(std::uint32_t bits) noexcept;
  void crypto_three(std::uint32_t bits, vreg d, vreg n, vreg m) noexcept;
  void crypto_two(std::uint32_t bits, vreg d, vreg m) noexcept;

  void refer(label target, int offset) noexcept;
  void wait(const use& u) noexcept;
  void patch(std::uint32_t at, std::uint32_t target) noexcept;
  [[nodiscard]] std::uint32_t read(std::uint32_t at) const noexcept;
  void write(std::uint32_t at, std::uint32_t value) noexcept;

  unsigned level_;
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
  const char* error_ = nullptr;
  std::array<std::uint32_t, 16> labels_{};
  std::array<use, 96> uses_{};
  std::size_t label_count_ = 0, use_count_ = 0;
};

}  // namespace a32
}  // namespace v0
}  // namespace jithash
