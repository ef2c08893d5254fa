# Installation, the CMake package and the pkg-config file. find_package(conpole) gives conpole::conpole, the libraries below it, and
# conpole_MODELS, the folder of the trained models; pkg-config has the same as conpole and its variable modelsdir.
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
set(CONPOLE_MODELS "${CMAKE_INSTALL_DATADIR}/conpole/models")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION ${CONPOLE_MODELS})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments/" DESTINATION "${CMAKE_INSTALL_DATADIR}/conpole/experiments"
        FILES_MATCHING PATTERN "*.py")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT conpoleTargets NAMESPACE conpole:: DESTINATION ${package_dir})
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/conpoleConfig.cmake.in" "${PROJECT_BINARY_DIR}/conpoleConfig.cmake"
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CONPOLE_MODELS)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/conpoleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/conpoleConfig.cmake" "${PROJECT_BINARY_DIR}/conpoleConfigVersion.cmake"
        DESTINATION ${package_dir})

# A library comes before those that it uses.
set(CONPOLE_PC_LIBRARIES "")
foreach(library IN LISTS libraries)
  string(PREPEND CONPOLE_PC_LIBRARIES "-l${library} ")
endforeach()
string(STRIP "${CONPOLE_PC_LIBRARIES}" CONPOLE_PC_LIBRARIES)
# From where the file is installed, so that the whole tree can be moved.
file(RELATIVE_PATH CONPOLE_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" CONPOLE_PC_TO_PREFIX "${CONPOLE_PC_TO_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/conpole.pc.in" "${PROJECT_BINARY_DIR}/conpole.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/conpole.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
