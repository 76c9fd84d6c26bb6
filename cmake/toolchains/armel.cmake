# 32-bit Arm from ARMv5 on: run as an ARM926.
set(CMAKE_SYSTEM_PROCESSOR armv5tel)
set(debian_architecture armel)
set(triplet arm-linux-gnueabi)
set(emulator qemu-arm -cpu arm926)
set(JITHASH_TEST_CPUS arm1176)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
