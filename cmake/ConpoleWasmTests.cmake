# GoogleTest for Emscripten, from the sources that Debian's googletest has; the tests run in Node and see the host's files.
# Emscripten 3.1 would fetch the module, if it did so asynchronously, and Node fetches no files.
set(CONPOLE_GOOGLETEST /usr/src/googletest CACHE PATH "The sources of GoogleTest")
set(INSTALL_GTEST OFF CACHE INTERNAL "")
set(BUILD_GMOCK OFF CACHE INTERNAL "")
set(gtest_disable_pthreads ON CACHE INTERNAL "")
add_subdirectory("${CONPOLE_GOOGLETEST}" "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
if(NOT TARGET GTest::gtest_main)
  add_library(GTest::gtest_main ALIAS gtest_main)
endif()
add_link_options(-sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1 -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0 -sTOTAL_STACK=8MB
                 "LINKER:--stack-first")
