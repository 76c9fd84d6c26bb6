// The contracts of hasher that do not depend on the kernel.
#include "jithash/hasher.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support.hpp"

using jithash::sha1;
using jithash::sha256;
using jithash::sha512;

template <class T>
concept hashable = requires(T& x) {
  sha256::hash(x);
};

// A char buffer has no length of its own, and a number is not bytes.
static_assert(!hashable<char[8]>);
static_assert(!hashable<int>);
static_assert(!hashable<std::vector<int>>);
static_assert(!hashable<const char*>);

TEST_SUITE("hasher") {
  TEST_CASE("hashers are trivially copyable and do not throw") {
    for_each_hasher([]<class Hasher>(const std::string&) {
      static_assert(std::is_trivially_copyable_v<Hasher>);
      static_assert(std::is_nothrow_default_constructible_v<Hasher>);
      static_assert(noexcept(Hasher::hash("abc")));
      static_assert(noexcept(std::declval<Hasher&>().update("abc")));
      static_assert(noexcept(std::declval<const Hasher&>().finalize()));
      CHECK(Hasher::digest_type::size() == Hasher::digest_size);
    });
  }

  TEST_CASE("any contiguous range of bytes, and (pointer, size)") {
    const auto expected = sha256::hash("abc", 3);
    const std::string string = "abc";
    const std::string_view view = string;
    const std::vector<unsigned char> vector = {'a', 'b', 'c'};
    const std::array<std::byte, 3> array = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    const unsigned char raw[] = {'a', 'b', 'c'};
    const char unterminated[] = {'a', 'b', 'c'};
    CHECK(sha256::hash("abc") == expected);
    CHECK(sha256::hash(string) == expected);
    CHECK(sha256::hash(view) == expected);
    CHECK(sha256::hash(vector) == expected);
    CHECK(sha256::hash(array) == expected);
    CHECK(sha256::hash(raw) == expected);
    CHECK(sha256::hash(unterminated) == expected);
    CHECK(sha256::hash(std::span(vector)) == expected);
    CHECK(sha256().update(string).finalize() == expected);
    CHECK(sha256().update(string.data(), 1).update(raw + 1, 2).finalize() == expected);
    CHECK(sha256::hash("a\0c") == sha256::hash(std::string("a\0c", 3)));
  }

  TEST_CASE("updates of nothing change nothing") {
    for_each_hasher([]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      const auto empty = Hasher::hash(nullptr, 0);
      CHECK(empty == Hasher().finalize());
      CHECK(empty.hex() == openssl_hex(name.c_str(), "", 0));
      Hasher h;
      h.update(nullptr, 0).update("x").update(nullptr, 0).update("").update(jithash::bytes_view{});
      CHECK(h.finalize() == Hasher::hash("x"));
    });
  }

  TEST_CASE("finalize leaves the stream as it is; reset and wipe begin anew") {
    for_each_hasher([]<class Hasher>(const std::string& name) {
      CAPTURE(name);
      Hasher h;
      h.update("ab");
      const auto ab = h.finalize();
      CHECK(ab == h.finalize());
      CHECK(h.update("c").finalize() == Hasher::hash("abc"));
      h.reset();
      CHECK(h.update("ab").finalize() == ab);
      h.wipe();
      CHECK(h.finalize() == Hasher::hash(""));
    });
  }

  TEST_CASE("wipe leaves none of the message") {
    sha256 h;
    const std::string secret(60, 'S');
    h.update(secret);
    h.wipe();
    const auto* raw = reinterpret_cast<const unsigned char*>(&h);
    CHECK(std::count(raw, raw + sizeof h, 'S') == 0);
    sha256 fresh;
    fresh.wipe();
    CHECK(std::memcmp(&h, &fresh, sizeof h) == 0);
  }

  TEST_CASE("restore refuses another algorithm, another version, another size and every single damaged bit") {
    sha256 h;
    h.update(std::string(100, 'x'));
    const auto saved = h.save();
    REQUIRE(sha256::restore(saved).has_value());
    CHECK_FALSE(jithash::sha224::restore(saved).has_value());
    CHECK_FALSE(sha1::restore(saved).has_value());
    CHECK_FALSE(sha512::restore(saved).has_value());
    CHECK_FALSE(sha256::restore(nullptr, 0).has_value());
    CHECK_FALSE(sha256::restore(saved.data(), saved.size() - 1).has_value());
    for (std::size_t bit = 0; bit < 8 * saved.size(); ++bit) {
      auto damaged = saved;
      damaged[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
      CAPTURE(bit);
      CHECK_FALSE(sha256::restore(damaged).has_value());
    }
    std::mt19937 random(1);
    for (unsigned i = 0; i < 1000; ++i) {
      sha256::saved_type garbage;
      for (auto& b : garbage) b = static_cast<std::byte>(random());
      CHECK_FALSE(sha256::restore(garbage).has_value());
    }
  }

  TEST_CASE("saved states are the same bytes everywhere") {
    // Written out by hand from docs/saved_state.md for SHA-1 after "abc"; the checksum by another program.
    const auto saved = sha1().update("abc").save();
    CHECK(hex_of(saved.data(), saved.size()) ==
          "4a480101"
          "00000000000000000000000000000003"
          "67452301efcdab8998badcfe10325476c3d2e1f0"
          "6162630000000000000000000000000000000000000000000000000000000000"
          "0000000000000000000000000000000000000000000000000000000000000000"
          "36f1edc674b8dcb8");
  }
}
