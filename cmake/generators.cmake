# The generators of each architecture, and which of them this build's library has.
set(jithash_x86_generators
    src/jit/x86/sha1_scalar.cpp
    src/jit/x86/sha1_shani.cpp
    src/jit/x86/sha1_vector.cpp
    src/jit/x86/sha256_shani.cpp
    src/jit/x86/sha2_scalar.cpp
    src/jit/x86/sha2_vector.cpp
    src/jit/x86/sha512_sha512.cpp)
set(jithash_a64_generators
    src/jit/a64/sha1_neon.cpp
    src/jit/a64/sha1_scalar.cpp
    src/jit/a64/sha1_sha1.cpp
    src/jit/a64/sha256_neon.cpp
    src/jit/a64/sha256_sha2.cpp
    src/jit/a64/sha2_scalar.cpp
    src/jit/a64/sha512_neon.cpp
    src/jit/a64/sha512_sha512.cpp)
set(jithash_a32_generators
    src/jit/a32/encoder.cpp
    src/jit/a32/sha1.cpp
    src/jit/a32/sha1_neon.cpp
    src/jit/a32/sha1_sha1.cpp
    src/jit/a32/sha256.cpp
    src/jit/a32/sha256_neon.cpp
    src/jit/a32/sha256_sha2.cpp
    src/jit/a32/sha512.cpp
    src/jit/a32/sha512_neon.cpp)

# An architecture without generators is portable C++ by itself, without asmjit and cpuinfo.
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
set(jithash_architecture "")
if(processor MATCHES "^(x86_64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(jithash_architecture x86)
elseif(processor MATCHES "^(aarch64|arm64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(jithash_architecture a64)
elseif(processor MATCHES "^(arm|aarch64$)" AND CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_CXX_BYTE_ORDER STREQUAL LITTLE_ENDIAN)
  # Also in a 32-bit system on a 64-bit CPU.
  set(jithash_architecture a32)
endif()

if(NOT JITHASH_JIT)
  set(jithash_jit 0)
  set(jithash_jit_reason "JITHASH_JIT=OFF")
elseif(NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
  set(jithash_jit 0)
  set(jithash_jit_reason "no code memory on ${CMAKE_SYSTEM_NAME} yet")
elseif(jithash_architecture STREQUAL "")
  set(jithash_jit 0)
  set(jithash_jit_reason "no generators for ${CMAKE_SYSTEM_PROCESSOR}")
else()
  set(jithash_jit 1)
  set(jithash_jit_reason "${jithash_architecture}")
endif()

# 32-bit Arm has an encoder of its own.
set(jithash_asmjit ${jithash_jit})
if(jithash_architecture STREQUAL a32)
  set(jithash_asmjit 0)
endif()
