// The SHA-256 and SHA-512 compression functions (FIPS 180-4 sections 6.2.2 and 6.4.2) with their message
// schedule in vectors: sixteen bytes of words at a time, from AVX2 on of two blocks at once. The first
// block's rounds take the schedule along, the second's follow without it.
// Needs: SSSE3, or AVX, or AVX2 with BMI1 and BMI2, or these with AVX-512F and VL.
// Bound by the 22 operations of a round on four ALUs, 352 cycles a block of SHA-256 and 440 of SHA-512, on
// cores that issue six instructions a cycle. On those that issue four, by that: a block is 1790 and 2400
// instructions with AVX2.
//
//   registers as in sha2_rounds.hpp, and
//   rdi                  kw         K + W of the current block, on the stack
//   rsi                  blocks, then k: the constants of the rounds whose words are being made
//   vectors 0-7          w[]        the last sixteen words of the message schedule, a ring
//   vectors 8-10         temp[3]
//   vectors 11-13        swap, lower, upper, rotate8: orders of bytes, for pshufb
#include "jit/x86/kernels.hpp"
#include "jit/x86/sha2_rounds.hpp"
#include "jit/x86/vectors.hpp"

namespace jithash {
inline namespace v0 {
namespace x86 {
namespace {

constexpr std::uint8_t zero = 0x80;
// Words 0 and 2 to the lower half, or to the upper one.
constexpr std::array<std::uint8_t, 16> to_lower{0,    1,    2,    3,    8,    9,    10,   11,
                                                zero, zero, zero, zero, zero, zero, zero, zero};
constexpr std::array<std::uint8_t, 16> to_upper{zero, zero, zero, zero, zero, zero, zero, zero,
                                                0,    1,    2,    3,    8,    9,    10,   11};
// rotr(x, 8) of 64-bit words.
constexpr std::array<std::uint8_t, 16> long_rotate8{1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8};

template <class Compression, vector_level Level>
class sha2_vector {
  using vec = vectors<Level, typename Compression::word>;
  using reg = typename vec::reg;
  using rounds = sha2_rounds<Compression, (Level >= vector_level::avx2), interleaver>;
  static constexpr bool wide = rounds::word_size == 8, two_blocks = vec::lanes == 2;
  static constexpr unsigned ring = 16 / vec::words;
  // Bytes of K + W on the stack: of sixteen rounds, and of all that are kept. One block needs sixteen rounds'
  // ahead, a second block all of them.
  static constexpr std::int32_t turn = ring * vec::size, kept = two_blocks ? rounds::count / 16 * turn : turn;
  // Behind that what has no register.
  static constexpr std::int32_t state = kept + vec::slack, blocks = state + 8, end = state + 16,
                                kw_end = state + 24;

 public:
  static constexpr unsigned block_shift = wide ? 7 : 6;
  static constexpr frame_needs needs{
      .general = rounds::registers, .vector = 0x3fff, .stack = state + 32, .avx = two_blocks};

  explicit sha2_vector(block_emitter& e) noexcept
      : e_(e), a_(e.a), out_(e.a), vec_(out_), rounds_(out_), k_(e.constant(Compression::k)) {}

  void load_state() noexcept {
    a_.mov(e_.stack(state), e_.state);
    a_.mov(e_.stack(end), e_.end);
    rounds_.load(e_.state);
    vec::align_stack(e_, kw);
    if (two_blocks) {
      a_.lea(scratch, ptr(kw, kept));
      a_.mov(e_.stack(kw_end), scratch);
    }
    load_order(swap, wide ? long_byte_swap : word_byte_swap);
    if constexpr (vec::has_rotate) {
    } else if constexpr (wide) {
      load_order(rotate8, long_rotate8);
    } else {
      load_order(lower, to_lower);
      load_order(upper, to_upper);
    }
    out_.flush();
  }

  void compress_block() noexcept {
    load_message();
    const asmjit::Label scheduled = e_.new_label(), plain = e_.new_label(), done = e_.new_label();
    rounds_.begin();
    a_.bind(scheduled);
    for (unsigned i = 0; i < ring; ++i) {
      schedule(i);
      out_.spread(vec::words * rounds::instructions_a_round);
      for (unsigned t = 0; t < vec::words; ++t) round(vec::words * i + t);
      out_.flush();
    }
    a_.add(k, rounds::offset(16));
    if (two_blocks) a_.add(kw, turn);
    a_.lea(scratch, ptr(k_, rounds::offset(rounds::count)));
    a_.cmp(k, scratch);
    a_.jne(scheduled);

    a_.bind(plain);
    for (unsigned t = 0; t < 16; ++t) round(t);
    if (two_blocks) {
      a_.add(kw, turn);
      a_.cmp(kw, e_.stack(kw_end));
      a_.jb(plain);
    }
    rounds_.end();
    a_.mov(scratch, e_.stack(state));
    rounds_.feed_forward(scratch);

    a_.mov(e_.blocks, e_.stack(blocks));
    a_.mov(e_.end, e_.stack(end));
    if (two_blocks) {
      a_.sub(kw, kept);
      a_.xor_(kw, vec::second_lane);
      a_.test(kw.r32(), vec::second_lane);
      a_.jz(done);  // that was the second
      a_.lea(scratch, ptr(e_.blocks, 1 << block_shift));
      a_.cmp(scratch, e_.end);
      a_.je(done);
      a_.mov(e_.stack(blocks), scratch);
      rounds_.begin();
      a_.jmp(plain);
      a_.bind(done);
    }
  }

  void store_state() noexcept {}

 private:
  static constexpr Gp kw = rdi, k = rsi, scratch = r15;
  static constexpr reg temp[3] = {vec::nth(8), vec::nth(9), vec::nth(10)}, swap = vec::nth(11),
                       rotate8 = vec::nth(12), lower = vec::nth(12), upper = vec::nth(13);
  static constexpr reg w(unsigned i) noexcept { return vec::nth(i % ring); }

  void load_order(reg to, const std::array<std::uint8_t, 16>& order) noexcept {
    vec_.constant(to, ptr(e_.constant(order)));
  }

  void round(unsigned t) noexcept {
    const unsigned i = t / vec::words;
    const std::int32_t at = static_cast<std::int32_t>(i) * vec::size + rounds::offset(t % vec::words);
    rounds_.round(t, [&](const Gp& h) { out_.add(h, ptr(kw, at)); });
  }

  // W[0..15] of this block, and of the next if there is one.
  void load_message() noexcept {
    a_.mov(e_.stack(blocks), e_.blocks);
    if (two_blocks) {
      a_.lea(scratch, ptr(e_.blocks, 1 << block_shift));
      a_.cmp(scratch, e_.end);
      a_.cmove(scratch, e_.blocks);
    }
    for (unsigned i = 0; i < ring; ++i) {
      const auto at = static_cast<std::int32_t>(16 * i);
      vec_.load(w(i), ptr(e_.blocks, at), ptr(scratch, at));
      vec_.permute_bytes(w(i), w(i), swap);
      put(i, ptr(k_, at), 0);
    }
    out_.flush();
    a_.lea(k, ptr(k_, rounds::offset(16)));
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16] of a vector of t.
  void schedule(unsigned i) noexcept {
    const reg to = w(i), newest = w(i + ring - 1), x = temp[0], sigma = temp[1];
    const auto& r = Compression::amounts;
    vec_.align(x, w(i + 1), to, rounds::word_size);
    if constexpr (wide) {
      vec_.sigma(sigma, x, temp[2], r.sigma0, rotate8);
    } else {
      vec_.sigma(sigma, x, temp[2], r.sigma0);
    }
    vec_.add(to, to, sigma);
    vec_.align(x, w(i + ring / 2 + 1), w(i + ring / 2), rounds::word_size);
    vec_.add(to, to, x);
    if constexpr (wide) {
      vec_.copy(x, newest);
      vec_.sigma(sigma, x, temp[2], r.sigma1);
      vec_.add(to, to, sigma);
    } else if constexpr (vec::has_rotate) {  // sigma1(0) is 0
      vec_.shr_bytes(x, newest, 8);
      vec_.sigma(sigma, x, temp[2], r.sigma1);
      vec_.add(to, to, sigma);
      vec_.shl_bytes(x, to, 8);
      vec_.sigma(sigma, x, temp[2], r.sigma1);
      vec_.add(to, to, sigma);
    } else {
      add_sigma1_of_two(to, newest, 0xfa, lower);
      add_sigma1_of_two(to, to, 0x50, upper);
    }
    put(i, ptr(k, static_cast<std::int32_t>(16 * i)), two_blocks ? turn : 0);
  }

  // sigma1 of the two words that `doubled` picks, each twice: a shift of 64 bits rotates the lower one.
  void add_sigma1_of_two(reg to, reg from, unsigned doubled, reg place) noexcept {
    const auto& r = Compression::amounts.sigma1;
    const reg x = temp[0], sigma = temp[1];
    vec_.permute32(x, from, doubled);
    vec_.shr(sigma, x, r[2]);
    vec_.shr64(x, x, r[0]);
    vec_.xor_(sigma, sigma, x);
    vec_.shr64(x, x, r[1] - r[0]);
    vec_.xor_(sigma, sigma, x);
    vec_.permute_bytes(sigma, sigma, place);
    vec_.add(to, to, sigma);
  }

  // K + W to where the rounds read it.
  void put(unsigned i, const Mem& k_of_i, std::int32_t ahead) noexcept {
    vec_.add_constant(temp[0], w(i), k_of_i);
    vec_.store(ptr(kw, static_cast<std::int32_t>(i) * vec::size + ahead), temp[0]);
  }

  block_emitter& e_;
  Assembler& a_;
  interleaver out_;
  vec vec_;
  rounds rounds_;
  asmjit::Label k_;
};

template <class Compression, vector_level Level>
machine_code generate(const generator_options& options) noexcept {
  return generate_block_function<sha2_vector<Compression, Level>>(options);
}

}  // namespace

machine_code generate_sha256_avx512(const generator_options& options) noexcept {
  return generate<sha256_compression, vector_level::avx512>(options);
}
machine_code generate_sha256_avx2(const generator_options& options) noexcept {
  return generate<sha256_compression, vector_level::avx2>(options);
}
machine_code generate_sha256_avx(const generator_options& options) noexcept {
  return generate<sha256_compression, vector_level::avx>(options);
}
machine_code generate_sha256_ssse3(const generator_options& options) noexcept {
  return generate<sha256_compression, vector_level::ssse3>(options);
}
machine_code generate_sha512_avx512(const generator_options& options) noexcept {
  return generate<sha512_compression, vector_level::avx512>(options);
}
machine_code generate_sha512_avx2(const generator_options& options) noexcept {
  return generate<sha512_compression, vector_level::avx2>(options);
}
machine_code generate_sha512_avx(const generator_options& options) noexcept {
  return generate<sha512_compression, vector_level::avx>(options);
}
machine_code generate_sha512_ssse3(const generator_options& options) noexcept {
  return generate<sha512_compression, vector_level::ssse3>(options);
}

}  // namespace x86
}  // namespace v0
}  // namespace jithash
