#include "jit/a32/disassembler.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

// An instruction is one whose bits below `mask` are `value`. In its text,
//
//   %c        condition                      %t %n %m  registers of bits 15:12, 19:16, 3:0
//   %s        s where the flags are set      %r        the register after %t
//   %o        flexible second operand        %h        constant of sixteen bits
//   %a %A     address, of doublewords        %l        register set
//   %!        ! where the base moves         %b        branch
//   %D %N %M  vector registers, quadwords where bit 6 (core registers beside them: 21) is set
//   %Q %q     %D and %M, always quadwords
//   %z        element size of bits 21:20     %x        bytes of vext
//   %i %I     size, registers and amount of a shift to the right, to the left
//   %v        vector registers in memory, with size and base
//   %e        element in memory              %k        vector registers of vpush and vpop
struct pattern {
  std::uint32_t mask, value;
  const char* text;
};

constexpr pattern patterns[] = {
    {0x0ff00000, 0x03000000, "movw%c %t, %h"},
    {0x0ff00000, 0x03400000, "movt%c %t, %h"},
    {0x0fff0ff0, 0x06bf0f30, "rev%c %t, %m"},
    {0x0ffffff0, 0x012fff10, "bx%c %m"},
    {0x0de00000, 0x00000000, "and%s%c %t, %n, %o"},
    {0x0de00000, 0x00200000, "eor%s%c %t, %n, %o"},
    {0x0de00000, 0x00400000, "sub%s%c %t, %n, %o"},
    {0x0de00000, 0x00600000, "rsb%s%c %t, %n, %o"},
    {0x0de00000, 0x00800000, "add%s%c %t, %n, %o"},
    {0x0de00000, 0x00a00000, "adc%s%c %t, %n, %o"},
    {0x0de00000, 0x00c00000, "sbc%s%c %t, %n, %o"},
    {0x0df0f000, 0x01100000, "tst%c %n, %o"},
    {0x0df0f000, 0x01500000, "cmp%c %n, %o"},
    {0x0de00000, 0x01800000, "orr%s%c %t, %n, %o"},
    {0x0def0000, 0x01a00000, "mov%s%c %t, %o"},
    {0x0de00000, 0x01c00000, "bic%s%c %t, %n, %o"},
    {0x0def0000, 0x01e00000, "mvn%s%c %t, %o"},
    {0x0e500000, 0x04100000, "ldr%c %t, %a"},
    {0x0e500000, 0x04000000, "str%c %t, %a"},
    {0x0e500000, 0x04500000, "ldrb%c %t, %a"},
    {0x0e5010f0, 0x004000d0, "ldrd%c %t, %r, %A"},
    {0x0e5010f0, 0x004000f0, "strd%c %t, %r, %A"},
    {0x0fff0000, 0x092d0000, "push%c %l"},
    {0x0fff0000, 0x08bd0000, "pop%c %l"},
    {0x0fd00000, 0x08900000, "ldm%c %n%!, %l"},
    {0x0fd00000, 0x08800000, "stm%c %n%!, %l"},
    {0x0fd00000, 0x09000000, "stmdb%c %n%!, %l"},
    {0x0f000000, 0x0a000000, "b%c %b"},
    {0x0fd00f7f, 0x0e800b10, "vdup%c.32 %N, %t"},
    {0xffbf0f01, 0xed2d0b00, "vpush %k"},
    {0xffbf0f01, 0xecbd0b00, "vpop %k"},
    {0xff800f10, 0xf2000800, "vadd.i%z %D, %N, %M"},
    {0xffb00f10, 0xf2000110, "vand %D, %N, %M"},
    {0xffb00f10, 0xf2100110, "vbic %D, %N, %M"},
    {0xffb00f10, 0xf2200110, "vorr %D, %N, %M"},
    {0xffb00f10, 0xf3000110, "veor %D, %N, %M"},
    {0xffb00f10, 0xf3100110, "vbsl %D, %N, %M"},
    {0xff800f10, 0xf3800010, "vshr.u%i"},
    {0xff800f10, 0xf2800510, "vshl.i%I"},
    {0xff800f10, 0xf3800510, "vsli.%I"},
    {0xffb00010, 0xf2b00000, "vext.8 %D, %N, %M, %x"},
    {0xffbf0f90, 0xf3b00000, "vrev64.8 %D, %M"},
    {0xffbf0f90, 0xf3b00080, "vrev32.8 %D, %M"},
    {0xffb00f7f, 0xf4a0080f, "vld1.32 %e"},
    {0xffb00f7f, 0xf480080f, "vst1.32 %e"},
    {0xffb00030, 0xf4200000, "vld1.%v"},
    {0xffb00030, 0xf4000000, "vst1.%v"},
    {0xffb00f50, 0xf2000c40, "sha1c.32 %D, %N, %M"},
    {0xffb00f50, 0xf2100c40, "sha1p.32 %D, %N, %M"},
    {0xffb00f50, 0xf2200c40, "sha1m.32 %D, %N, %M"},
    {0xffb00f50, 0xf2300c40, "sha1su0.32 %D, %N, %M"},
    {0xffb00f50, 0xf3000c40, "sha256h.32 %D, %N, %M"},
    {0xffb00f50, 0xf3100c40, "sha256h2.32 %D, %N, %M"},
    {0xffb00f50, 0xf3200c40, "sha256su1.32 %D, %N, %M"},
    {0xffbf0fd0, 0xf3b902c0, "sha1h.32 %D, %M"},
    {0xffbf0fd0, 0xf3ba0380, "sha1su1.32 %Q, %q"},
    {0xffbf0fd0, 0xf3ba03c0, "sha256su0.32 %D, %M"},
};

std::string hexadecimal(std::uint32_t n, const char* format = "%x") {
  char text[16];
  std::snprintf(text, sizeof text, format, n);
  return text;
}

// One instruction. `in_range` tells afterwards whether it is really one that the text stands for.
class reader {
 public:
  reader(std::uint32_t word, std::uint32_t at) noexcept : word_(word), at_(at) {}

  std::string field(char which) {
    switch (which) {
      case 'c':
        return condition();
      case 't':
        return core(bits(15, 12));
      case 'r':
        return core(bits(15, 12) + 1);
      case 'n':
        return core(bits(19, 16));
      case 'm':
        return core(bits(3, 0));
      case 's':
        return bit(20) ? "s" : "";
      case 'o':
        return flexible_operand();
      case 'h':
        return constant(bits(19, 16) << 12 | bits(11, 0));
      case 'a':
        return address(bits(11, 0), !bit(25));
      case 'A':
        return address(bits(11, 8) << 4 | bits(3, 0), bit(22));
      case 'l':
        return register_set();
      case '!':
        return bit(21) ? "!" : "";
      case 'b':
        return branch();
      case 'D':
        return vector(first(), quad());
      case 'N':
        return vector(bits(19, 16) | bit(7) << 4, quad());
      case 'M':
        return vector(bits(3, 0) | bit(5) << 4, quad());
      case 'Q':
        return vector(first(), true);
      case 'q':
        return vector(bits(3, 0) | bit(5) << 4, true);
      case 'z':
        return decimal(8u << bits(21, 20));
      case 'i':
        return shift(true);
      case 'I':
        return shift(false);
      case 'x':
        return constant(bits(11, 8));
      case 'v':
        return structures();
      case 'e':
        return "{" + vector(first(), false) + "[" + decimal(bit(7)) + "]}, [" + core(bits(19, 16)) + "]";
      default:
        return doublewords(bits(7, 1));
    }
  }

  [[nodiscard]] bool in_range() const noexcept { return in_range_; }

 private:
  [[nodiscard]] std::uint32_t bits(unsigned high, unsigned low) const noexcept {
    return word_ >> low & ((2u << (high - low)) - 1);
  }
  [[nodiscard]] std::uint32_t bit(unsigned n) const noexcept { return word_ >> n & 1; }
  void require(bool right) noexcept { in_range_ = in_range_ && right; }

  static std::string decimal(std::uint32_t n) { return std::to_string(n); }
  static std::string constant(std::uint32_t n) { return "#" + decimal(n); }
  static std::string core(std::uint32_t n) {
    return n == 13 ? "sp" : n == 14 ? "lr" : n == 15 ? "pc" : "r" + decimal(n);
  }

  std::string condition() {
    constexpr const char* names[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                     "hi", "ls", "ge", "lt", "gt", "le", "",   ""};
    require(word_ >> 28 != 15);
    return names[word_ >> 28];
  }

  std::string flexible_operand() {
    if (bit(25)) {
      const std::uint32_t turn = 2 * bits(11, 8), byte = bits(7, 0);
      return constant(turn == 0 ? byte : byte >> turn | byte << (32 - turn));
    }
    constexpr const char* names[] = {"lsl", "lsr", "asr", "ror"};
    require(!bit(4));
    const std::uint32_t type = bits(6, 5), by = bits(11, 7);
    if (type == 0 && by == 0) return core(bits(3, 0));
    require(!(type == 3 && by == 0));
    return core(bits(3, 0)) + ", " + names[type] + " " + constant(by == 0 ? 32 : by);
  }

  // Base, offset, and whether the base moves: bits 24 (before), 23 (up) and 21.
  std::string address(std::uint32_t offset, bool immediate) {
    require(immediate && !(bit(21) && !bit(24)));
    const std::string base = "[" + core(bits(19, 16)), by = (bit(23) ? "#" : "#-") + decimal(offset);
    if (!bit(24)) return base + "], " + by;
    std::string text = base + ", " + by + (bit(21) ? "]!" : "]");
    if (bits(19, 16) != 15) return text;
    return text + "  @ " + hexadecimal(bit(23) ? at_ + 8 + offset : at_ + 8 - offset);
  }

  std::string register_set() {
    std::string text = "{";
    unsigned count = 0;
    for (unsigned i = 0; i < 16; ++i) {
      if (bit(i)) text += (count++ ? ", " : "") + core(i);
    }
    require(count > 1);
    return text + "}";
  }

  std::string branch() {
    const auto ahead = static_cast<std::int32_t>(word_ << 8) / 64 + 8;
    return (ahead < 0 ? ". - " + std::to_string(-ahead) : ". + " + std::to_string(ahead)) + "  @ " +
           hexadecimal(at_ + static_cast<std::uint32_t>(ahead));
  }

  [[nodiscard]] bool quad() const noexcept { return word_ >> 28 == 15 ? bit(6) : bit(21); }
  [[nodiscard]] std::uint32_t first() const noexcept { return bits(15, 12) | bit(22) << 4; }

  std::string vector(std::uint32_t n, bool is_quad) {
    require(!(is_quad && n % 2));
    return is_quad ? "q" + decimal(n / 2) : "d" + decimal(n);
  }

  // The highest one bit of bits 21:16 with bit 7 above them is the element size; the rest is the amount.
  std::string shift(bool right) {
    const std::uint32_t all = bit(7) << 6 | bits(21, 16);
    std::uint32_t size = 64;
    while (size > all) size /= 2;
    require(size >= 8);
    return decimal(size) + " " + field('D') + ", " + field('M') + ", " +
           constant(right ? 2 * size - all : all - size);
  }

  std::string doublewords(std::uint32_t count) {
    require(count >= 1 && first() + count <= 32);
    const std::string low = vector(first(), false);
    return "{" + (count > 1 ? low + "-" + vector(first() + count - 1, false) : low) + "}";
  }

  std::string structures() {
    constexpr std::array<std::uint32_t, 4> types{7, 10, 6, 2};
    const auto type = std::find(types.begin(), types.end(), bits(11, 8));
    const std::uint32_t moved = bits(3, 0);
    require(type != types.end() && (moved == 13 || moved == 15));
    return decimal(8u << bits(7, 6)) + " " +
           doublewords(static_cast<std::uint32_t>(type - types.begin() + 1)) + ", [" + core(bits(19, 16)) +
           "]" + (moved == 13 ? "!" : "");
  }

  std::uint32_t word_, at_;
  bool in_range_ = true;
};

std::optional<std::string> instruction(std::uint32_t word, std::uint32_t at) {
  for (const pattern& each : patterns) {
    if ((word & each.mask) != each.value) continue;
    reader r(word, at);
    std::string text;
    for (const char* c = each.text; *c; ++c) text += *c == '%' ? r.field(*++c) : std::string(1, *c);
    if (r.in_range()) return text;
  }
  return {};
}

// Whether execution never goes on behind this word: b, bx, pop with pc.
bool leaves(std::uint32_t word) noexcept {
  return (word & 0xff000000) == 0xea000000 || (word & 0xfffffff0) == 0xe12fff10 ||
         (word & 0xffff8000) == 0xe8bd8000;
}

}  // namespace

std::string disassemble(std::span<const std::byte> code) {
  std::vector<std::uint32_t> words(code.size() / 4);
  for (std::size_t i = 0; i < 4 * words.size(); ++i) {
    words[i / 4] |= std::to_integer<std::uint32_t>(code[i]) << 8 * (i % 4);
  }
  // Generated code never branches back to what nothing before has reached.
  std::vector<bool> branched_to(words.size());
  bool reached = true;
  std::string listing = ".syntax unified\n.arch armv8-a\n.fpu crypto-neon-fp-armv8\n.arm\n";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t word = words[i], at = static_cast<std::uint32_t>(4 * i);
    reached = reached || branched_to[i];
    std::string line =
        (reached ? instruction(word, at) : std::nullopt).value_or(".word 0x" + hexadecimal(word));
    line.resize(std::max<std::size_t>(line.size() + 1, 44), ' ');
    listing += line + "@ " + hexadecimal(at, "%4x") + ": " + hexadecimal(word, "%08x") + "\n";
    if (reached && (word & 0x0f000000) == 0x0a000000) {
      const auto target = i + 2 + static_cast<std::size_t>(static_cast<std::int32_t>(word << 8) / 256);
      if (target < words.size()) branched_to[target] = true;
    }
    if (leaves(word)) reached = false;
  }
  return listing;
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
