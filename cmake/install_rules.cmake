# cmake --install, and what find_package(jithash) needs afterwards.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/jithash)

install(TARGETS jithash EXPORT jithash)
install(DIRECTORY include/jithash TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE NOTICE docs/restricted.md docs/runtime.md docs/saved_state.md TYPE DOC)
install(EXPORT jithash DESTINATION ${package_dir} NAMESPACE jithash:: FILE jithashTargets.cmake)

configure_package_config_file(cmake/jithashConfig.cmake.in jithashConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(jithashConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/jithashConfig.cmake ${PROJECT_BINARY_DIR}/jithashConfigVersion.cmake
        DESTINATION ${package_dir})

if(jithash_jit)
  # A static library: whoever links it links asmjit and cpuinfo, and has to find them the way it did.
  install(FILES cmake/Findcpuinfo.cmake DESTINATION ${package_dir})
endif()
if(JITHASH_COMMAND)
  install(TARGETS jithash_command)
  install(FILES docs/jithash.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/jithash.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME jithash)
endif()
