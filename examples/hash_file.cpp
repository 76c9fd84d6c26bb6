// Hashes the files it is given, as sha256sum would.
#include <cstdio>

#include "jithash/jithash.hpp"

int main(int argc, char** argv) {
  int exit_code = 0;
  for (int i = 1; i < argc; ++i) {
    const auto result = jithash::hash_file<jithash::sha256>(argv[i]);
    if (result.error) {
      std::fprintf(stderr, "%s: %s\n", argv[i], result.error.message().c_str());
      exit_code = 1;
    } else {
      std::printf("%s  %s\n", result.digest.hex().c_str(), argv[i]);
    }
  }
  return exit_code;
}
