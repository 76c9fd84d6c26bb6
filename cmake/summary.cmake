# What was decided, on one screen.
function(jithash_summary)
  set(built library)
  foreach(part IN ITEMS command tests examples bench)
    string(TOUPPER JITHASH_${part} option)
    if(${option})
      list(APPEND built ${part})
    endif()
  endforeach()
  list(JOIN built ", " built)

  if(jithash_jit)
    set(jit "on (${jithash_jit_reason})")
  else()
    set(jit "off: portable C++ only (${jithash_jit_reason})")
  endif()

  set(target "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    string(APPEND target ", run by ${emulator}")
  endif()

  set(sanitizers none)
  if(JITHASH_SANITIZE)
    set(sanitizers ${JITHASH_SANITIZE})
  endif()

  get_property(dependencies GLOBAL PROPERTY jithash_dependencies)
  list(REMOVE_DUPLICATES dependencies)
  list(JOIN dependencies "\n                 " dependencies)
  if(NOT dependencies)
    set(dependencies none)
  endif()

  message(STATUS "jithash ${PROJECT_VERSION}
  generated code ${jit}
  target         ${target}
  compiler       ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})
  build type     ${CMAKE_BUILD_TYPE}
  sanitizers     ${sanitizers}
  dependencies   ${dependencies}
  builds         ${built}")
endfunction()
