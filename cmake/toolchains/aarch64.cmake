# 64-bit Arm, with every extension that qemu knows.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(debian_architecture arm64)
set(triplet aarch64-linux-gnu)
set(emulator qemu-aarch64 -cpu max)
set(JITHASH_TEST_CPUS cortex-a53 cortex-a72 neoverse-n1)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
