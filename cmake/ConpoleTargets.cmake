# How every target of the project is built: conpole_library(), conpole_executable() and conpole_test().
include(GNUInstallDirs)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  find_program(CONPOLE_CCACHE ccache)
  if(CONPOLE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CONPOLE_CCACHE}")
  endif()
endif()
if(NOT EMSCRIPTEN)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# What all our own code is compiled with; not exported to users of the package.
add_library(conpole_build_flags INTERFACE)
target_compile_features(conpole_build_flags INTERFACE cxx_std_20)
target_compile_options(conpole_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
                                                     -Wnon-virtual-dtor -Wold-style-cast $<$<NOT:$<BOOL:${CONPOLE_UNITY}>>:-Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 and 13 warn of overlaps and overflows inside the standard library and Boost that cannot happen (GCC bug 105651).
  target_compile_options(conpole_build_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                                                       -Wno-array-bounds)
endif()
if(CONPOLE_WERROR)
  target_compile_options(conpole_build_flags INTERFACE -Werror)
endif()
# A fault that writes out of bounds ends the program, instead of going on with wrong memory. Sanitizers find more. What reads what people
# write also has _GLIBCXX_ASSERTIONS; not the axioms and searches, where all these flags together cost 13 to 32% more instructions.
if(NOT EMSCRIPTEN AND NOT CONPOLE_SANITIZE)
  target_compile_options(conpole_build_flags INTERFACE -fstack-protector-strong
                                                       $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
                                                       $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  target_link_options(conpole_build_flags INTERFACE LINKER:-z,relro LINKER:-z,now)
endif()
if(CONPOLE_SANITIZE)
  target_compile_options(conpole_build_flags INTERFACE -fsanitize=${CONPOLE_SANITIZE} -fno-sanitize-recover=all
                                                       -fno-omit-frame-pointer)
  target_link_options(conpole_build_flags INTERFACE -fsanitize=${CONPOLE_SANITIZE})
  # Sanitized programs are large, and there are many of them. clang has a linker that takes less time, if it is there.
  find_program(CONPOLE_LLD NAMES ld.lld-16 ld.lld)
  if(CONPOLE_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(conpole_build_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

# conpole_unite(TARGET): with CONPOLE_UNITY, files of the target are compiled together, so that the headers and templates that take the
# compiler most of its time are read and compiled once; twenty at a time, so that no processor waits long for the last part, but all with
# CONPOLE_LEAN, which is for little work. Names in the unnamed namespaces of a target have to differ then, and names of one file may stand
# before those of another, which is no fault: shadowing is looked for in builds without CONPOLE_UNITY.
function(conpole_unite target)
  if(CONPOLE_LEAN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  elseif(CONPOLE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
  endif()
endfunction()

# conpole_alone(FILE...): files of this folder that are compiled by themselves, so that tests/tutor_counts_test.cc can count calls of their
# functions from other files.
function(conpole_alone)
  if(NOT CONPOLE_LEAN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# conpole_cold(TARGET): what does nothing that takes time is compiled quickly instead: -O1, and without any optimisation in sanitized
# builds, where compiling takes longer than testing.
function(conpole_cold target)
  if(CONPOLE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(NOT EMSCRIPTEN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
endfunction()

# conpole_operations(VARIABLE): the names of the service's operations, which the description of its API has, in its order.
function(conpole_operations variable)
  set(openapi "${PROJECT_SOURCE_DIR}/src/http/openapi.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${openapi}")
  file(STRINGS "${openapi}" paths REGEX "^    \"/v1/[a-z]+\": {$")
  list(TRANSFORM paths REPLACE "^    \"/v1/(.*)\": {$" "\\1")
  set(${variable} "${paths}" PARENT_SCOPE)
endfunction()

# conpole_languages(VARIABLE): the codes of the languages, in the order of their list.
function(conpole_languages variable)
  set(file "${PROJECT_SOURCE_DIR}/src/language/languages.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  string(JSON count LENGTH "${text}")
  math(EXPR last "${count} - 1")
  set(codes "")
  foreach(i RANGE ${last})
    string(JSON code GET "${text}" ${i} code)
    list(APPEND codes "${code}")
  endforeach()
  set(${variable} "${codes}" PARENT_SCOPE)
endfunction()

# conpole_library(NAME [INTERNAL] [COLD] SOURCES file... [LINK target...]): the library conpole_NAME (conpole::NAME) of one folder.
# What a folder may include is checked by tests/include_order_test.cc. INTERNAL ones are not installed. COLD: see conpole_cold(). In
# WebAssembly all is compiled to be small, since a page has to fetch it, but for what is HOT, where searches spend their time.
function(conpole_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNAL;COLD;HOT" "" "SOURCES;LINK")
  add_library(conpole_${name} STATIC ${arg_SOURCES})
  add_library(conpole::${name} ALIAS conpole_${name})
  set_target_properties(conpole_${name} PROPERTIES EXPORT_NAME ${name} CXX_EXTENSIONS OFF)
  target_compile_features(conpole_${name} PUBLIC cxx_std_20)
  target_include_directories(conpole_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(conpole_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(conpole_${name} PUBLIC ${arg_LINK} PRIVATE $<BUILD_INTERFACE:conpole_build_flags>)
  if(arg_COLD AND CONPOLE_SANITIZE AND name MATCHES "^(language|notation|explain|subjects|tutor)$")
    # Tests go through these so often that they would take longer than compiling.
    target_compile_definitions(conpole_${name} PRIVATE _GLIBCXX_ASSERTIONS)
  elseif(arg_COLD)
    conpole_cold(conpole_${name})
  endif()
  if(EMSCRIPTEN AND NOT arg_HOT)
    target_compile_options(conpole_${name} PRIVATE -Os)
  endif()
  conpole_unite(conpole_${name})
  if(NOT arg_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY CONPOLE_LIBRARIES conpole_${name})
  endif()
endfunction()

# conpole_part(LIBRARY NAME file...): files of a library that are compiled with options of their own, which the target
# conpole_LIBRARY_NAME has.
function(conpole_part library name)
  set(part conpole_${library}_${name})
  add_library(${part} OBJECT ${ARGN})
  set_target_properties(${part} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${part} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  get_target_property(links conpole_${library} LINK_LIBRARIES)
  target_link_libraries(${part} PRIVATE ${links})
  if(EMSCRIPTEN)
    target_compile_options(${part} PRIVATE -Os)
  endif()
  conpole_unite(${part})
  target_sources(conpole_${library} PRIVATE $<TARGET_OBJECTS:${part}>)
endfunction()

# conpole_executable(NAME SOURCES file... LINK target...)
function(conpole_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LINK} $<BUILD_INTERFACE:conpole_build_flags>)
endfunction()

# conpole_test(NAME [LONG] [UNIT] SOURCES file... LINK target...): a GoogleTest program, one ctest entry per test case. LONG ones run
# first, so that at the end no processor waits for them. UNIT ones tell nothing more of a release than of a sanitized build. What is
# tested is compiled as its users have it. The test itself runs but once, and its macros take an optimiser longer than they ever run.
function(conpole_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LONG;UNIT" "" "SOURCES;LINK")
  if(arg_UNIT AND NOT CONPOLE_UNIT_TESTS AND NOT CONPOLE_SANITIZE)
    return()
  endif()
  conpole_executable(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_compile_definitions(${name} PRIVATE CONPOLE_SHARED="${CONPOLE_SHARED}" CONPOLE_SOURCE="${PROJECT_SOURCE_DIR}")
  conpole_cold(${name})
  conpole_unite(${name})
  set(cost 0)
  if(arg_LONG)
    set(cost 1000)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 COST ${cost})
endfunction()
