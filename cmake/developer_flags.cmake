# JITHASH_STRICT and JITHASH_SANITIZE, for everything in this directory and below; an embedding project's own
# directories are not touched, and nothing of it is exported.
if(JITHASH_STRICT)
  add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Wno-restrict) # wrong about "literal" + std::string, GCC bug 105651
  endif()
endif()

if(JITHASH_SANITIZE)
  # A finding ends the program: a test must not pass with a report that nobody reads.
  set(sanitizer_flags -fsanitize=${JITHASH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitizer_flags})
  add_link_options(${sanitizer_flags})
endif()
