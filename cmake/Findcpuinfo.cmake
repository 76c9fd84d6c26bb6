# Finds cpuinfo, Debian's package or an installation from source, as the imported target cpuinfo::cpuinfo.
#
# cpuinfo's own config package is not used: Debian's names a library that is not where it says, and a broken
# imported file is an error that ends the configuration, not a "not found".
#
# Sets cpuinfo_FOUND, cpuinfo_LIBRARY and cpuinfo_INCLUDE_DIR.
find_library(cpuinfo_LIBRARY cpuinfo)

# The header reads fields of the library's memory by offset: the one beside the library, before any other.
if(cpuinfo_LIBRARY)
  cmake_path(GET cpuinfo_LIBRARY PARENT_PATH cpuinfo_library_dir)
  find_path(cpuinfo_INCLUDE_DIR cpuinfo.h HINTS ${cpuinfo_library_dir}/../include
                                                ${cpuinfo_library_dir}/../../include)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cpuinfo REQUIRED_VARS cpuinfo_LIBRARY cpuinfo_INCLUDE_DIR)
mark_as_advanced(cpuinfo_LIBRARY cpuinfo_INCLUDE_DIR)

if(cpuinfo_FOUND AND NOT TARGET cpuinfo::cpuinfo)
  add_library(cpuinfo::cpuinfo UNKNOWN IMPORTED)
  set_target_properties(cpuinfo::cpuinfo PROPERTIES IMPORTED_LOCATION ${cpuinfo_LIBRARY}
                                                    INTERFACE_INCLUDE_DIRECTORIES ${cpuinfo_INCLUDE_DIR})
  # The static library leaves pthread_once to its user.
  find_package(Threads REQUIRED)
  target_link_libraries(cpuinfo::cpuinfo INTERFACE Threads::Threads)
endif()
