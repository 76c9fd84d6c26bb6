// Which features this CPU has, by a witness that is none of the library's detectors.
#pragma once

#include "cpu_features.hpp"

/// On x86 the kernel's own list in /proc/cpuinfo, on Arm the instructions themselves: each is tried in a child
/// process, which may die of it. Without generated code, nothing: no kernel needs any. To be called while the process
/// has one thread.
[[nodiscard]] jithash::cpu_features witnessed_features();
