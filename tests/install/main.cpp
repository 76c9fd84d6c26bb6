// Links and runs with nothing but jithash::jithash; the expected digest is FIPS 180-4's own example.
#include <iostream>
#include <jithash/jithash.hpp>

int main() {
  const auto digest = jithash::sha256::hash("abc").hex();
  std::cout << digest << '\n';
  return digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" ? 0 : 1;
}
