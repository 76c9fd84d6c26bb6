// A program that has generated code of its own, by the same asmjit that jithash links.
#include <asmjit/x86.h>

#include <cstdio>

#include "jithash/jithash.hpp"

int main() {
  using function = int (*)(int);
  asmjit::JitRuntime runtime;
  asmjit::CodeHolder code;
  code.init(runtime.environment());
  asmjit::x86::Assembler a(&code);
  a.lea(asmjit::x86::eax, asmjit::x86::ptr(asmjit::x86::rdi, 35));
  a.ret();
  function add_35 = nullptr;
  runtime.add(&add_35, &code);

  const bool own = add_35 != nullptr && add_35(7) == 42;
  const auto digest = jithash::sha256::hash("abc").hex();
  const bool hashed = digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  std::printf("own code %s; %s by %s\n", own ? "runs" : "fails", digest.c_str(),
              jithash::report().algorithms[1].kernel.c_str());
  return own && hashed ? 0 : 1;
}
