// The SHA-1 compression function (FIPS 180-4 section 6.1.2) with its message schedule in vectors: four words
// at a time, from AVX2 on of two blocks at once. The first block's rounds take the schedule along, the
// second's follow without it.
// Needs: SSSE3, or AVX, or AVX2 with BMI1 and BMI2, or these with AVX-512F and VL.
// Bound by the chain of the rounds, 160 cycles a block, on cores that issue six instructions a cycle. On
// those that issue four, by that: a block is 780 instructions with AVX2.
//
//   registers as in sha1_rounds.hpp, and
//   r14                  kw         K + W of the current block, on the stack
//   r15                  second     the second block
//   vectors 0-7          w[8]       the last 32 words of the message schedule, a ring
//   vectors 8,9          temp[2]
//   vector 10            swap       the byte order of a word, for pshufb
//   vector 11            k          K of the rounds whose words are being made
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha1_rounds.hpp"
#include "jit/x86/vectors.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

constexpr std::array<std::uint32_t, 16> k_vectors = [] {
  std::array<std::uint32_t, 16> k{};
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = sha1_k[i / 4];
  return k;
}();

template <vector_level Level>
class sha1_vector {
  using vec = vectors<Level, std::uint32_t>;
  using reg = typename vec::reg;
  using rounds = sha1_rounds<(Level >= vector_level::avx2), interleaver>;
  static constexpr bool two_blocks = vec::lanes == 2;
  // Bytes of K + W on the stack: one block needs sixteen rounds' ahead, a second block all of them.
  static constexpr std::int32_t kept = (two_blocks ? rounds::count : 16) / 4 * vec::size;

 public:
  static constexpr unsigned block_shift = 6;
  static constexpr frame_needs needs{.general = rounds::registers | mask_of(r14, r15),
                                     .vector = 0xfff,
                                     .stack = kept + vec::slack,
                                     .avx = two_blocks};

  explicit sha1_vector(block_emitter& e) noexcept
      : e_(e),
        a_(e.a),
        out_(e.a),
        vec_(out_),
        rounds_(out_),
        k_(e.constant(k_vectors)),
        swap_bytes_(e.constant(word_byte_swap)) {}

  void load_state() noexcept {
    rounds_.load(e_.state);
    vec::align_stack(e_, kw);
    vec_.constant(swap, ptr(swap_bytes_));
    out_.flush();
  }

  void compress_block() noexcept {
    const asmjit::Label plain = e_.new_label(), last = e_.new_label(), done = e_.new_label();
    load_message();
    rounds_.begin();
    for (unsigned i = 4; i < 20; ++i) {
      schedule(i);
      out_.spread(4 * rounds::instructions_a_round);
      for (unsigned t = 4 * i - 16; t < 4 * i - 12; ++t) round(t);
      out_.flush();
    }
    if (two_blocks) {
      a_.jmp(last);
      a_.bind(plain);
      for (unsigned t = 0; t < 64; ++t) round(t);
      a_.bind(last);
    }
    for (unsigned t = 64; t < 80; ++t) round(t);
    rounds_.feed_forward(e_.state);

    if (two_blocks) {
      a_.xor_(kw, vec::second_lane);
      a_.test(kw.r32(), vec::second_lane);
      a_.jz(done);  // that was the second
      a_.lea(second, ptr(e_.blocks, 1 << block_shift));
      a_.cmp(second, e_.end);
      a_.je(done);
      a_.mov(e_.blocks, second);
      rounds_.begin();
      a_.jmp(plain);
      a_.bind(done);
    }
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp kw = r14, second = r15;
  static constexpr reg temp[2] = {vec::nth(8), vec::nth(9)}, swap = vec::nth(10), k = vec::nth(11);
  static constexpr reg w(unsigned i) noexcept { return vec::nth(i % 8); }

  // Where round t reads its K + W.
  static Mem place(unsigned t) noexcept {
    const unsigned i = two_blocks ? t / 4 : t / 4 % 4;
    return ptr(kw, static_cast<std::int32_t>(i) * vec::size + rounds::offset(t % 4));
  }

  void round(unsigned t) noexcept {
    rounds_.round(t, [&](const Gp& e) { out_.add(e, place(t)); });
  }

  // W[0..15] of this block, and of the next if there is one.
  void load_message() noexcept {
    if (two_blocks) {
      a_.lea(second, ptr(e_.blocks, 1 << block_shift));
      a_.cmp(second, e_.end);
      a_.cmove(second, e_.blocks);
    }
    for (unsigned i = 0; i < 4; ++i) {
      const auto at = static_cast<std::int32_t>(16 * i);
      vec_.load(w(i), ptr(e_.blocks, at), ptr(second, at));
      vec_.permute_bytes(w(i), w(i), swap);
      put(i);
    }
    out_.flush();
  }

  // W[t] of t = 4i..4i+3.
  void schedule(unsigned i) noexcept {
    const reg to = w(i), x = temp[0];
    if (i < 8) {  // rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]), where the last of four needs the first
      vec_.align(to, w(i - 3), w(i - 4), 8);
      vec_.shr_bytes(x, w(i - 1), 4);
      vec_.xor3(to, w(i - 4), w(i - 2));
      vec_.xor_(to, to, x);
      vec_.shl_bytes(x, to, 12);
      vec_.rotl(to, temp[1], 1);
      vec_.rotl(x, temp[1], 2);
      vec_.xor_(to, to, x);
    } else {  // the same, put into itself: rotl2(W[t-6] ^ W[t-16] ^ W[t-28] ^ W[t-32])
      vec_.align(x, w(i - 1), w(i - 2), 8);
      vec_.xor_(to, to, w(i - 7));
      vec_.xor3(to, w(i - 4), x);
      vec_.rotl(to, temp[1], 2);
    }
    put(i);
  }

  // K + W of four rounds to the stack.
  void put(unsigned i) noexcept {
    if (i % 5 == 0) vec_.constant(k, ptr(k_, static_cast<std::int32_t>(16 * (i / 5))));
    vec_.add(temp[0], k, w(i));
    vec_.store(place(4 * i), temp[0]);
  }

  block_emitter& e_;
  Assembler& a_;
  interleaver out_;
  vec vec_;
  rounds rounds_;
  asmjit::Label k_, swap_bytes_;
};

}  // namespace

machine_code generate_sha1_avx512(const generator_options& options) noexcept {
  return generate_block_function<sha1_vector<vector_level::avx512>>(options);
}
machine_code generate_sha1_avx2(const generator_options& options) noexcept {
  return generate_block_function<sha1_vector<vector_level::avx2>>(options);
}
machine_code generate_sha1_avx(const generator_options& options) noexcept {
  return generate_block_function<sha1_vector<vector_level::avx>>(options);
}
machine_code generate_sha1_ssse3(const generator_options& options) noexcept {
  return generate_block_function<sha1_vector<vector_level::ssse3>>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
