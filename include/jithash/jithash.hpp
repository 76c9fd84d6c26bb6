// All of jithash's C++ interface.
#pragma once

#include "jithash/bytes.hpp"
#include "jithash/digest.hpp"
#include "jithash/file.hpp"
#include "jithash/hasher.hpp"
#include "jithash/runtime.hpp"
