// sha512/x86-sha512 on CPUs without its three instructions: they raise SIGILL, and the handler does what they would do,
// from their definition in Intel's Software Developer's Manual. Their bytes are ours (asmjit of 2022 lacks them), so the
// handler also decodes them on its own.
#include <doctest/doctest.h>

#if JITHASH_JIT && defined(__x86_64__)

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "fresh_process.hpp"
#include "jit/code_memory.hpp"
#include "jit/x86/kernels.hpp"
#include "registry.hpp"
#include "support.hpp"

using namespace jithash;

namespace {

using word = std::uint64_t;
using ymm = std::array<word, 4>;

word sigma0(word x) { return std::rotr(x, 1) ^ std::rotr(x, 8) ^ (x >> 7); }
word sigma1(word x) { return std::rotr(x, 19) ^ std::rotr(x, 61) ^ (x >> 6); }

// Two rounds on the states d = {h, g, d, c} and v = {f, e, b, a}, lowest word first, with K + W in m[0] and m[1].
ymm rounds2(const ymm& d_in, const ymm& v, const ymm& m) {
  word a = v[3], b = v[2], c = d_in[3], d = d_in[2], e = v[1], f = v[0], g = d_in[1], h = d_in[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const word t1 =
        h + (std::rotr(e, 14) ^ std::rotr(e, 18) ^ std::rotr(e, 41)) + ((e & f) ^ (~e & g)) + m[i];
    const word t2 = (std::rotr(a, 28) ^ std::rotr(a, 34) ^ std::rotr(a, 39)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  return {f, e, b, a};
}

ymm message1(const ymm& d, const ymm& m) {
  return {d[0] + sigma0(d[1]), d[1] + sigma0(d[2]), d[2] + sigma0(d[3]), d[3] + sigma0(m[0])};
}

ymm message2(ymm d, const ymm& m) {
  d[0] += sigma1(m[2]);
  d[1] += sigma1(m[3]);
  d[2] += sigma1(d[0]);
  d[3] += sigma1(d[1]);
  return d;
}

unsigned long modelled = 0;

// The vector registers of an interrupted program: the XSAVE area of the signal frame, in the standard format.
class saved_vectors {
 public:
  explicit saved_vectors(ucontext_t& context)
      : area_(reinterpret_cast<unsigned char*>(context.uc_mcontext.fpregs)) {
    word components = 0;
    std::memcpy(&components, area_ + 512, sizeof components);
    if (!(components & ymm_component)) {  // the upper halves are in their initial state: zero
      std::memset(area_ + upper_halves, 0, 256);
      components |= ymm_component;
      std::memcpy(area_ + 512, &components, sizeof components);
    }
  }
  [[nodiscard]] ymm get(unsigned n) const {
    ymm value;
    std::memcpy(value.data(), area_ + lower_halves + 16 * n, 16);
    std::memcpy(value.data() + 2, area_ + upper_halves + 16 * n, 16);
    return value;
  }
  void put(unsigned n, const ymm& value) {
    std::memcpy(area_ + lower_halves + 16 * n, value.data(), 16);
    std::memcpy(area_ + upper_halves + 16 * n, value.data() + 2, 16);
  }

 private:
  static constexpr std::size_t lower_halves = 160, upper_halves = 576;
  static constexpr word ymm_component = 4;
  unsigned char* area_;
};

// VEX.256.F2.0F38.W0 CB, CC, CD /r with register operands.
void model(int, siginfo_t*, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  auto& rip = context.uc_mcontext.gregs[REG_RIP];
  const auto* const bytes = reinterpret_cast<const unsigned char*>(rip);
  const bool ours = bytes[0] == 0xc4 && bytes[1] == 0xe2 && (bytes[2] & 0x87) == 0x07 && bytes[3] >= 0xcb &&
                    bytes[3] <= 0xcd && bytes[4] >= 0xc0;
  const unsigned d = (bytes[4] >> 3) & 7, m = bytes[4] & 7, v = (~bytes[2] >> 3) & 15;
  if (!ours || (bytes[3] != 0xcb && v != 0)) _exit(99);
  saved_vectors registers(context);
  switch (bytes[3]) {
    case 0xcb:
      registers.put(d, rounds2(registers.get(d), registers.get(v), registers.get(m)));
      break;
    case 0xcc:
      registers.put(d, message1(registers.get(d), registers.get(m)));
      break;
    default:
      registers.put(d, message2(registers.get(d), registers.get(m)));
  }
  rip += 5;
  ++modelled;
}

}  // namespace

TEST_SUITE("sha512_instructions") {
  TEST_CASE("sha512/x86-sha512 with its instructions modelled") {
    if (!probe_cpu().detection.features.contains(cpu_feature::avx2)) return;
    const auto outcome = in_fresh_process([](const std::string&) {
      const machine_code code = x86::generate_sha512_sha512({});
      require(code.error == nullptr, "cannot be generated");
      executable_code loaded;
      require(!loaded.load(code, code_memory::mprotect), "no code memory");
      const auto compress =
          reinterpret_cast<compress_function<word>>(reinterpret_cast<std::uintptr_t>(loaded.entry()));

      struct sigaction action {};
      action.sa_sigaction = model;
      action.sa_flags = SA_SIGINFO;
      sigaction(SIGILL, &action, nullptr);
      std::mt19937_64 random(3);
      for (std::size_t n = 1; n <= 8; ++n) {
        std::vector<std::byte> blocks(n * 128 + 1);
        for (std::byte& b : blocks) b = static_cast<std::byte>(random());
        std::array<word, 8> expected;
        for (word& w : expected) w = random();
        auto computed = expected;
        portable<sha512_compression>(expected.data(), blocks.data() + 1, n);
        compress(computed.data(), blocks.data() + 1, n);
        require(computed == expected, "wrong for " + std::to_string(n) + " blocks");
      }
      const bool native = probe_cpu().detection.features.contains(cpu_feature::x86_sha512);
      require(native || modelled > 36 * 40, "hardly any instruction was modelled");
    });
    CHECK(outcome.failure == "");
  }
}

#endif
