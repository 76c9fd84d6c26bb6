// The A32 encoder against GNU as: a text and the encoder's bytes are made side by side from random operands,
// and what the assembler makes of the text has to be the same, byte for byte.
//
// JITHASH_A32_BINUTILS is what the names of the assembler and of objcopy begin with ("arm-linux-gnueabihf-");
// empty, there are none and these cases are left out. An assembler that is missing otherwise is a failure.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "jit/a32/disassembler.hpp"
#include "jit/a32/encoder.hpp"
#include "jit/a32/kernels.hpp"

namespace {

using namespace jithash;
using namespace jithash::a32;

const std::string binutils = JITHASH_A32_BINUTILS;

using byte_list = std::vector<std::byte>;

/// What GNU as makes of `text`; empty, with its messages printed, where it refuses.
byte_list assemble(const std::string& text) {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("jithash-a32-" + std::to_string(getpid()))).string();
  std::ofstream(base + ".s") << ".syntax unified\n.arm\n.arch armv8-a\n.fpu crypto-neon-fp-armv8\n" << text;
  const std::string command = binutils + "as -o " + base + ".o " + base + ".s && " + binutils +
                              "objcopy -O binary -j .text " + base + ".o " + base + ".bin";
  byte_list bytes;
  if (std::system(command.c_str()) == 0) {
    std::ifstream in(base + ".bin", std::ios::binary);
    std::transform(std::istreambuf_iterator<char>(in), {}, std::back_inserter(bytes),
                   [](char c) { return static_cast<std::byte>(c); });
  }
  for (const char* end : {".s", ".o", ".bin"}) std::filesystem::remove(base + end);
  return bytes;
}

byte_list bytes_of(encoder& e) {
  const machine_code code = e.finish();
  if (code.error) FAIL(std::string(code.error));
  return {code.bytes.get(), code.bytes.get() + code.size};
}

/// Compares word by word, so that a failure names its line.
void check_equal(const byte_list& ours, const byte_list& theirs, const std::vector<std::string>& lines) {
  REQUIRE(ours.size() == theirs.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < ours.size() && different < 20; i += 4) {
    if (std::equal(ours.begin() + static_cast<std::ptrdiff_t>(i),
                   ours.begin() + static_cast<std::ptrdiff_t>(i) + 4,
                   theirs.begin() + static_cast<std::ptrdiff_t>(i))) {
      continue;
    }
    ++different;
    const std::string line = i / 4 < lines.size() ? lines[i / 4] : "literal";
    FAIL_CHECK("not what as makes of: " << line);
  }
}

/// Random operands, and how they are written.
class sample {
 public:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool coin() { return below(2); }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

  /// Any core register but sp and pc, and what may be a base.
  reg general() {
    const unsigned n = below(14);
    return {static_cast<std::uint8_t>(n == 13 ? 14 : n)};
  }
  reg base() { return {static_cast<std::uint8_t>(below(15))}; }
  vreg vector(bool quad) { return quad ? q(below(16)) : d(below(32)); }
  condition when() { return static_cast<condition>(below(15)); }

  /// A constant that fits: eight bits, rotated by an even number.
  std::uint32_t constant() {
    const std::uint32_t byte = below(256);
    const unsigned turn = 2 * below(16);
    return turn == 0 ? byte : byte >> turn | byte << (32 - turn);
  }

  static std::string text(reg r) {
    return r == sp ? "sp" : r == lr ? "lr" : r == pc ? "pc" : "r" + std::to_string(r.id);
  }
  static std::string text(vreg v) {
    return v.quad ? "q" + std::to_string(v.id / 2) : "d" + std::to_string(v.id);
  }
  static std::string text(condition c) {
    const char* const names[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                 "hi", "ls", "ge", "lt", "gt", "le", ""};
    return names[static_cast<unsigned>(c)];
  }
  static std::string number(std::int64_t n) { return "#" + std::to_string(n); }

 private:
  std::mt19937_64 random_{20240229};
};

/// The encoder, the text beside it, and the operands of both.
struct twins : sample {
  explicit twins(unsigned level) : e(level) {}

  encoder e;
  std::vector<std::string> lines;

  template <class... Operands>
  void line(const std::string& mnemonic, const Operands&... operands) {
    std::string all = mnemonic, separator = " ";
    ((all += separator + operands, separator = ", "), ...);
    lines.push_back(all);
  }

  [[nodiscard]] std::string all() const {
    std::string text;
    for (const std::string& each : lines) text += each + "\n";
    return text;
  }

  std::pair<operand, std::string> flexible() {
    if (coin()) {
      const std::uint32_t value = constant();
      return {operand(value), number(value)};
    }
    const reg r = general();
    const unsigned left = below(32), right = 1 + below(32), turned = 1 + below(31);
    switch (below(5)) {
      case 0:
        return {lsl(r, left), text(r) + (left ? ", lsl " + number(left) : "")};
      case 1:
        return {lsr(r, right), text(r) + ", lsr " + number(right)};
      case 2:
        return {asr(r, right), text(r) + ", asr " + number(right)};
      case 3:
        return {ror(r, turned), text(r) + ", ror " + number(turned)};
      default:
        return {r, text(r)};
    }
  }

  void data_processing() {
    using three = void (encoder::*)(reg, reg, operand, condition);
    using two = void (encoder::*)(reg, operand, condition);
    static const std::vector<std::pair<const char*, three>> with_destination{
        {"and", &encoder::and_}, {"eor", &encoder::eor},   {"sub", &encoder::sub},  {"rsb", &encoder::rsb},
        {"add", &encoder::add},  {"adc", &encoder::adc},   {"sbc", &encoder::sbc},  {"orr", &encoder::orr},
        {"bic", &encoder::bic},  {"adds", &encoder::adds}, {"subs", &encoder::subs}};
    static const std::vector<std::pair<const char*, two>> short_ones{
        {"mov", &encoder::mov}, {"mvn", &encoder::mvn}, {"tst", &encoder::tst}, {"cmp", &encoder::cmp}};
    const auto [m, m_text] = flexible();
    const condition c = when();
    const reg to = general(), from = general();
    const unsigned which = below(static_cast<unsigned>(with_destination.size() + short_ones.size()));
    if (which < with_destination.size()) {
      const auto& [name, emit] = with_destination[which];
      (e.*emit)(to, from, m, c);
      line(name + text(c), text(to), text(from), m_text);
    } else {
      const auto& [name, emit] = short_ones[which - with_destination.size()];
      (e.*emit)(to, m, c);
      line(name + text(c), text(to), m_text);
    }
  }

  void other_core() {
    const condition c = when();
    const reg to = general(), from = general();
    const std::uint32_t half = bits() & 0xffff;
    switch (below(4)) {
      case 0:
        e.rev(to, from, c);
        return line("rev" + text(c), text(to), text(from));
      case 1:
        e.movw(to, half, c);
        return line("movw" + text(c), text(to), number(half));
      case 2:
        e.movt(to, half, c);
        return line("movt" + text(c), text(to), number(half));
      default:
        if (c == condition::always) return;  // ends what is listed as instructions
        e.bx(to, c);
        return line("bx" + text(c), text(to));
    }
  }

  std::string written(const address& a) {
    const std::string offset = number(a.offset);
    switch (a.mode) {
      case address::index::pre:
        return "[" + text(a.base) + ", " + offset + "]!";
      case address::index::post:
        return "[" + text(a.base) + "], " + offset;
      default:
        return "[" + text(a.base) + ", " + offset + "]";
    }
  }

  void load_or_store() {
    const condition c = when();
    const bool dual = below(3) == 0;
    const int reach = dual ? 255 : 4095;
    address a{base(), static_cast<int>(below(static_cast<unsigned>(2 * reach + 1))) - reach,
              static_cast<address::index>(below(3))};
    const reg t = dual ? reg{static_cast<std::uint8_t>(2 * below(6))} : general();
    while (a.base == t || (dual && a.base.id == t.id + 1)) a.base = base();
    if (dual) {
      const bool load = coin();
      load ? e.ldrd(t, a, c) : e.strd(t, a, c);
      return line((load ? "ldrd" : "strd") + text(c), text(t), text(reg{static_cast<std::uint8_t>(t.id + 1)}),
                  written(a));
    }
    switch (below(3)) {
      case 0:
        e.ldr(t, a, c);
        return line("ldr" + text(c), text(t), written(a));
      case 1:
        e.str(t, a, c);
        return line("str" + text(c), text(t), written(a));
      default:
        e.ldrb(t, a, c);
        return line("ldrb" + text(c), text(t), written(a));
    }
  }

  void multiple() {
    const condition c = when();
    const reg from = base();
    const bool advance = coin();
    reg_set set;
    std::string list;
    unsigned count = 0;
    for (unsigned i = 0; i < 15; ++i) {
      const reg r{static_cast<std::uint8_t>(i)};
      if (r == sp || r == from || coin()) continue;
      set = set | reg_set(r);
      list += (count++ ? ", " : "") + text(r);
    }
    if (count < 2) return;
    const std::string where = text(from) + (advance ? "!" : "");
    switch (below(5)) {
      case 0:
        e.ldm(from, set, advance, c);
        return line("ldmia" + text(c), where, "{" + list + "}");
      case 1:
        e.stm(from, set, advance, c);
        return line("stmia" + text(c), where, "{" + list + "}");
      case 2:
        e.stmdb(from, set, advance, c);
        return line("stmdb" + text(c), where, "{" + list + "}");
      case 3:
        e.push(set, c);
        return line("push" + text(c), "{" + list + "}");
      default:
        e.pop(set, c);
        return line("pop" + text(c), "{" + list + "}");
    }
  }

  void vector_operation() {
    using three = void (encoder::*)(vreg, vreg, vreg);
    using shifted = void (encoder::*)(unsigned, vreg, vreg, unsigned);
    static const std::vector<std::pair<const char*, three>> logic{{"vand", &encoder::vand},
                                                                  {"vbic", &encoder::vbic},
                                                                  {"vorr", &encoder::vorr},
                                                                  {"veor", &encoder::veor},
                                                                  {"vbsl", &encoder::vbsl}};
    static const std::vector<std::pair<const char*, shifted>> shifts{
        {"vshr.u", &encoder::vshr}, {"vshl.i", &encoder::vshl}, {"vsli.", &encoder::vsli}};
    const bool quad = coin();
    const vreg to = vector(quad), n = vector(quad), m = vector(quad);
    const unsigned size = 8u << below(4);
    switch (below(7)) {
      case 0:
        e.vadd(size, to, n, m);
        return line("vadd.i" + std::to_string(size), text(to), text(n), text(m));
      case 1: {
        const auto& [name, emit] = logic[below(static_cast<unsigned>(logic.size()))];
        (e.*emit)(to, n, m);
        return line(name, text(to), text(n), text(m));
      }
      case 2:
        e.vmov(to, m);
        return line("vmov", text(to), text(m));
      case 3: {
        const unsigned which = below(static_cast<unsigned>(shifts.size())), by = below(size) + (which == 0);
        const auto& [name, emit] = shifts[which];
        (e.*emit)(size, to, m, by);
        return line(name + std::to_string(size), text(to), text(m), number(by));
      }
      case 4: {
        const unsigned first = below(quad ? 16 : 8);
        e.vext(to, n, m, first);
        return line("vext.8", text(to), text(n), text(m), number(first));
      }
      case 5: {
        const unsigned part = coin() ? 32 : 64;
        e.vrev(part, to, m);
        return line("vrev" + std::to_string(part) + ".8", text(to), text(m));
      }
      default: {
        const reg t = general();
        const condition c = when();
        e.vdup(to, t, c);
        return line("vdup" + text(c) + ".32", text(to), text(t));
      }
    }
  }

  void vector_memory() {
    const unsigned size = 8u << below(4), count = 1 + below(4), first = below(33 - count);
    const vreg low = d(first), high = d(first + count - 1);
    const reg from = base();
    const bool advance = coin();
    const std::string range = "{" + text(low) + (count > 1 ? "-" + text(high) : "") + "}";
    const std::string where = "[" + text(from) + "]" + (advance ? "!" : "");
    switch (below(6)) {
      case 0:
        e.vld1(size, low, high, from, advance);
        return line("vld1." + std::to_string(size), range, where);
      case 1:
        e.vst1(size, low, high, from, advance);
        return line("vst1." + std::to_string(size), range, where);
      case 2:
      case 3: {
        const bool load = coin();
        const unsigned element = below(2);
        load ? e.vld1_lane(low, element, from) : e.vst1_lane(low, element, from);
        return line(load ? "vld1.32" : "vst1.32", "{" + text(low) + "[" + std::to_string(element) + "]}",
                    "[" + text(from) + "]");
      }
      case 4:
        e.vpush(low, high);
        return line("vpush", range);
      default:
        e.vpop(low, high);
        return line("vpop", range);
    }
  }

  void sha() {
    using three = void (encoder::*)(vreg, vreg, vreg);
    using two = void (encoder::*)(vreg, vreg);
    static const std::vector<std::pair<const char*, three>> long_ones{
        {"sha1c", &encoder::sha1c},        {"sha1p", &encoder::sha1p},     {"sha1m", &encoder::sha1m},
        {"sha1su0", &encoder::sha1su0},    {"sha256h", &encoder::sha256h}, {"sha256h2", &encoder::sha256h2},
        {"sha256su1", &encoder::sha256su1}};
    static const std::vector<std::pair<const char*, two>> short_ones{
        {"sha1h", &encoder::sha1h}, {"sha1su1", &encoder::sha1su1}, {"sha256su0", &encoder::sha256su0}};
    const vreg to = vector(true), n = vector(true), m = vector(true);
    const unsigned which = below(static_cast<unsigned>(long_ones.size() + short_ones.size()));
    if (which < long_ones.size()) {
      const auto& [name, emit] = long_ones[which];
      (e.*emit)(to, n, m);
      line(name + std::string(".32"), text(to), text(n), text(m));
    } else {
      const auto& [name, emit] = short_ones[which - long_ones.size()];
      (e.*emit)(to, m);
      line(name + std::string(".32"), text(to), text(m));
    }
  }
};

TEST_CASE("every instruction with random operands is what GNU as makes of it") {
  if (binutils.empty()) return;
  twins t(7);
  while (t.lines.size() < 100'000) {
    switch (t.below(8)) {
      case 0:
      case 1:
        t.data_processing();
        break;
      case 2:
        t.other_core();
        break;
      case 3:
        t.load_or_store();
        break;
      case 4:
        t.multiple();
        break;
      case 5:
        t.vector_operation();
        break;
      case 6:
        t.vector_memory();
        break;
      default:
        t.sha();
    }
  }
  const byte_list ours = bytes_of(t.e);
  check_equal(ours, assemble(t.all()), t.lines);

  const std::string listing = disassemble(ours);
  CHECK(listing.find(".word") == std::string::npos);
  CHECK(assemble(listing) == ours);
}

// Distances of both signs, and none; what stands between is nothing in particular.
TEST_CASE("labels are where GNU as puts them") {
  if (binutils.empty()) return;
  byte_list ours;
  std::string text;
  sample random;
  for (unsigned snippet = 0; snippet < 300; ++snippet) {
    encoder e(7);
    std::array<label, 8> labels;
    for (label& each : labels) each = e.new_label();
    const auto name = [&](const label& l) {
      return "L" + std::to_string(snippet) + "_" + std::to_string(l.id);
    };
    std::vector<std::string> lines;
    struct distance {
      std::size_t line, at;
      label target;
      reg to;
    };
    std::vector<distance> distances;
    std::array<std::size_t, 8> places{};
    for (const label& each : labels) {
      for (unsigned i = random.below(20); i != 0; --i) {
        const label target = labels[random.below(8)];
        const reg to = random.general();
        const condition c = random.when();
        switch (random.below(4)) {
          case 0:
            e.b(target, c);
            lines.push_back("b" + sample::text(c) + " " + name(target));
            break;
          case 1: {
            const int offset = static_cast<int>(random.below(512)) * 4 - 1024;
            e.ldr(to, target, offset, c);
            lines.push_back("ldr" + sample::text(c) + " " + sample::text(to) + ", " + name(target) + " + " +
                            std::to_string(offset));
            break;
          }
          case 2:
            distances.push_back({lines.size(), e.size(), target, to});
            e.address_of(to, target);
            lines.insert(lines.end(), 2, "");
            break;
          default: {
            const std::size_t zeros = random.coin() ? 0 : random.below(40);
            for (std::size_t n = 0; n < zeros; ++n) {
              e.word(0);
              lines.emplace_back(".word 0");
            }
          }
        }
      }
      places[each.id] = e.size();
      e.bind(each);
      lines.push_back(name(each) + ":");
    }
    for (const distance& each : distances) {
      const auto ahead =
          static_cast<std::int64_t>(places[each.target.id]) - static_cast<std::int64_t>(each.at + 8);
      const std::string add = ahead < 0 ? "sub " : "add ", to = sample::text(each.to);
      const std::int64_t size = std::abs(ahead);
      lines[each.line] = add + to + ", pc, " + sample::number(size & 0xff00);
      lines[each.line + 1] = add + to + ", " + to + ", " + sample::number(size & 0xff);
    }
    const byte_list bytes = bytes_of(e);
    ours.insert(ours.end(), bytes.begin(), bytes.end());
    for (const std::string& each : lines) text += each + "\n";
  }
  const byte_list theirs = assemble(text);
  CHECK(ours.size() > 100'000);
  CHECK(ours == theirs);
}

// mov, mvn or a word of the pool, each value once and in the order of use, as GNU as does it below ARMv7.
TEST_CASE("constants are loaded as GNU as loads them") {
  if (binutils.empty()) return;
  byte_list ours;
  std::string text = ".arch armv6\n";
  sample random;
  for (unsigned pool = 0; pool < 200; ++pool) {
    encoder e(6);
    std::vector<std::uint32_t> values;
    for (unsigned i = 0; i < 40; ++i) {
      const unsigned kind = random.below(4);
      const std::uint32_t fitting = random.constant();
      values.push_back(kind == 0                      ? fitting
                       : kind == 1                    ? ~fitting
                       : kind == 2 && !values.empty() ? values[random.below(i)]
                                                      : random.bits());
      const reg to = random.general();
      e.load_constant(to, values.back());
      text += "ldr " + sample::text(to) + ", =" + std::to_string(values.back()) + "\n";
    }
    e.word(0);  // at a distance of zero, as subtracts it
    e.word(0);
    text += ".word 0, 0\n.ltorg\n";
    const byte_list bytes = bytes_of(e);
    ours.insert(ours.end(), bytes.begin(), bytes.end());
  }
  CHECK(ours == assemble(text));
}

TEST_CASE("data is little-endian, and aligned by zero bytes") {
  encoder e(7);
  e.word(0x01020304);
  e.align(8);
  e.words(std::array<std::uint64_t, 1>{0x1112131415161718});
  const unsigned char expected[] = {4, 3, 2, 1, 0, 0, 0, 0, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11};
  const byte_list bytes = bytes_of(e);
  REQUIRE(bytes.size() == sizeof expected);
  CHECK(std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(expected)));
}

TEST_CASE("from ARMv7 on constants need no pool") {
  encoder e(7);
  e.load_constant(r3, 0x12345678);
  e.load_constant(r4, 0xabcd);
  encoder by_hand(7);
  by_hand.movw(r3, 0x5678);
  by_hand.movt(r3, 0x1234);
  by_hand.movw(r4, 0xabcd);
  CHECK(bytes_of(e) == bytes_of(by_hand));
}

TEST_CASE("what cannot be encoded is an error, and the first one is told") {
  struct refused {
    std::string what;
    unsigned level;
    std::function<void(encoder&)> emit;
  };
  const refused cases[] = {
      {"a constant of nine bits", 7, [](encoder& e) { e.add(r0, r1, 0x101u); }},
      {"lsl by 32", 7, [](encoder& e) { e.mov(r0, lsl(r1, 32)); }},
      {"lsr by 33", 7, [](encoder& e) { e.mov(r0, lsr(r1, 33)); }},
      {"ror by 32", 7, [](encoder& e) { e.mov(r0, ror(r1, 32)); }},
      {"movw of seventeen bits", 7, [](encoder& e) { e.movw(r0, 0x10000); }},
      {"movt before v7", 6, [](encoder& e) { e.movt(r0, 1); }},
      {"rev before v6", 5, [](encoder& e) { e.rev(r0, r1); }},
      {"rev of pc", 7, [](encoder& e) { e.rev(r0, pc); }},
      {"a vector before v7", 6, [](encoder& e) { e.veor(q(0), q(0), q(0)); }},
      {"vpush before v7", 6, [](encoder& e) { e.vpush(d(8), d(15)); }},
      {"ldr at 4096", 7, [](encoder& e) { e.ldr(r0, at(r1, 4096)); }},
      {"str at -4096", 7, [](encoder& e) { e.str(r0, at(r1, -4096)); }},
      {"ldr over its base", 7, [](encoder& e) { e.ldr(r1, post(r1, 4)); }},
      {"ldrb to pc", 7, [](encoder& e) { e.ldrb(pc, at(r1)); }},
      {"ldrd to an odd register", 7, [](encoder& e) { e.ldrd(r1, at(r4)); }},
      {"ldrd to lr and pc", 7, [](encoder& e) { e.ldrd(lr, at(r4)); }},
      {"strd at 256", 7, [](encoder& e) { e.strd(r0, at(r4, 256)); }},
      {"ldrd over its base", 7, [](encoder& e) { e.ldrd(r0, post(r1, 8)); }},
      {"no register", 7, [](encoder& e) { e.ldm(r0, reg_set()); }},
      {"ldm over its base", 7, [](encoder& e) { e.ldm(r0, reg_set(r0, r1), true); }},
      {"d32", 7, [](encoder& e) { e.veor(d(32), d(0), d(0)); }},
      {"q16", 7, [](encoder& e) { e.vext(q(16), q(0), q(0), 4); }},
      {"d and q mixed", 7, [](encoder& e) { e.vadd(32, q(0), q(1), d(2)); }},
      {"elements of 24 bits", 7, [](encoder& e) { e.vshr(24, q(0), q(1), 2); }},
      {"vadd of 24 bits", 7, [](encoder& e) { e.vadd(24, q(0), q(1), q(2)); }},
      {"vshr by nothing", 7, [](encoder& e) { e.vshr(32, q(0), q(1), 0); }},
      {"vshr by 33", 7, [](encoder& e) { e.vshr(32, q(0), q(1), 33); }},
      {"vsli by all", 7, [](encoder& e) { e.vsli(32, q(0), q(1), 32); }},
      {"vext from behind", 7, [](encoder& e) { e.vext(d(0), d(1), d(2), 8); }},
      {"vrev of 16", 7, [](encoder& e) { e.vrev(16, q(0), q(1)); }},
      {"five doublewords", 7, [](encoder& e) { e.vld1(8, d(0), d(4), r0); }},
      {"backwards", 7, [](encoder& e) { e.vst1(8, d(4), d(0), r0); }},
      {"a third element", 7, [](encoder& e) { e.vld1_lane(d(0), 2, r0); }},
      {"seventeen doublewords", 7, [](encoder& e) { e.vpop(d(0), d(16)); }},
      {"SHA of doublewords", 7, [](encoder& e) { e.sha256h(d(0), d(1), d(2)); }},
      {"sha1h of a doubleword", 7, [](encoder& e) { e.sha1h(q(0), d(2)); }},
      {"a label that is never bound", 7, [](encoder& e) { e.b(e.new_label()); }},
      {"a label bound twice", 7,
       [](encoder& e) {
         const label l = e.new_label();
         e.bind(l);
         e.bind(l);
       }},
      {"a literal too far behind", 7,
       [](encoder& e) {
         const label l = e.new_label();
         e.bind(l);
         for (unsigned i = 0; i < 1100; ++i) e.word(0);
         e.ldr(r0, l);
       }},
      {"a literal too far ahead", 6,
       [](encoder& e) {
         e.load_constant(r0, 0x12345678);
         for (unsigned i = 0; i < 1100; ++i) e.word(0);
       }},
      {"an address too far", 7,
       [](encoder& e) {
         const label l = e.new_label();
         e.address_of(r0, l);
         for (unsigned i = 0; i < 17000; ++i) e.word(0);
         e.bind(l);
       }},
  };
  for (const refused& each : cases) {
    CAPTURE(each.what);
    encoder e(each.level);
    each.emit(e);
    const machine_code code = e.finish();
    CHECK(code.error != nullptr);
    CHECK(code.bytes == nullptr);
  }

  encoder e(7);
  e.movw(r0, 0x10000);
  const std::string first = e.error();
  e.add(r0, r1, 0x101u);
  e.mov(r0, 0);
  CHECK(e.error() == first);
  CHECK(e.finish().error == first);
}

struct row {
  std::string name;
  generator generate;
  unsigned lowest_level;
  std::size_t constants;  // words
};
const row rows[] = {
    {"sha1/a32", generate_sha1, 5, 0},
    {"sha256/a32", generate_sha256, 5, 64},
    {"sha512/a32", generate_sha512, 5, 160},
    {"sha1/a32-neon", generate_sha1_neon, 7, 16},
    {"sha256/a32-neon", generate_sha256_neon, 7, 64},
    {"sha512/a32-neon", generate_sha512_neon, 7, 160},
    {"sha1/a32-sha1", generate_sha1_sha1, 7, 16},
    {"sha256/a32-sha2", generate_sha256_sha2, 7, 64},
};

TEST_CASE(
    "every generator makes the same bytes twice, at every level that has its instructions, and can be "
    "listed") {
  for (const row& each : rows) {
    for (const unsigned level : {5u, 6u, 7u}) {
      for (const bool compact : {false, true}) {
        CAPTURE(each.name);
        CAPTURE(level);
        CAPTURE(compact);
        generator_options options;
        if (level >= 6) options.features.insert(cpu_feature::armv6);
        if (level >= 7) options.features.insert(cpu_feature::armv7);
        options.compact = compact;
        const machine_code one = each.generate(options), two = each.generate(options);
        if (level < each.lowest_level) {
          CHECK(one.error != nullptr);
          continue;
        }
        if (one.error) FAIL(std::string(one.error));
        REQUIRE(one.size == two.size);
        const byte_list bytes(one.bytes.get(), one.bytes.get() + one.size);
        CHECK(std::equal(bytes.begin(), bytes.end(), two.bytes.get()));
        CHECK(one.size < 8192);

        const std::string listing = disassemble(bytes);
        std::size_t data = 0;
        for (auto at = listing.find(".word"); at != std::string::npos; at = listing.find(".word", at + 1))
          ++data;
        CHECK(data >= each.constants);
        CHECK(data <= each.constants + 4);  // literals, padding
        if (!binutils.empty()) CHECK(assemble(listing) == bytes);
      }
    }
  }
}

}  // namespace
