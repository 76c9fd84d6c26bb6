// The suite "hashing": what must hold for every kernel. It runs once with what this machine chooses and once
// for each row of the registry, forced.
#pragma once

#include <string>

#include "support.hpp"

/// The compression function under test ("sha256"), or empty for all.
inline std::string function_under_test;

/// for_each_hasher() for the algorithms of the function under test.
template <class Visit>
void for_each_hasher_under_test(Visit&& visit) {
  for_each_hasher([&]<class Hasher>(const std::string& name) {
    if (function_under_test.empty() || function_of(name) == function_under_test) {
      visit.template operator()<Hasher>(name);
    }
  });
}
