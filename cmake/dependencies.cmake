# jithash_find(<name> PACKAGES <Debian packages> UNLESS <option> [PKG_CONFIG | <find_package arguments>...])
#
# find_package(), or pkg-config's module of that name as PkgConfig::<name>; and where that fails an error that says
# what to install and which option does without. A target <name>::<name> that is there already is taken: an
# embedding project may bring its own.
macro(jithash_find name)
  cmake_parse_arguments(jithash_find "PKG_CONFIG" "UNLESS" "PACKAGES" ${ARGN})
  if(TARGET ${name}::${name})
    jithash_note_dependency(${name} "a target of the project that embeds jithash")
  else()
    if(jithash_find_PKG_CONFIG)
      find_package(PkgConfig QUIET)
      if(PkgConfig_FOUND)
        pkg_check_modules(${name} QUIET IMPORTED_TARGET ${name})
      endif()
    else()
      find_package(${name} QUIET ${jithash_find_UNPARSED_ARGUMENTS})
    endif()
    if(NOT ${name}_FOUND)
      list(JOIN jithash_find_PACKAGES " " jithash_find_PACKAGES)
      message(FATAL_ERROR "jithash: ${name} was not found.\n"
                          "  Debian and Ubuntu: apt-get install ${jithash_find_PACKAGES}\n"
                          "  elsewhere:         -DCMAKE_PREFIX_PATH=<where it is installed>\n"
                          "  without it:        -D${jithash_find_UNLESS}=OFF\n")
    endif()
    # Where it is: config packages, find modules and pkg-config each have their own word for it.
    string(TOUPPER ${name} jithash_find_NAME)
    set(jithash_find_PLACES ${${name}_DIR} ${${name}_LIBRARY} ${${name}_LIBDIR} ${${name}_EXECUTABLE}
                            ${${jithash_find_NAME}_INCLUDE_DIR})
    list(FILTER jithash_find_PLACES EXCLUDE REGEX NOTFOUND)
    list(GET jithash_find_PLACES 0 jithash_find_PLACE)
    jithash_note_dependency(${name} "${${name}_VERSION} ${jithash_find_PLACE}")
  endif()
endmacro()

# Remembers a line for the summary, whichever directory it comes from.
function(jithash_note_dependency name where)
  string(STRIP "${where}" where)
  set_property(GLOBAL APPEND PROPERTY jithash_dependencies "${name} ${where}")
endfunction()
