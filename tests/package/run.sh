#!/usr/bin/env bash
# run.sh INSTALLED WORK: builds a program against the package installed in INSTALLED, once by CMake and once by pkg-config, in the
# folder WORK, and runs both. The tree is moved in between: nothing may depend on where it was installed.
set -euo pipefail

source=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
readonly source installed=$1 work=$2

cmake -S "$source" -B "$work/build" -G Ninja "-DCMAKE_PREFIX_PATH=$installed" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer" "$installed/share/conpole/models" >"$work/by-cmake.txt"
problem=$(sed -n 's/^problem: //p' "$work/by-cmake.txt")
"$installed/bin/conpole" generate sorting --seed 7 | grep -qF "\"$problem\""

mv "$installed" "$work/moved"
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name conpole.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags are words
"${CXX:-c++}" -std=c++20 "$source/consumer.cc" -o "$work/consumer" $(pkg-config --cflags --libs conpole)
"$work/consumer" "$(pkg-config --variable=modelsdir conpole)" >"$work/by-pkg-config.txt"
diff "$work/by-cmake.txt" "$work/by-pkg-config.txt"
cat "$work/by-cmake.txt"
echo "the installed package works by CMake and by pkg-config"
