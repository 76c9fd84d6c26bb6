// The SHA-512 compression function (FIPS 180-4 section 6.4.2) with the SHA512 instructions.
// Needs: SHA512, AVX2, AVX. Bound by the chain of 40 vsha512rnds2.
//
//   ymm0       kw       W + K of four rounds; vsha512rnds2 takes two from the lower half
//   ymm1,2     abef,    the working variables, a and c in the highest word; they change places
//              cdgh     every two rounds, which the round loop follows by swapping the handles
//   ymm3-6     w[4]     the last sixteen words of the message schedule, four each, a ring
//   ymm7       temp
//   ymm8,9     saved    the state before the block, for the feed-forward
//   ymm10      swap     the byte order of a word, for vpshufb
#include "jit/x86/block_function.hpp"
#include "jit/x86/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

class sha512_sha512 {
 public:
  static constexpr unsigned block_shift = 7;
  static constexpr frame_needs needs{.vector = 0x7ff, .avx = true};

  explicit sha512_sha512(block_emitter& e) noexcept
      : e_(e), a_(e.a), k_(e.constant(sha512_k)), swap_bytes_(e.constant(long_byte_swap)) {}

  void load_state() noexcept {
    a_.vbroadcasti128(swap, ptr(swap_bytes_));
    a_.vmovdqu(temp, ptr(e_.state));      // DCBA
    a_.vmovdqu(kw, ptr(e_.state, 32));    // HGFE
    a_.vperm2i128(abef, kw, temp, 0x20);  // HGFE, DCBA -> BAFE
    a_.vperm2i128(cdgh, kw, temp, 0x31);  // HGFE, DCBA -> DCHG
    a_.vpshufd(abef, abef, swap_halves);  // BAFE -> ABEF
    a_.vpshufd(cdgh, cdgh, swap_halves);  // DCHG -> CDGH
  }

  void compress_block() noexcept {
    a_.vmovdqa(saved_abef, abef);
    a_.vmovdqa(saved_cdgh, cdgh);
    for (unsigned i = 0; i < 20; ++i) four_rounds(i);
    a_.vpaddq(abef, abef, saved_abef);
    a_.vpaddq(cdgh, cdgh, saved_cdgh);
  }

  void store_state() noexcept {
    a_.vpshufd(abef, abef, swap_halves);    // ABEF -> BAFE
    a_.vpshufd(cdgh, cdgh, swap_halves);    // CDGH -> DCHG
    a_.vperm2i128(temp, abef, cdgh, 0x31);  // BAFE, DCHG -> DCBA
    a_.vperm2i128(kw, abef, cdgh, 0x20);    // BAFE, DCHG -> HGFE
    a_.vmovdqu(ptr(e_.state), temp);
    a_.vmovdqu(ptr(e_.state, 32), kw);
  }

 private:
  static constexpr Ymm kw = ymm0, abef = ymm1, cdgh = ymm2, temp = ymm7, saved_abef = ymm8, saved_cdgh = ymm9,
                       swap = ymm10;
  static constexpr Ymm w[4] = {ymm3, ymm4, ymm5, ymm6};
  static constexpr unsigned swap_halves = 0x4e;

  // Rounds 4i to 4i+3, and what the words of later rounds can do meanwhile.
  void four_rounds(unsigned i) noexcept {
    const Ymm now = w[i % 4];
    if (i < 4) load_words(now, i);
    a_.vpaddq(kw, now, ptr(k_, static_cast<std::int32_t>(32 * i)));
    vsha512rnds2(cdgh, abef, kw);
    a_.vextracti128(kw.xmm(), kw, 1);
    if (i >= 3 && i < 19) schedule(i + 1);
    vsha512rnds2(abef, cdgh, kw);
    if (i >= 1 && i < 17) vsha512msg1(w[(i - 1) % 4], now);  // W[t-16] + sigma0(W[t-15])
  }

  // W[t..t+3] of the message, t = 4i.
  void load_words(const Ymm& to, unsigned i) noexcept {
    a_.vmovdqu(to, ptr(e_.blocks, static_cast<std::int32_t>(32 * i)));
    a_.vpshufb(to, to, swap);
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], t = 4i..4i+3; vsha512msg1 has summed the last
  // two.
  void schedule(unsigned i) noexcept {
    const Ymm to = w[i % 4], newest = w[(i - 1) % 4], before = w[(i - 2) % 4];
    a_.vpblendd(temp, before, newest, 0x03);
    a_.vpermq(temp, temp, 0x39);  // W[t-7]
    a_.vpaddq(to, to, temp);
    vsha512msg2(to, newest);
  }

  void vsha512rnds2(const Ymm& cdgh_to_abef, const Ymm& abef_to_cdgh, const Ymm& wk) noexcept {
    sha512_instruction(0xcb, cdgh_to_abef.id(), abef_to_cdgh.id(), wk.id());
  }
  void vsha512msg1(const Ymm& to, const Ymm& next) noexcept {
    sha512_instruction(0xcc, to.id(), 0, next.id());
  }
  void vsha512msg2(const Ymm& to, const Ymm& newest) noexcept {
    sha512_instruction(0xcd, to.id(), 0, newest.id());
  }

  // VEX.256.F2.0F38.W0 opcode /r, which not every asmjit knows. For registers below 8.
  void sha512_instruction(unsigned opcode, unsigned reg, unsigned vvvv, unsigned rm) noexcept {
    const std::array<std::uint8_t, 5> bytes{0xc4, 0xe2, static_cast<std::uint8_t>((~vvvv & 0xf) << 3 | 0x7),
                                            static_cast<std::uint8_t>(opcode),
                                            static_cast<std::uint8_t>(0xc0 | reg << 3 | rm)};
    a_.embed(bytes.data(), bytes.size());
  }

  block_emitter& e_;
  Assembler& a_;
  asmjit::Label k_, swap_bytes_;
};

}  // namespace

machine_code generate_sha512_sha512(const generator_options& options) noexcept {
  return generate_block_function<sha512_sha512>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
