// A stream that is looked at on the way, forked, put aside as bytes, and taken up again.
#include <cstdio>

#include "jithash/jithash.hpp"

int main() {
  jithash::sha256 stream;
  stream.update("The quick brown fox ").update("jumps over ");

  jithash::sha256 another_end = stream;  // a copy is a fork
  another_end.update("the lazy cog");

  const auto saved = stream.save();  // may go to a file or another machine
  auto resumed = jithash::sha256::restore(saved);
  if (!resumed) return 1;
  resumed->update("the lazy dog");

  std::printf("so far: %s\n", stream.finalize().hex().c_str());
  std::printf("dog:    %s\n", resumed->finalize().hex().c_str());
  std::printf("cog:    %s\n", another_end.finalize().hex().c_str());
  return resumed->finalize() == jithash::sha256::hash("The quick brown fox jumps over the lazy dog") ? 0 : 1;
}
