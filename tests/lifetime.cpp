// Hashing before main() and after it: in a static initialiser, in atexit handlers, in static destructors.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "jithash/jithash.hpp"

namespace {

bool right() {
  return jithash::sha256::hash("abc") ==
             jithash::sha256::digest_type::from_hex(
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") &&
         jithash::sha1::hash("abc") ==
             jithash::sha1::digest_type::from_hex("a9993e364706816aba3e25717850c26c9cd0d89d");
}

void check(const char* when) {
  if (right()) return;
  std::fprintf(stderr, "wrong digest %s\n", when);
  _exit(1);
}

struct early {
  early() { check("in a static initialiser"); }
  ~early() { check("in a static destructor"); }
};
// Before and after the library's own statics, if it had any.
__attribute__((init_priority(101))) early first;
early last;

}  // namespace

int main() {
  check("in main");
  return std::atexit([] { check("in an atexit handler"); });
}
