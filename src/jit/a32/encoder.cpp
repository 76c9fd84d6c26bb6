#include "jit/a32/encoder.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

// The fields of a vector register: four bits and, apart from them, the fifth (A7.3).
constexpr std::uint32_t field_d(vreg v) noexcept { return (v.id & 15u) << 12 | (v.id >> 4u & 1u) << 22; }
constexpr std::uint32_t field_n(vreg v) noexcept { return (v.id & 15u) << 16 | (v.id >> 4u & 1u) << 7; }
constexpr std::uint32_t field_m(vreg v) noexcept { return (v.id & 15u) | (v.id >> 4u & 1u) << 5; }
constexpr std::uint32_t quad_bit = 1u << 6;

constexpr bool exists(vreg v) noexcept { return v.id < 32 && !(v.quad && v.id % 2); }

// The bits that say how a load or store uses its base (A5.3).
constexpr std::uint32_t indexing(const address& a) noexcept {
  constexpr std::uint32_t p = 1u << 24, u = 1u << 23, w = 1u << 21;
  return (a.mode == address::index::post ? 0 : p) | (a.offset >= 0 ? u : 0) |
         (a.mode == address::index::pre ? w : 0) | static_cast<std::uint32_t>(a.base.id) << 16;
}

constexpr std::uint32_t magnitude(int n) noexcept {
  return n < 0 ? 0u - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n);
}

}  // namespace

machine_code encoder::finish() noexcept {
  flush_literals();
  check(use_count_ == 0, "a label was used and never bound");
  if (error_) return machine_code::failure(error_);
  machine_code result;
  result.bytes = std::move(bytes_);
  result.size = size_;
  return result;
}

label encoder::new_label() noexcept {
  if (!check(label_count_ < labels_.size(), "too many labels")) return {};
  labels_[label_count_] = unbound;
  return {static_cast<std::uint8_t>(label_count_++)};
}

void encoder::bind(label target) noexcept {
  if (!check(target.id < label_count_ && labels_[target.id] == unbound, "no label to bind")) return;
  const auto here = static_cast<std::uint32_t>(size_);
  labels_[target.id] = here;
  std::size_t left = 0;
  for (std::size_t i = 0; i < use_count_; ++i) {
    const use& u = uses_[i];
    if (u.target == target.id) {
      patch(u.at, here + static_cast<std::uint32_t>(u.offset));
    } else {
      uses_[left++] = u;
    }
  }
  use_count_ = left;
}

void encoder::align(std::size_t boundary) noexcept {
  while (!error_ && size_ % boundary) word(0);
}

void encoder::word(std::uint32_t value) noexcept {
  if (error_) return;
  if (size_ == capacity_) {
    const std::size_t capacity = capacity_ ? 2 * capacity_ : 4096;
    std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[capacity]);
    if (!check(bytes != nullptr, "out of memory")) return;
    std::copy_n(bytes_.get(), size_, bytes.get());
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }
  size_ += 4;
  write(static_cast<std::uint32_t>(size_ - 4), value);
}

void encoder::words(std::span<const std::uint32_t> values) noexcept {
  for (const std::uint32_t value : values) word(value);
}

void encoder::words(std::span<const std::uint64_t> values) noexcept {
  for (const std::uint64_t value : values) {
    word(static_cast<std::uint32_t>(value));
    word(static_cast<std::uint32_t>(value >> 32));
  }
}

void encoder::flush_literals() noexcept {
  std::size_t left = 0;
  for (std::size_t i = 0; i < use_count_; ++i) {
    const use u = uses_[i];
    if (u.target != no_label) {
      uses_[left++] = u;
      continue;
    }
    patch(u.at, static_cast<std::uint32_t>(size_));
    for (std::size_t j = i + 1; j < use_count_;) {  // the others of the same value
      if (uses_[j].target == no_label && uses_[j].literal == u.literal) {
        patch(uses_[j].at, static_cast<std::uint32_t>(size_));
        std::copy(uses_.begin() + static_cast<std::ptrdiff_t>(j) + 1,
                  uses_.begin() + static_cast<std::ptrdiff_t>(use_count_--),
                  uses_.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
    word(u.literal);
  }
  use_count_ = left;
}

void encoder::rev(reg d, reg m, cond c) noexcept {
  check(level_ >= 6, "rev needs ARMv6");
  check(d != pc && m != pc, "pc as an operand of rev");
  word(with(c, 0x06bf0f30) | static_cast<std::uint32_t>(d.id) << 12 | m.id);
}

void encoder::load_constant(reg d, std::uint32_t value) noexcept {
  if (operand(value).encodable()) {
    mov(d, value);
  } else if (operand(~value).encodable()) {
    mvn(d, ~value);
  } else if (level_ >= 7) {
    movw(d, value & 0xffff);
    if (value >> 16) movt(d, value >> 16);
  } else {
    wait({.at = static_cast<std::uint32_t>(size_), .literal = value});
    ldr(d, at(pc));
  }
}

// add d, pc, #high; add d, d, #low: refer() fills in the distance.
void encoder::address_of(reg d, label target) noexcept {
  check(d != pc, "pc as the destination of an address");
  refer(target, 0);
  const auto here = static_cast<std::uint32_t>(size_);
  add(d, pc, 0u);
  add(d, d, 0u);
  if (!error_ && labels_[target.id] != unbound) patch(here, labels_[target.id]);
}

void encoder::ldr(reg t, label source, int offset, cond c) noexcept {
  refer(source, offset);
  const auto here = static_cast<std::uint32_t>(size_);
  ldr(t, at(pc), c);
  if (!error_ && labels_[source.id] != unbound) {
    patch(here, labels_[source.id] + static_cast<std::uint32_t>(offset));
  }
}

void encoder::b(label target, cond c) noexcept {
  refer(target, 0);
  const auto here = static_cast<std::uint32_t>(size_);
  word(with(c, 0x0a000000));
  if (!error_ && labels_[target.id] != unbound) patch(here, labels_[target.id]);
}

void encoder::vext(vreg d, vreg n, vreg m, unsigned first) noexcept {
  check(first < (d.quad ? 16u : 8u), "vext begins behind its operand");
  three(0xf2b00000 | (first & 15) << 8, d, n, m);
}

void encoder::vrev(unsigned part, vreg d, vreg m) noexcept {
  check(part == 32 || part == 64, "vrev reverses words or doublewords");
  two(0xf3b00000 | (part == 32 ? 1u << 7 : 0u), d, m);
}

void encoder::vdup(vreg d, reg t, cond c) noexcept {
  check(exists(d), "no such vector register");
  check(t != pc, "pc as the source of vdup");
  vector_word(with(c, 0x0e800b10) | (d.quad ? 1u << 21 : 0u) | (d.id & 15u) << 16 | (d.id >> 4u & 1u) << 7 |
              static_cast<std::uint32_t>(t.id) << 12);
}

void encoder::alu(unsigned opcode, reg d, reg n, operand m, cond c, bool flags) noexcept {
  check(m.encodable(), "no such constant or shift");
  word(with(c, opcode << 21) | (flags ? 1u << 20 : 0u) | static_cast<std::uint32_t>(n.id) << 16 |
       static_cast<std::uint32_t>(d.id) << 12 | m.bits());
}

void encoder::mov16(unsigned which, reg d, std::uint32_t value, cond c) noexcept {
  check(level_ >= 7, "movw and movt need ARMv7");
  check(d != pc, "pc as the destination of movw or movt");
  check(value <= 0xffff, "more than sixteen bits for movw or movt");
  word(with(c, 0x03000000 | which << 20) | (value >> 12 & 15) << 16 | static_cast<std::uint32_t>(d.id) << 12 |
       (value & 0xfff));
}

void encoder::load_store(std::uint32_t bits, reg t, address a, cond c) noexcept {
  check(a.offset > -4096 && a.offset < 4096, "offset beyond 4095");
  check(a.mode == address::index::offset || (a.base != pc && a.base != t), "this base cannot be moved");
  check(t != pc, "pc loaded or stored by itself");
  word(with(c, 0x04000000 | bits) | indexing(a) | static_cast<std::uint32_t>(t.id) << 12 |
       magnitude(a.offset));
}

void encoder::load_store_dual(std::uint32_t bits, reg t, address a, cond c) noexcept {
  const std::uint32_t n = magnitude(a.offset);
  check(t.id % 2 == 0 && t.id < 14, "doubleword loads and stores want an even register below lr");
  check(n < 256, "offset beyond 255");
  check(a.mode == address::index::offset || (a.base != pc && a.base.id / 2 != t.id / 2),
        "this base cannot be moved");
  word(with(c, 1u << 22 | bits) | indexing(a) | static_cast<std::uint32_t>(t.id) << 12 | (n >> 4 & 15) << 8 |
       (n & 15));
}

void encoder::multiple(std::uint32_t bits, reg base, reg_set regs, bool advance, cond c) noexcept {
  check(regs.bits() != 0, "no register to load or store");
  check(base != pc && !(advance && (regs.bits() >> base.id & 1)), "this base cannot be moved");
  word(with(c, bits) | (advance ? 1u << 21 : 0u) | static_cast<std::uint32_t>(base.id) << 16 | regs.bits());
}

void encoder::three(std::uint32_t bits, vreg d, vreg n, vreg m) noexcept {
  check(exists(d) && exists(n) && exists(m), "no such vector register");
  check(d.quad == n.quad && d.quad == m.quad, "doubleword and quadword registers mixed");
  vector_word(bits | (d.quad ? quad_bit : 0u) | field_d(d) | field_n(n) | field_m(m));
}

void encoder::two(std::uint32_t bits, vreg d, vreg m) noexcept { three(bits, d, {0, d.quad}, m); }

void encoder::shift(std::uint32_t bits, bool right, unsigned size, vreg d, vreg m, unsigned n) noexcept {
  if (!check_size(size)) return;
  check(right ? n >= 1 && n <= size : n < size, "shifted by too much or too little");
  // The element size and the amount share a field: the highest one bit tells the size (A7.4.4).
  const std::uint32_t amount = (right ? 2 * size - n : size + n) & 127;
  two(bits | (size == 64 ? (right ? 64 - n : n) << 16 | 1u << 7 : amount << 16), d, m);
}

void encoder::structures(std::uint32_t bits, unsigned size, vreg first, vreg last, reg base,
                         bool advance) noexcept {
  // How many doublewords, as the `type` field tells it.
  constexpr std::array<std::uint32_t, 4> types{7, 10, 6, 2};
  const unsigned end = last.id + (last.quad ? 2u : 1u), count = end - first.id;
  if (!check_size(size) || !check(exists(first) && exists(last) && first.id < end && count <= 4,
                                  "not one to four consecutive registers")) {
    return;
  }
  check(base != pc, "this base cannot be used");
  vector_word(bits | field_d(first) | static_cast<std::uint32_t>(base.id) << 16 | types[count - 1] << 8 |
              lane(size) << 6 | (advance ? 13u : 15u));
}

void encoder::one_lane(std::uint32_t bits, vreg d, unsigned element, reg base) noexcept {
  check(exists(d) && !d.quad && element < 2, "no such vector element");
  check(base != pc, "this base cannot be used");
  vector_word(bits | field_d(d) | static_cast<std::uint32_t>(base.id) << 16 | (element & 1) << 7);
}

void encoder::vector_stack(std::uint32_t bits, vreg first, vreg last) noexcept {
  const unsigned end = last.id + (last.quad ? 2u : 1u), count = end - first.id;
  check(exists(first) && exists(last) && first.id < end && count <= 16,
        "not one to sixteen consecutive registers");
  vector_word(bits | field_d(first) | (2 * count & 0xff));
}

void encoder::vector_word(std::uint32_t bits) noexcept {
  check(level_ >= 7, "Advanced SIMD needs ARMv7");
  word(bits);
}

void encoder::crypto_three(std::uint32_t bits, vreg d, vreg n, vreg m) noexcept {
  check(d.quad, "SHA instructions take quadwords");
  three(bits, d, n, m);
}

// Bit 6 is part of the opcode here.
void encoder::crypto_two(std::uint32_t bits, vreg d, vreg m) noexcept {
  check(exists(d) && exists(m), "no such vector register");
  check(d.quad && m.quad, "SHA instructions take quadwords");
  vector_word(bits | field_d(d) | field_m(m));
}

// Notes that the instruction emitted next wants a label that is not bound yet.
void encoder::refer(label target, int offset) noexcept {
  if (!check(target.id < label_count_, "no such label") || labels_[target.id] != unbound) return;
  wait({.at = static_cast<std::uint32_t>(size_), .offset = offset, .target = target.id});
}

void encoder::wait(const use& u) noexcept {
  if (check(use_count_ < uses_.size(), "too many labels and literals wait for their address")) {
    uses_[use_count_++] = u;
  }
}

// Completes the instruction at `at`, which knows by itself what kind of distance it takes.
void encoder::patch(std::uint32_t at, std::uint32_t target) noexcept {
  if (error_) return;
  const std::uint32_t instruction = read(at), ahead = target - (at + 8);
  const bool backwards = ahead >> 31;
  const std::uint32_t distance = backwards ? 0u - ahead : ahead;
  if ((instruction >> 25 & 7) == 5) {  // b
    check(distance < 1u << 25, "branch too far");
    write(at, instruction | (ahead >> 2 & 0xffffff));
  } else if ((instruction >> 26 & 3) == 1) {  // ldr
    check(distance < 4096, "literal too far");
    write(at, (instruction & ~(1u << 23 | 0xfffu)) | (backwards ? 0u : 1u << 23) | (distance & 0xfff));
  } else {  // add, add
    check(distance < 1u << 16, "address too far");
    const std::uint32_t add_or_sub = backwards ? 6u << 21 : 0;  // of the opcodes 4 and 2, the difference
    write(at, (instruction ^ add_or_sub) | operand(distance & 0xff00).bits());
    write(at + 4, (read(at + 4) ^ add_or_sub) | operand(distance & 0xff).bits());
  }
}

std::uint32_t encoder::read(std::uint32_t at) const noexcept {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes_[at + i]) << 8 * i;
  return value;
}

void encoder::write(std::uint32_t at, std::uint32_t value) noexcept {
  for (unsigned i = 0; i < 4; ++i) bytes_[at + i] = static_cast<std::byte>(value >> 8 * i);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
