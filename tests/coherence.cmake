# cmake "-DTRACER=<emulator> -strace" -DPROGRAM=<program> -DNM=<nm> -DLIBRARY=<library> -P coherence.cmake
#
# What emulation cannot show by its digests: that every core fetches new code only after it was made coherent. PROGRAM,
# whose system calls TRACER tells, generates two kernels or more; right behind each page that becomes executable come
# membarrier's registration (64) and, unless that is refused, SYNC_CORE (32), and LIBRARY maintains the caches. No page is
# writable then.
separate_arguments(TRACER UNIX_COMMAND "${TRACER}")
execute_process(
  COMMAND ${TRACER} ${PROGRAM}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE trace
  ERROR_VARIABLE trace)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed: ${result}")
endif()
set(executable "mprotect[^\n]*PROT_EXEC\\|PROT_READ\\) = 0\n")
string(REGEX MATCHALL "${executable}" pages "${trace}")
set(synchronised "[0-9]+ membarrier\\(64,0,[^\n]*( = -1 |= 0\n[0-9]+ membarrier\\(32,0,)")
string(REGEX MATCHALL "${executable}${synchronised}" coherent "${trace}")
list(LENGTH pages pages)
list(LENGTH coherent coherent)
if(pages LESS 2 OR NOT pages EQUAL coherent)
  message(FATAL_ERROR "${coherent} of ${pages} pages of code are made coherent for other cores")
endif()
if(trace MATCHES "PROT_EXEC[^)\n]*PROT_WRITE")
  message(FATAL_ERROR "a page was writable and executable")
endif()

execute_process(COMMAND ${NM} --undefined-only ${LIBRARY} OUTPUT_VARIABLE symbols ERROR_QUIET)
if(NOT symbols MATCHES "U __clear_cache\n")
  message(FATAL_ERROR "nothing in ${LIBRARY} maintains the caches")
endif()
message("${pages} pages of code were made coherent")
