// The SHA-256 compression function (FIPS 180-4 section 6.2.2) with the SHA2 extension.
// Needs: SHA2. Bound by the chain of 16 pairs sha256h, sha256h2: both want the results of the pair before,
// and where one pipe runs both, a pair takes the latency and one cycle: 6 on TSV110, 5 on Neoverse cores,
// which makes 96 and 80 cycles a block, and 2 for the feed-forward.
//
//   v0-3       w[4]     the last sixteen words of the message schedule, four each, a ring
//   v4,5       abcd,    the working variables, a and e in the lowest words
//              efgh
//   v6         old      abcd of the four rounds before
//   v7         kw       K + W of the coming four rounds
//   v8,9       saved    the state before the block, for the feed-forward
//   v16-31     k[16]    the round constants
#include "jit/a64/block_function.hpp"
#include "jit/a64/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha256_sha2 {
 public:
  static constexpr frame_needs needs{.general = mask_of(x3), .vector = 0xffff03ff};

  explicit sha256_sha2(block_emitter& e) noexcept : e_(e), a_(e.a), constants_(e.constant(sha256_k)) {}

  void load_state() noexcept {
    a_.adr(x3, constants_);
    for (unsigned i = 0; i < 16; i += 4) {
      a_.ld1(k[i].s4(), k[i + 1].s4(), k[i + 2].s4(), k[i + 3].s4(), ptr_post(x3, 64));
    }
    a_.ldp(one.abcd.q(), one.efgh.q(), ptr(e_.state));
  }

  void compress_block() noexcept {
    a_.ld1(one.w[0].b16(), one.w[1].b16(), one.w[2].b16(), one.w[3].b16(), ptr_post(e_.blocks, 64));
    begin(one);
    for (unsigned i = 0; i < 16; ++i) four_rounds(one, i);
    feed_forward(one);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept { a_.stp(one.abcd.q(), one.efgh.q(), ptr(e_.state)); }

 private:
  /// The registers of one message.
  struct stream {
    Vec w[4], abcd, efgh, old, kw, saved_abcd, saved_efgh;
  };
  static constexpr stream one{{q0, q1, q2, q3}, q4, q5, q6, q7, q8, q9};
  static constexpr Vec k[16] = {q16, q17, q18, q19, q20, q21, q22, q23,
                                q24, q25, q26, q27, q28, q29, q30, q31};

  void begin(const stream& s) noexcept {
    a_.mov(s.saved_abcd.b16(), s.abcd.b16());
    a_.mov(s.saved_efgh.b16(), s.efgh.b16());
    for (const Vec& words : s.w) a_.rev32(words.b16(), words.b16());
    a_.add(s.kw.s4(), s.w[0].s4(), k[0].s4());
    a_.sha256su0(s.w[0].s4(), s.w[1].s4());
  }

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile:
  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], the last two by sha256su0.
  void four_rounds(const stream& s, unsigned i) noexcept {
    const Vec &now = s.w[i % 4], &next = s.w[(i + 1) % 4];
    a_.sha256h(s.abcd.q(), s.efgh.q(), s.kw.s4());
    a_.sha256h2(s.efgh.q(), i > 0 ? s.old.q() : s.saved_abcd.q(), s.kw.s4());
    if (i == 15) return;
    a_.add(s.kw.s4(), next.s4(), k[i + 1].s4());
    a_.mov(s.old.b16(), s.abcd.b16());
    if (i < 12) a_.sha256su1(now.s4(), s.w[(i + 2) % 4].s4(), s.w[(i + 3) % 4].s4());
    if (i < 11) a_.sha256su0(next.s4(), s.w[(i + 2) % 4].s4());
  }

  void feed_forward(const stream& s) noexcept {
    a_.add(s.abcd.s4(), s.abcd.s4(), s.saved_abcd.s4());
    a_.add(s.efgh.s4(), s.efgh.s4(), s.saved_efgh.s4());
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label constants_;
};

}  // namespace

machine_code generate_sha256_sha2(const generator_options&) noexcept {
  return generate_block_function<sha256_sha2>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
