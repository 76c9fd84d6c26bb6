// What must hold for every kernel, through the public interface, against OpenSSL.
#define OPENSSL_SUPPRESS_DEPRECATED  // its low-level contexts can be set to any counter
#include "hashing.hpp"

#include <doctest/doctest.h>
#include <openssl/sha.h>

#include <algorithm>

#include "algorithms.hpp"
#include "big_endian.hpp"

namespace {

// Lengths at which padding or buffering changes course, for 64-byte and 128-byte blocks.
const std::size_t edges[] = {0,   1,   55,  56,  63,  64,  65,  111, 112, 119,
                             120, 127, 128, 129, 183, 239, 240, 255, 256, 257};

// The algorithms in the order of their numbers in saved states.
const std::string saved_order[] = {"SHA1",   "SHA224",     "SHA256",    "SHA384",
                                   "SHA512", "SHA512-224", "SHA512-256"};

// A saved state written by hand from docs/saved_state.md.
template <class Hasher>
std::vector<std::byte> saved_state(int number, std::uint64_t high, std::uint64_t low,
                                   const std::vector<std::uint64_t>& words) {
  std::vector<std::byte> saved(4 + 16);
  saved[0] = std::byte{'J'};
  saved[1] = std::byte{'H'};
  saved[2] = std::byte{1};
  saved[3] = static_cast<std::byte>(number);
  jithash::store_big_endian(&saved[4], high);
  jithash::store_big_endian(&saved[12], low);
  constexpr std::size_t word_size = sizeof(typename Hasher::word);
  for (const std::uint64_t w : words) {
    for (std::size_t i = word_size; i-- > 0;) saved.push_back(static_cast<std::byte>(w >> (8 * i)));
  }
  saved.resize(saved.size() + Hasher::block_size, std::byte{0});
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::byte b : saved) sum = (sum ^ static_cast<std::uint64_t>(b)) * 1099511628211u;
  saved.resize(saved.size() + 8);
  jithash::store_big_endian(&saved[saved.size() - 8], sum);
  return saved;
}

// OpenSSL's digest of `message` after `high`:`low` bytes had led to the state `words`.
std::string openssl_goes_on(const std::string& name, std::uint64_t high, std::uint64_t low,
                            const std::vector<std::uint64_t>& words, const std::vector<std::byte>& message,
                            std::size_t digest_size) {
  unsigned char out[64];
  if (name == "SHA1") {
    SHA_CTX c;
    SHA1_Init(&c);
    SHA_LONG* const h[] = {&c.h0, &c.h1, &c.h2, &c.h3, &c.h4};
    for (std::size_t i = 0; i < 5; ++i) *h[i] = static_cast<SHA_LONG>(words[i]);
    c.Nl = static_cast<SHA_LONG>(low << 3);
    c.Nh = static_cast<SHA_LONG>(low >> 29);
    SHA1_Update(&c, message.data(), message.size());
    SHA1_Final(out, &c);
  } else if (function_of(name) == "sha256") {
    SHA256_CTX c;
    SHA256_Init(&c);
    for (std::size_t i = 0; i < 8; ++i) c.h[i] = static_cast<SHA_LONG>(words[i]);
    c.Nl = static_cast<SHA_LONG>(low << 3);
    c.Nh = static_cast<SHA_LONG>(low >> 29);
    SHA256_Update(&c, message.data(), message.size());
    SHA256_Final(out, &c);
  } else {
    SHA512_CTX c;
    SHA512_Init(&c);
    for (std::size_t i = 0; i < 8; ++i) c.h[i] = words[i];
    c.Nl = low << 3;
    c.Nh = high << 3 | low >> 61;
    SHA512_Update(&c, message.data(), message.size());
    SHA512_Final(out, &c);
  }
  return hex_of(out, digest_size);
}

}  // namespace

TEST_SUITE("hashing") {
  TEST_CASE("every length from 0 to 1024, at once and streamed") {
    const auto message = pattern(1024);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      for (std::size_t size = 0; size <= message.size(); size += (effort == 1 && size > 300 ? 7 : 1)) {
        CAPTURE(size);
        const std::string expected = openssl_hex(name.c_str(), message.data(), size);
        CHECK(Hasher::hash(message.data(), size).hex() == expected);
        Hasher streamed;
        for (std::size_t at = 0; at < size; at += 13) {
          streamed.update(message.data() + at, std::min<std::size_t>(13, size - at));
        }
        CHECK(streamed.finalize().hex() == expected);
      }
    });
  }

  TEST_CASE("two-way splits around block and padding edges") {
    const auto message = pattern(400);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      for (const std::size_t first : edges) {
        for (const std::size_t second : edges) {
          if (first + second > message.size()) continue;
          CAPTURE(first);
          CAPTURE(second);
          Hasher h;
          h.update(message.data(), first).update(message.data() + first, second);
          CHECK(h.finalize().hex() == openssl_hex(name.c_str(), message.data(), first + second));
        }
      }
    });
  }

  TEST_CASE("random splits of long messages, forked on the way") {
    const auto message = pattern(20'000);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      std::mt19937 random(2026);  // fixed: a failure can be repeated
      for (unsigned round = 0; round < 10 * effort; ++round) {
        Hasher h;
        std::size_t at = 0;
        while (at < message.size()) {
          const std::size_t part = std::min<std::size_t>(random() % 700, message.size() - at);
          h.update(message.data() + at, part);
          at += part;
          if (random() % 8 == 0) {
            Hasher fork = h;
            h.update("another way");  // must not touch the fork
            const auto otherwise = h.finalize();
            h = fork;
            CHECK(h.finalize().hex() == openssl_hex(name.c_str(), message.data(), at));
            CHECK(otherwise != h.finalize());
          }
        }
        CHECK(h.finalize().hex() == openssl_hex(name.c_str(), message.data(), at));
      }
    });
  }

  TEST_CASE("input at every alignment, between pages that cannot be read") {
    const auto message = pattern(1000);
    guarded_memory memory(4096);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      for (const std::size_t size : {1u, 63u, 64u, 65u, 127u, 128u, 129u, 256u, 500u, 1000u}) {
        CAPTURE(size);
        const std::string expected = openssl_hex(name.c_str(), message.data(), size);
        for (std::size_t offset = 0; offset < 64; ++offset) {
          std::byte* const from_start = memory.at_start() + offset;
          std::memcpy(from_start, message.data(), size);
          CHECK(Hasher::hash(from_start, size).hex() == expected);
        }
        std::byte* const to_end = memory.at_end(size);
        std::memcpy(to_end, message.data(), size);
        CHECK(Hasher::hash(to_end, size).hex() == expected);
        CHECK(Hasher().update(to_end, size).finalize().hex() == expected);
      }
    });
  }

  TEST_CASE("counters around 2^29, 2^32, 2^61 and 2^125 bytes") {
    const auto message = pattern(300);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      const bool wide = Hasher::block_size == 128;
      const int number =
          1 + static_cast<int>(std::find(std::begin(saved_order), std::end(saved_order), name) -
                               std::begin(saved_order));
      std::mt19937_64 random(5);
      struct count {
        std::uint64_t high, low;
      };
      std::vector<count> counts = {
          {0, (1u << 29) - 128}, {0, (1ull << 32) - 128}, {0, (1ull << 61) - 128 * 4}};
      if (wide) {
        counts.push_back({0, (1ull << 61) - 128});
        counts.push_back({0, ~std::uint64_t{0} - 127});
        counts.push_back({1, 0});
        counts.push_back({(1ull << 61) - 1, ~std::uint64_t{0} - 511});
      }
      for (const count& c : counts) {
        CAPTURE(c.low);
        std::vector<std::uint64_t> words(sizeof(typename Hasher::word) == 8 ? 8 : name == "SHA1" ? 5 : 8);
        for (auto& w : words) w = random();
        const auto restored = Hasher::restore(saved_state<Hasher>(number, c.high, c.low, words));
        REQUIRE(restored.has_value());
        for (const std::size_t size : {0u, 1u, 100u, 128u, 129u, 300u}) {
          Hasher h = *restored;
          h.update(message.data(), size);
          const std::vector<std::byte> part(message.begin(),
                                            message.begin() + static_cast<std::ptrdiff_t>(size));
          CHECK(h.finalize().hex() == openssl_goes_on(name, c.high, c.low, words, part, Hasher::digest_size));
        }
      }
    });
  }

  TEST_CASE("saved states go on where they stopped") {
    const auto message = pattern(700);
    for_each_hasher_under_test([&]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      for (const std::size_t at : edges) {
        Hasher h;
        h.update(message.data(), at);
        auto restored = Hasher::restore(h.save());
        REQUIRE(restored.has_value());
        restored->update(message.data() + at, message.size() - at);
        CHECK(restored->finalize().hex() == openssl_hex(name.c_str(), message.data(), message.size()));
      }
    });
  }
}
