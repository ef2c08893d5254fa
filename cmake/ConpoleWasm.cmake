# What find_package() gives other builds, for Emscripten: the libraries that are only headers are the host's. They are reached
# through a folder of links, since the folder that they stand in also has the headers of the host's C library.
set(wasm_headers "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${wasm_headers}")
foreach(header IN ITEMS boost/version.hpp fmt/format.h nlohmann/json.hpp)
  get_filename_component(library "${header}" DIRECTORY)
  find_path(CONPOLE_${library}_HEADERS "${header}" PATHS /usr/local/include /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
            REQUIRED)
  file(CREATE_LINK "${CONPOLE_${library}_HEADERS}/${library}" "${wasm_headers}/${library}" SYMBOLIC)
endforeach()

foreach(target IN ITEMS Boost::headers fmt::fmt nlohmann_json::nlohmann_json)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${wasm_headers}")
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
