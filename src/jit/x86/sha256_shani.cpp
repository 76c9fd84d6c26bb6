// The SHA-256 compression function (FIPS 180-4 section 6.2.2) with the SHA instructions.
// Needs: SHA, SSE4.1, SSSE3; no AVX, so that machines without it (Goldmont) and systems that do not enable it
// run it. Bound by the chain of 32 sha256rnds2: 4 cycles each on Zen 4, 128 of the 129 cycles a block takes.
//
//   xmm0       kw       W + K of two rounds, the implicit operand of sha256rnds2
//   xmm1,2     abef,    the working variables, a and c in the highest word; they change places
//              cdgh     every two rounds, which the round loop follows by swapping the handles
//   xmm3-6     w[4]     the last sixteen words of the message schedule, four each, a ring
//   xmm7       temp
//   xmm8,9     saved    the state before the block, for the feed-forward
//   xmm10      swap     the byte order of a word, for pshufb
#include <utility>

#include "jit/x86/block_function.hpp"
#include "jit/x86/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

class sha256_shani {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr frame_needs needs{.vector = 0x7ff};

  explicit sha256_shani(block_emitter& e) noexcept
      : e_(e), a_(e.a), k_(e.constant(sha256_k)), swap_bytes_(e.constant(word_byte_swap)) {}

  void load_state() noexcept {
    a_.movdqa(swap, ptr(swap_bytes_));
    a_.movdqu(temp, ptr(e_.state));      // DCBA
    a_.movdqu(cdgh, ptr(e_.state, 16));  // HGFE
    a_.pshufd(temp, temp, 0xb1);         // DCBA -> CDAB
    a_.pshufd(cdgh, cdgh, 0x1b);         // HGFE -> EFGH
    a_.movdqa(abef, temp);
    a_.palignr(abef, cdgh, 8);     // CDAB, EFGH -> ABEF
    a_.pblendw(cdgh, temp, 0xf0);  // EFGH, CDAB -> CDGH
  }

  void compress_block() noexcept {
    a_.movdqa(saved_abef, abef);
    a_.movdqa(saved_cdgh, cdgh);
    for (unsigned i = 0; i < 16; ++i) four_rounds(i);
    a_.paddd(abef, saved_abef);
    a_.paddd(cdgh, saved_cdgh);
  }

  void store_state() noexcept {
    a_.pshufd(abef, abef, 0x1b);  // ABEF -> FEBA
    a_.pshufd(cdgh, cdgh, 0xb1);  // CDGH -> DCHG
    a_.movdqa(temp, abef);
    a_.pblendw(temp, cdgh, 0xf0);  // FEBA, DCHG -> DCBA
    a_.palignr(cdgh, abef, 8);     // DCHG, FEBA -> HGFE
    a_.movdqu(ptr(e_.state), temp);
    a_.movdqu(ptr(e_.state, 16), cdgh);
  }

 private:
  static constexpr Xmm kw = xmm0, abef = xmm1, cdgh = xmm2, temp = xmm7, saved_abef = xmm8, saved_cdgh = xmm9,
                       swap = xmm10;
  static constexpr Xmm w[4] = {xmm3, xmm4, xmm5, xmm6};

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile.
  void four_rounds(unsigned i) noexcept {
    const Xmm now = w[i % 4];
    if (i < 4) load_words(now, i);
    a_.movdqa(kw, now);
    a_.paddd(kw, ptr(k_, static_cast<std::int32_t>(16 * i)));
    two_rounds(cdgh, abef);
    if (i >= 3 && i < 15) schedule(i + 1);
    a_.pshufd(kw, kw, 0x0e);
    two_rounds(abef, cdgh);
    if (i >= 1 && i < 13) a_.sha256msg1(w[(i - 1) % 4], now);  // W[t-16] + sigma0(W[t-15])
  }

  // W[t..t+3] of the message, t = 4i.
  void load_words(const Xmm& to, unsigned i) noexcept {
    a_.movdqu(to, ptr(e_.blocks, static_cast<std::int32_t>(16 * i)));
    a_.pshufb(to, swap);
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], t = 4i..4i+3; sha256msg1 has summed the last
  // two.
  void schedule(unsigned i) noexcept {
    const Xmm to = w[i % 4], newest = w[(i - 1) % 4], before = w[(i - 2) % 4];
    a_.movdqa(temp, newest);
    a_.palignr(temp, before, 4);  // W[t-7]
    a_.paddd(to, temp);
    a_.sha256msg2(to, newest);
  }

  void two_rounds(const Xmm& cdgh_to_abef, const Xmm& abef_to_cdgh) noexcept {
    a_.sha256rnds2(cdgh_to_abef, abef_to_cdgh, kw);
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label k_, swap_bytes_;
};

}  // namespace

machine_code generate_sha256_shani(const generator_options& options) noexcept {
  return generate_block_function<sha256_shani>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
