# How tests enter ctest, from whichever directory they come.
set(JITHASH_TEST_PREFIX "" CACHE STRING "What the names of the tests begin with")
option(JITHASH_TEST_SLOW "Run also what takes long and says much the same for each compiler" ON)
option(JITHASH_TEST_TIDY "Run also clang-tidy, over what this build compiles" OFF)
string(REGEX REPLACE "/$" "" test_leg "${JITHASH_TEST_PREFIX}")

# Sanitizers and emulation take many times as long; a hanging test still has to end.
set(test_timeout 300)
if(JITHASH_SANITIZE OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(test_timeout 900)
endif()

# jithash_add_test(<name> COMMAND <command>...): a ctest entry that carries the name of its leg.
function(jithash_add_test name)
  add_test(NAME ${JITHASH_TEST_PREFIX}${name} ${ARGN})
  set_tests_properties(${JITHASH_TEST_PREFIX}${name} PROPERTIES TIMEOUT ${test_timeout} LABELS "${test_leg}")
endfunction()
