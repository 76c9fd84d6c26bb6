// The SHA-1 compression function (FIPS 180-4 section 6.1.2) in general registers.
// Needs: nothing. Bound by the integer units, or by issue where two instructions issue at a time: 12 a round.
//
//   registers as in sha1_rounds.hpp, and
//   w11          k          the round constant
//   x12-17 19 20 w[8]       the last sixteen words of the message schedule, two each, the earlier one in the
//                           lower half, a ring
//   x21          aside
//   x22          low_bits   the lowest bit of both halves
#include "jit/a64/kernels.hpp"
#include "jit/a64/sha1_rounds.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha1_scalar {
 public:
  static constexpr frame_needs needs{.general = sha1_rounds::registers | 0x7bf800};

  explicit sha1_scalar(block_emitter& e) noexcept : e_(e), a_(e.a), rounds_(e.a) {}

  void load_state() noexcept {
    rounds_.load(e_.state);
    a_.mov(low_bits, 0x100000001);
  }

  void compress_block() noexcept {
    for (unsigned i = 0; i < 8; i += 2) a_.ldp(w[i], w[i + 1], ptr_post(e_.blocks, 16));
    for (const Gp& words : w) a_.rev32(words, words);
    rounds_.begin(*this);
    for (unsigned t = 0; t < sha1_rounds::round_count; ++t) rounds_.round(t, *this);
    rounds_.feed_forward(e_.state);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {}

 private:
  friend sha1_rounds;
  static constexpr Gp w[8] = {x12, x13, x14, x15, x16, x17, x19, x20}, k = w11;
  static constexpr Gp aside = x21, low_bits = x22;

  void fetch(unsigned t) noexcept {
    if (t % 20 != 0) return;
    a_.movz(k, sha1_k[t / 20] & 0xffff);
    a_.movk(k, sha1_k[t / 20] >> 16, 16);
  }
  void add_k(unsigned, const Gp& e) noexcept { a_.add(e, e, k); }
  // The upper half of e means nothing.
  void add_w(unsigned t, const Gp& e) noexcept {
    const Gp words = w[t / 2 % 8];
    if (t % 2 == 0) {
      a_.add(e, e, words.w());
    } else {
      a_.add(e.x(), e.x(), words, lsr(32));
    }
  }

  // Over rounds t = 2i+1 and t+1, when W[2i+1] has been added: two words of the schedule,
  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), in the place of W[2i] and W[2i+1].
  void step(unsigned t, unsigned n) noexcept {
    const unsigned i = (t - 1) / 2;
    if (t == 0 || i >= 32) return;
    const auto at = [i](unsigned words) { return w[(i + words / 2) % 8]; };
    const Gp to = at(0);
    const std::tuple instructions{
        [&] { a_.eor(to, to, at(2)); },
        [&] { a_.extr(aside, at(14), at(12), 32); },
        [&] { a_.eor(to, to, at(8)); },
        [&] { a_.eor(to, to, aside); },
        [&] { a_.and_(aside, low_bits, to, lsr(31)); },
        [&] { a_.and_(to, to, ~(1ull << 31)); },
        [&] { a_.orr(to, aside, to, lsl(1)); },
    };
    call_nth(t % 2 == 1 ? n : n + 4, instructions);
  }

  block_emitter& e_;
  Assembler& a_;
  sha1_rounds rounds_;
};

}  // namespace

machine_code generate_sha1_scalar(const generator_options&) noexcept {
  return generate_block_function<sha1_scalar>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
