# What the cross toolchains share: Debian's cross compiler, the libraries that scripts/sysroot.sh unpacked, and
# qemu-user to run the result. The including file sets CMAKE_SYSTEM_PROCESSOR, debian_architecture, triplet and
# emulator; JITHASH_TEST_CPUS are other models of its emulator that the kernels are tested on.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator} -L /usr/${triplet})

cmake_path(SET sysroot NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/${debian_architecture})
set(CMAKE_FIND_ROOT_PATH ${sysroot} /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Debian keeps headers that differ by architecture here; the cross compiler looks for them below / only.
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${sysroot}/usr/include/${triplet})
