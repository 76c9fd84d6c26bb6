// The SHA-1 compression function (FIPS 180-4 section 6.1.2) with the SHA1 extension.
// Needs: SHA1. Bound by the chain of 20 sha1c, sha1p and sha1m: 4 cycles each on Neoverse cores, 80 of the 83
// a block takes there. sha1h shares their pipe and would delay the chain if it came first; it comes second
// and reads a copy. A core that executes in order would wait for the copy, and then for sha1h: there it comes first.
//
//   v0-3       w[4]     the last sixteen words of the message schedule, four each, a ring
//   v4         abcd     the working variables, a in the lowest word
//   v5,22      e[2]     in the lowest word, of these four rounds and of the next, by turns
//   v6         a        of the four rounds before
//   v7         kw       K + W of the coming four rounds
//   v16-19     k[4]     the round constants, each in all four words
//   v20,21     saved    the state before the block, for the feed-forward
#include "jit/a64/block_function.hpp"
#include "jit/a64/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha1_sha1 {
 public:
  static constexpr frame_needs needs{.general = mask_of(x3), .vector = 0x007f00ff};

  sha1_sha1(block_emitter& e, const generator_options& options) noexcept
      : e_(e),
        a_(e.a),
        constants_(e.constant(sha1_k)),
        in_order_(options.features.contains(cpu_feature::in_order)) {}

  void load_state() noexcept {
    a_.adr(x3, constants_);
    a_.ld4r(k[0].s4(), k[1].s4(), k[2].s4(), k[3].s4(), ptr(x3));
    a_.ldr(one.abcd.q(), ptr(e_.state));
    a_.ldr(one.e[0].s(), ptr(e_.state, 16));
  }

  void compress_block() noexcept {
    a_.ld1(one.w[0].b16(), one.w[1].b16(), one.w[2].b16(), one.w[3].b16(), ptr_post(e_.blocks, 64));
    begin(one);
    for (unsigned i = 0; i < 20; ++i) four_rounds(one, i);
    feed_forward(one);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {
    a_.str(one.abcd.q(), ptr(e_.state));
    a_.str(one.e[0].s(), ptr(e_.state, 16));
  }

 private:
  /// The registers of one message.
  struct stream {
    Vec w[4], abcd, e[2], a, kw, saved_abcd, saved_e;
  };
  static constexpr stream one{{q0, q1, q2, q3}, q4, {q5, q22}, q6, q7, q20, q21};
  static constexpr Vec k[4] = {q16, q17, q18, q19};

  void begin(const stream& s) noexcept {
    a_.mov(s.saved_abcd.b16(), s.abcd.b16());
    a_.mov(s.saved_e.b16(), s.e[0].b16());
    for (const Vec& words : s.w) a_.rev32(words.b16(), words.b16());
    a_.add(s.kw.s4(), s.w[0].s4(), k[0].s4());
    a_.sha1su0(s.w[0].s4(), s.w[1].s4(), s.w[2].s4());
  }

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile:
  // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), the last three by sha1su0.
  void four_rounds(const stream& s, unsigned i) noexcept {
    const Vec &now = s.w[i % 4], &next = s.w[(i + 1) % 4], &e = s.e[i % 2], &next_e = s.e[(i + 1) % 2];
    if (in_order_) {
      a_.sha1h(next_e.s(), s.abcd.s());
    } else if (i > 0) {
      a_.fmov(s.a.s(), s.abcd.s());
    }
    rounds_with_f(s, e, i / 5);
    if (i < 19) a_.add(s.kw.s4(), next.s4(), k[(i + 1) / 5].s4());
    if (!in_order_) a_.sha1h(next_e.s(), i > 0 ? s.a.s() : s.saved_abcd.s());
    if (i < 16) a_.sha1su1(now.s4(), s.w[(i + 3) % 4].s4());
    if (i < 15) a_.sha1su0(next.s4(), s.w[(i + 2) % 4].s4(), s.w[(i + 3) % 4].s4());
  }

  // Four rounds with the function of the quarter: Ch, Parity, Maj, Parity.
  void rounds_with_f(const stream& s, const Vec& e, unsigned quarter) noexcept {
    if (quarter == 0) {
      a_.sha1c(s.abcd.q(), e.s(), s.kw.s4());
    } else if (quarter == 2) {
      a_.sha1m(s.abcd.q(), e.s(), s.kw.s4());
    } else {
      a_.sha1p(s.abcd.q(), e.s(), s.kw.s4());
    }
  }

  void feed_forward(const stream& s) noexcept {
    a_.add(s.abcd.s4(), s.abcd.s4(), s.saved_abcd.s4());
    a_.add(s.e[0].s4(), s.e[0].s4(), s.saved_e.s4());
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label constants_;
  bool in_order_;
};

}  // namespace

machine_code generate_sha1_sha1(const generator_options& options) noexcept {
  return generate_block_function<sha1_sha1>(options);
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
