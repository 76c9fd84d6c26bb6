// The SHA-1 compression function (FIPS 180-4 section 6.1.2) with the SHA instructions.
// Needs: SHA, SSE4.1, SSSE3; no AVX.
// Bound by the chain of 20 sha1rnds4: 6 cycles each on Zen 4, 120 cycles a block.
//
//   xmm0       abcd     the working variables, a in the highest word
//   xmm1,2     e[2]     e + W of the coming rounds, and the abcd that the e after next comes from
//   xmm3-6     w[4]     the last sixteen words of the message schedule, four each, a ring
//   xmm7,8     saved    the state before the block, for the feed-forward
//   xmm9       swap     the byte order of four words with the first in the highest place, for pshufb
#include "jit/x86/block_function.hpp"
#include "jit/x86/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

// Reverses sixteen bytes: four big-endian words, the first one highest.
constexpr std::array<std::uint8_t, 16> reverse_bytes{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

class sha1_shani {
 public:
  static constexpr unsigned block_shift = 6;
  static constexpr frame_needs needs{.vector = 0x3ff};

  explicit sha1_shani(block_emitter& emitter) noexcept
      : e_(emitter), a_(emitter.a), reverse_(emitter.constant(reverse_bytes)) {}

  void load_state() noexcept {
    a_.movdqa(swap, ptr(reverse_));
    a_.movdqu(abcd, ptr(e_.state));
    a_.pshufd(abcd, abcd, 0x1b);  // DCBA -> ABCD
    a_.movd(e[0], ptr(e_.state, 16));
    a_.pslldq(e[0], 12);  // 000E -> E000
  }

  void compress_block() noexcept {
    a_.movdqa(saved_abcd, abcd);
    a_.movdqa(saved_e, e[0]);
    for (unsigned i = 0; i < 20; ++i) four_rounds(i);
    a_.sha1nexte(e[0], saved_e);  // e is rotl30 of the a of four rounds ago
    a_.paddd(abcd, saved_abcd);
  }

  void store_state() noexcept {
    a_.pshufd(abcd, abcd, 0x1b);  // ABCD -> DCBA
    a_.movdqu(ptr(e_.state), abcd);
    a_.psrldq(e[0], 12);  // E000 -> 000E
    a_.movd(ptr(e_.state, 16), e[0]);
  }

 private:
  static constexpr Xmm abcd = xmm0, saved_abcd = xmm7, saved_e = xmm8, swap = xmm9;
  static constexpr Xmm e[2] = {xmm1, xmm2};
  static constexpr Xmm w[4] = {xmm3, xmm4, xmm5, xmm6};

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile.
  void four_rounds(unsigned i) noexcept {
    const Xmm now = w[i % 4], e_now = e[i % 2], e_next = e[(i + 1) % 2];
    if (i < 4) load_words(now, i);
    if (i == 0) {
      a_.paddd(e_now, now);
    } else {
      a_.sha1nexte(e_now, now);
    }
    a_.movdqa(e_next, abcd);
    // W[t] = rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), t = 4(i+1)..: the last of its three steps
    if (i >= 3 && i < 19) a_.sha1msg2(w[(i + 1) % 4], now);
    a_.sha1rnds4(abcd, e_now, i / 5);  // f and K of these twenty rounds
    if (i >= 1 && i < 17) a_.sha1msg1(w[(i + 3) % 4], now);
    if (i >= 2 && i < 18) a_.pxor(w[(i + 2) % 4], now);
  }

  // W[t..t+3] of the message, t = 4i.
  void load_words(const Xmm& to, unsigned i) noexcept {
    a_.movdqu(to, ptr(e_.blocks, static_cast<std::int32_t>(16 * i)));
    a_.pshufb(to, swap);
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label reverse_;
};

}  // namespace

machine_code generate_sha1_shani(const generator_options& options) noexcept {
  return generate_block_function<sha1_shani>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
