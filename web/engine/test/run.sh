#!/bin/sh
# Tests the engine in WebAssembly with Node.
#   run.sh [--native SERVICE_TOOL]     the native program that answers are compared with (tests/service_tool.cc)
# Exits with 77, and says why, if there is nothing to test.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = --native ]; then
  CONPOLE_SERVICE_TOOL=$(realpath "$2")
  export CONPOLE_SERVICE_TOOL
fi
export CONPOLE_ENGINE="${CONPOLE_ENGINE:-$here/../../../build-wasm/web/engine}"
if [ ! -e "$CONPOLE_ENGINE/conpole.wasm" ]; then
  echo "left out: the engine in WebAssembly is not built (cmake --preset wasm && cmake --build --preset wasm; needs emscripten)"
  exit 77
fi
if ! command -v node > /dev/null; then
  echo "left out: Node.js is not installed, which runs the engine in WebAssembly"
  exit 77
fi
# Explicit names, since Node 20 and 22 differ in what they make of a folder.
exec node --test "$here/engine.test.mjs" "$here/native.test.mjs" "$here/package.test.mjs"
