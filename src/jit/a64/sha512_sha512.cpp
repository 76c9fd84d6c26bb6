// The SHA-512 compression function (FIPS 180-4 section 6.4.2) with the SHA512 extension.
// Needs: SHA512. Bound by the chain of 40 times sha512h, add, ext: 6 cycles on Neoverse cores, 240 of the 242
// a block takes there.
//
//   v0-7       w[8]     the last sixteen words of the message schedule, two each, a ring
//   v8-15      k[8]     eight pairs of round constants: four in use, four on their way
//   v16-20     v[5]     ab, cd, room for the next ef, ef, gh; the earlier letter in the lower word.
//                       They change places every two rounds, which the round loop follows by permuting the handles
//   v21-24     saved    the state before the block, for the feed-forward
//   v25-27     temp[3]
//   x3         cursor   over the round constants
#include "jit/a64/block_function.hpp"
#include "jit/a64/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace a64 {
namespace {

class sha512_sha512 {
 public:
  static constexpr frame_needs needs{.general = mask_of(x3), .vector = 0x0fffffff};

  explicit sha512_sha512(block_emitter& e) noexcept : e_(e), a_(e.a), constants_(e.constant(sha512_k)) {}

  void load_state() noexcept {
    a_.ldp(one.v[0].q(), one.v[1].q(), ptr(e_.state));
    a_.ldp(one.v[3].q(), one.v[4].q(), ptr(e_.state, 32));
  }

  void compress_block() noexcept {
    a_.adr(cursor, constants_);
    load_constants(0);
    load_words(one);
    for (unsigned i = 0; i < 40; ++i) {
      if (i % 4 == 0 && i < 36) load_constants(i + 4);
      two_rounds(one, i);
    }
    feed_forward(one);
    a_.subs(e_.count, e_.count, 1);
  }

  void store_state() noexcept {
    a_.stp(one.v[0].q(), one.v[1].q(), ptr(e_.state));
    a_.stp(one.v[3].q(), one.v[4].q(), ptr(e_.state, 32));
  }

 private:
  /// The registers of one message.
  struct stream {
    Vec w[8], v[5], saved[5], temp[3];
  };
  static constexpr stream one{
      {q0, q1, q2, q3, q4, q5, q6, q7}, {q16, q17, q18, q19, q20}, {q21, q22, {}, q23, q24}, {q25, q26, q27}};
  static constexpr Vec k[8] = {q8, q9, q10, q11, q12, q13, q14, q15};
  static constexpr Gp cursor = x3;

  // K[t..t+7], t = 2i.
  void load_constants(unsigned i) noexcept {
    const unsigned to = i % 8;
    a_.ld1(k[to].d2(), k[to + 1].d2(), k[to + 2].d2(), k[to + 3].d2(), ptr_post(cursor, 64));
  }

  void load_words(const stream& s) noexcept {
    for (unsigned i = 0; i < 8; i += 4) {
      a_.ld1(s.w[i].b16(), s.w[i + 1].b16(), s.w[i + 2].b16(), s.w[i + 3].b16(), ptr_post(e_.blocks, 64));
    }
    for (const Vec& words : s.w) a_.rev64(words.b16(), words.b16());
    for (const unsigned i : {0u, 1u, 3u, 4u}) a_.mov(s.saved[i].b16(), s.v[i].b16());
  }

  // Rounds t = 2i and t+1.
  void two_rounds(const stream& s, unsigned i) noexcept {
    const auto at = [&](unsigned n) { return s.v[(n + 40 - i) % 5]; };
    const Vec ab = at(0), cd = at(1), next_ef = at(2), ef = at(3), gh = at(4);
    const Vec kw = s.temp[0], fg = s.temp[1], de = s.temp[2];
    a_.add(kw.d2(), s.w[i % 8].d2(), k[i % 8].d2());
    a_.ext(kw.b16(), kw.b16(), kw.b16(), 8);  // the word of round t belongs to h, the higher one
    a_.ext(fg.b16(), ef.b16(), gh.b16(), 8);
    a_.ext(de.b16(), cd.b16(), ef.b16(), 8);
    a_.add(gh.d2(), gh.d2(), kw.d2());
    a_.sha512h(gh.q(), fg.q(), de.d2());  // T1 of both rounds
    a_.add(next_ef.d2(), cd.d2(), gh.d2());
    a_.sha512h2(gh.q(), cd.q(), ab.d2());  // the next ab
    if (i < 32) schedule(s, i);
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], t = 2i+16 and the next, in the place of
  // the last.
  void schedule(const stream& s, unsigned i) noexcept {
    const auto w = [&](unsigned n) { return s.w[(i + n) % 8]; };
    const Vec middle = s.temp[0];
    a_.sha512su0(w(0).d2(), w(1).d2());
    a_.ext(middle.b16(), w(4).b16(), w(5).b16(), 8);  // W[t-7], W[t-6]
    a_.sha512su1(w(0).d2(), w(7).d2(), middle.d2());
  }

  void feed_forward(const stream& s) noexcept {
    for (const unsigned i : {0u, 1u, 3u, 4u}) a_.add(s.v[i].d2(), s.v[i].d2(), s.saved[i].d2());
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label constants_;
};

}  // namespace

machine_code generate_sha512_sha512(const generator_options&) noexcept {
  return generate_block_function<sha512_sha512>();
}

}  // namespace a64
}  // namespace v0
}  // namespace jithash
