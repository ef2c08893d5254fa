# Installation, and the CMake package: find_package(conpole) gives conpole::domains and the libraries below it.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY CONPOLE_LIBRARIES)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/conpole")
install(TARGETS ${libraries} EXPORT conpoleTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET conpole)
  install(TARGETS conpole RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET conpole-torch)
  install(TARGETS conpole-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION ${CMAKE_INSTALL_DATADIR}/conpole/models)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT conpoleTargets NAMESPACE conpole:: DESTINATION ${package_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/conpoleConfig.cmake.in" "${PROJECT_BINARY_DIR}/conpoleConfig.cmake"
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/conpoleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/conpoleConfig.cmake" "${PROJECT_BINARY_DIR}/conpoleConfigVersion.cmake"
        DESTINATION ${package_dir})
