# IBM Z: the big-endian one.
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(debian_architecture s390x)
set(triplet s390x-linux-gnu)
set(emulator qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake)
