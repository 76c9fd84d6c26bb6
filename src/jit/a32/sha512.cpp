// The SHA-512 compression function (FIPS 180-4 section 6.4.2) on core registers, ARMv5TE to ARMv7.
// Bound by the number of instructions: a rotation of 64 bits takes four, so Sigma0 and Sigma1 are half of a
// round. The working variables are in memory, a and e in registers too; they stay in their places, and a
// round names the places anew.
//
//   the schedule                                  the rounds
//   r0-r7    W[t-16], W[t-15], W[t-2], W[t-1],    r0,r1    a
//            a ring                               r2,r3    e
//   r8,r9    W[t-7]                               r4,r5    T1, T2
//   r10,r12  temporary                            r6,r7    temporary
//   lr       compact: the place of W[t-16]        r8,r9    temporary and b ^ c, which change
//                                                 r10,r12  places every round
//                                                 lr       the place of K[t]
//
//   sp       the working variables, 64 bytes; of each, the low word comes first
//   + 64     the schedule: the last sixteen words, W[t] in place t mod 16, or all 80 of them (compact);
//            of each, the high word comes first, as in the message
#include <algorithm>
#include <array>
#include <utility>

#include "jit/a32/block_function.hpp"
#include "jit/a32/kernels.hpp"

namespace jithash {
inline namespace v0 {
namespace a32 {
namespace {

// A 64-bit value, and how it lies in memory.
struct wide {
  reg low, high;

  [[nodiscard]] constexpr reg_pair low_first() const noexcept { return {low, high}; }
  [[nodiscard]] constexpr reg_pair high_first() const noexcept { return {high, low}; }
};

class sha512_scalar {
 public:
  static constexpr unsigned block_shift = 7;
  static constexpr unsigned stack_bytes(bool compact) noexcept {
    return schedule + (compact ? 80 * 8 : 16 * 8);
  }

  sha512_scalar(encoder& emitter, frame& f, const generator_options& options) noexcept
      : e_(emitter), frame_(f), compact_(options.compact), k_(emitter.new_label()) {}

  void begin() noexcept {}

  void compress_block() noexcept {
    load_message(e_, frame_, schedule, 128, compact_);
    copy_state();
    if (compact_) {
      expand_loop();
      round_loop();
    } else {
      rounds_and_schedule();
    }
    feed_forward();
    frame_.compare_end();
  }

  void constants() noexcept {
    e_.align(8);
    e_.bind(k_);
    e_.words(sha512_k);
  }

 private:
  static constexpr unsigned schedule = 64;
  static constexpr wide a{r0, r1}, e{r2, r3}, t{r4, r5}, x{r6, r7}, word{r7, r6};
  static constexpr reg next_k = lr;

  void copy_state() noexcept {
    e_.ldr(lr, frame_.state());
    e_.mov(r12, sp);
    for (unsigned half = 0; half < 2; ++half) {
      e_.ldm(lr, reg_set::range(r0, r7), true);
      e_.stm(r12, reg_set::range(r0, r7), true);
    }
  }

  // Sixteen rounds a turn, and after all but the last one the words of the next sixteen.
  void rounds_and_schedule() noexcept {
    const label next = e_.new_label(), done = e_.new_label();
    e_.address_of(next_k, k_);
    e_.add(r12, next_k, 80 * 8);
    e_.str(r12, frame_.spare());
    e_.bind(next);
    load_variables();
    for (unsigned i = 0; i < 16; ++i) round(i);
    e_.ldr(r12, frame_.spare());
    e_.cmp(next_k, r12);
    e_.b(done, condition::eq);
    expand(16);
    e_.b(next);
    e_.bind(done);
  }

  void expand_loop() noexcept {
    const label next = e_.new_label();
    e_.add(lr, sp, schedule);
    e_.bind(next);
    expand(4);
    e_.add(lr, lr, 4 * 8);
    e_.sub(r8, lr, sp);
    e_.cmp(r8, schedule + 64 * 8);
    e_.b(next, condition::ne);
  }

  // Eight rounds bring the working variables back to their places.
  void round_loop() noexcept {
    const label next = e_.new_label();
    e_.address_of(next_k, k_);
    e_.add(r12, sp, schedule);
    e_.str(r12, frame_.spare());
    load_variables();
    e_.bind(next);
    for (unsigned i = 0; i < 8; ++i) round(i);
    e_.ldr(x.low, frame_.spare());
    e_.add(x.low, x.low, 8 * 8);
    e_.str(x.low, frame_.spare());
    e_.sub(x.high, x.low, sp);
    e_.cmp(x.high, schedule + 80 * 8);
    e_.b(next, condition::ne);
  }

  // W[i] of those in the ring, or of those from lr on.
  [[nodiscard]] address word_address(unsigned i) const noexcept {
    return compact_ ? at(lr, static_cast<int>(8 * i)) : at(sp, static_cast<int>(schedule + i % 16 * 8));
  }

  // W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16], where W[t-16] is the first of `count`
  void expand(unsigned count) noexcept {
    std::array<wide, 4> ring{{{r1, r0}, {r3, r2}, {r5, r4}, {r7, r6}}};
    constexpr wide w7{r9, r8}, temp{r10, r12};
    const unsigned first[] = {0, 1, 14, 15};
    for (unsigned i = 0; i < 4; ++i) load_pair(e_, ring[i].high_first(), word_address(first[i]));
    for (unsigned i = 0; i < count; ++i) {
      const auto [now, w15, w2, w1] = ring;
      constexpr wide s0 = temp, s1 = w7;
      load_pair(e_, w7.high_first(), word_address(i + 9));
      steps(sigma0, s0, w15, 0, 2);
      add(now, now, w7);
      for (unsigned step = 0; step < 4; ++step) {
        steps(sigma1, s1, w2, step, step + 1);
        steps(sigma0, s0, w15, step + 2, step + 3);
      }
      add(now, now, s0);
      steps(sigma1, s1, w2, 4, 6);
      if (i + 1 < count) load_pair(e_, w2.high_first(), word_address(i + 2));  // the next W[t-15]
      add(now, now, s1);
      store_pair(e_, now.high_first(), word_address(i + 16));
      std::rotate(ring.begin(), ring.begin() + 1, ring.end());
    }
  }

  // A working variable at round i.
  [[nodiscard]] static constexpr address variable(char name, unsigned i) noexcept {
    return at(sp, static_cast<int>((static_cast<unsigned>(name - 'a') - i) % 8 * 8));
  }

  void load_variables() noexcept {
    load_pair(e_, a.low_first(), variable('a', 0));
    load_pair(e_, e.low_first(), variable('e', 0));
    load_pair(e_, x.low_first(), variable('b', 0));
    load_pair(e_, y_.low_first(), variable('c', 0));
    e_.eor(b_c_.low, x.low, y_.low);
    e_.eor(b_c_.high, x.high, y_.high);
  }

  // T1 = h + Sigma1(e) + Ch(e, f, g) + K[t] + W[t];  T2 = Sigma0(a) + Maj(a, b, c);
  // h = g;  g = f;  f = e;  e = d + T1;  d = c;  c = b;  b = a;  a = T1 + T2
  void round(unsigned i) noexcept {
    const wide y = y_, b_c = b_c_;
    load_word(i);
    load_pair(e_, t.low_first(), variable('h', i));
    steps(Sigma1, y, e, 0, 2);
    add(t, t, word);
    e_.ldrd(x.low, post(next_k, 8));
    steps(Sigma1, y, e, 2, 4);
    add(t, t, x);
    load_pair(e_, x.low_first(), variable('f', i));
    steps(Sigma1, y, e, 4, 6);
    add(t, t, y);
    load_pair(e_, y.low_first(), variable('g', i));
    eor(x, x, y);  // Ch(e, f, g) = ((f ^ g) & e) ^ g
    and_(x, x, e);
    eor(y, y, x);
    load_pair(e_, x.low_first(), variable('d', i));
    add(t, t, y);
    steps(Sigma0, y, a, 0, 2);
    add(e, t, x);
    load_pair(e_, x.low_first(), variable('b', i));
    steps(Sigma0, y, a, 2, 4);
    store_pair(e_, e.low_first(), variable('d', i));
    steps(Sigma0, y, a, 4, 6);
    add(t, t, y);
    eor(y, a, x);  // Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b
    and_(b_c, b_c, y);
    eor(b_c, b_c, x);
    add(a, t, b_c);
    store_pair(e_, a.low_first(), variable('h', i));
    std::swap(y_, b_c_);  // a ^ b is the next round's b ^ c
  }

  void load_word(unsigned i) noexcept {
    if (compact_) {
      e_.ldr(x.low, frame_.spare());
      load_pair(e_, word.high_first(), at(x.low, static_cast<int>(8 * i)));
    } else {
      load_pair(e_, word.high_first(), word_address(i));
    }
  }

  void feed_forward() noexcept {
    e_.ldr(lr, frame_.state());
    for (int i = 0; i < 64; i += 16) {
      e_.ldrd(r0, at(sp, i));
      e_.ldrd(r4, at(lr, i));
      e_.ldrd(r2, at(sp, i + 8));
      e_.ldrd(r6, at(lr, i + 8));
      add({r0, r1}, {r0, r1}, {r4, r5});
      add({r2, r3}, {r2, r3}, {r6, r7});
      e_.strd(r0, at(lr, i));
      e_.strd(r2, at(lr, i + 8));
    }
  }

  void add(const wide& to, const wide& n, const wide& m) noexcept {
    e_.adds(to.low, n.low, m.low);
    e_.adc(to.high, n.high, m.high);
  }
  void eor(const wide& to, const wide& n, const wide& m) noexcept {
    e_.eor(to.low, n.low, m.low);
    e_.eor(to.high, n.high, m.high);
  }
  void and_(const wide& to, const wide& n, const wide& m) noexcept {
    e_.and_(to.low, n.low, m.low);
    e_.and_(to.high, n.high, m.high);
  }

  // Two rotations to the right, and a third one or a shift, added without carry.
  struct function {
    unsigned by[3];
    bool shift;
  };
  static constexpr function Sigma0{{28, 34, 39}, false}, Sigma1{{14, 18, 41}, false}, sigma0{{1, 8, 7}, true},
      sigma1{{19, 61, 6}, true};

  // A function takes six steps, so that other work can stand between them. Each half of a rotated value has
  // bits of both halves; a rotation by 32 swaps them.
  void steps(const function& f, const wide& to, const wide& from, unsigned first, unsigned last) noexcept {
    for (unsigned step = first; step < last; ++step) {
      const unsigned by = f.by[step / 2] % 32;
      const wide source = f.by[step / 2] < 32 ? from : wide{from.high, from.low};
      if (step == 0) {
        e_.mov(to.low, lsr(source.low, by));
        e_.mov(to.high, lsr(source.high, by));
      } else if (step % 2 == 0) {
        e_.eor(to.low, to.low, lsr(source.low, by));
        e_.eor(to.high, to.high, lsr(source.high, by));
      } else {
        e_.eor(to.low, to.low, lsl(source.high, 32 - by));
        if (!(f.shift && step == 5)) e_.eor(to.high, to.high, lsl(source.low, 32 - by));
      }
    }
  }

  encoder& e_;
  frame& frame_;
  bool compact_;
  label k_;
  wide y_{r8, r9}, b_c_{r10, r12};
};

}  // namespace

machine_code generate_sha512(const generator_options& options) noexcept {
  return generate_block_function<sha512_scalar>(options);
}

}  // namespace a32
}  // namespace v0
}  // namespace jithash
