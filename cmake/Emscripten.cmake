# The toolchain file of the preset `wasm`: Emscripten's own, found through em-config, with what Debian's package leaves out.
find_program(CONPOLE_EM_CONFIG em-config)
if(NOT CONPOLE_EM_CONFIG)
  message(FATAL_ERROR "Emscripten was not found (em-config is not on the PATH). On Debian and Ubuntu: apt install emscripten")
endif()
execute_process(COMMAND "${CONPOLE_EM_CONFIG}" EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")

# Exceptions of WebAssembly itself: Chromium 95, Firefox 100, Safari 15.2 and Node 17 have them. All objects must agree.
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fwasm-exceptions")

# Emscripten's linker runs JavaScript that needs Debian's node-acorn, which only Debian's own Node.js finds by itself.
if(EXISTS /usr/share/nodejs/acorn)
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;NODE_PATH=/usr/share/nodejs")
endif()
