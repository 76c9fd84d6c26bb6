#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "fresh_process.hpp"

int main(int argc, char** argv) {
  start_fresh_processes();
  return doctest::Context(argc, argv).run();
}
