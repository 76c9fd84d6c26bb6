#include "jithash/digest.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

using digest = jithash::digest<4>;

static_assert(std::is_trivially_copyable_v<digest>);
static_assert(sizeof(digest) == 4 && digest::size() == 4);

namespace {

digest make(unsigned a, unsigned b, unsigned c, unsigned d) {
  digest made;
  made[0] = static_cast<std::byte>(a);
  made[1] = static_cast<std::byte>(b);
  made[2] = static_cast<std::byte>(c);
  made[3] = static_cast<std::byte>(d);
  return made;
}

}  // namespace

TEST_SUITE("digest") {
  TEST_CASE("hexadecimal form") {
    CHECK(make(0x00, 0x0f, 0xa9, 0xff).hex() == "000fa9ff");
    CHECK(digest{}.hex() == "00000000");
  }

  TEST_CASE("from_hex takes both cases and round-trips every byte") {
    for (unsigned value = 0; value < 256; ++value) {
      const digest d = make(value, 255 - value, value ^ 0x5a, 0);
      CHECK(digest::from_hex(d.hex()) == d);
    }
    CHECK(digest::from_hex("DeadBEEF") == make(0xde, 0xad, 0xbe, 0xef));
  }

  TEST_CASE("from_hex refuses whatever is not exactly the digits") {
    for (const char* text :
         {"", "000fa9f", "000fa9ff0", "000fa9ff00", " 00fa9ff", "000fa9f ", "0x0fa9ff", "000fa9fg",
          "000fa9f\n", "+00fa9ff", "000fa9\xc3\xbf", "00/fa9ff", "00:fa9ff", "00@fa9ff", "00`fa9ff"}) {
      CAPTURE(text);
      CHECK_FALSE(digest::from_hex(text).has_value());
    }
    CHECK_FALSE(digest::from_hex(std::string("000fa9f\0", 8)).has_value());
  }

  TEST_CASE("equality sees every bit of every byte") {
    const digest d = make(1, 2, 3, 4);
    CHECK(d == make(1, 2, 3, 4));
    for (std::size_t i = 0; i < 4; ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        digest other = d;
        other[i] ^= static_cast<std::byte>(1u << bit);
        CHECK(d != other);
      }
    }
  }
}
