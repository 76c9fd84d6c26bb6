# 32-bit Arm from ARMv7 on, hardware floating point.
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(debian_architecture armhf)
set(triplet arm-linux-gnueabihf)
set(emulator qemu-arm -cpu cortex-a9)
set(JITHASH_TEST_CPUS cortex-a7 cortex-a8 cortex-a15 max)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
