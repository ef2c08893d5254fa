# shellcheck shell=bash
# Configuring and building a preset, quietly. Sourced by ./run and ./test, with the repository root as working directory.

# quietly COMMAND...: runs it without input; its output appears, on standard error, only if it fails.
quietly() {
  local output status=0
  output=$("$@" </dev/null 2>&1) || status=$?
  if ((status != 0)); then
    printf '%s\n' "$output" >&2
    echo "failed (status $status): $*" >&2
  fi
  return "$status"
}

# The folder of a preset, as CMakePresets.json has it.
build_dir_of() {
  case "$1" in
    release) echo build ;;
    *) echo "build-$1" ;;
  esac
}

# cache_has DIR ENTRY: whether the folder was configured so.
cache_has() { grep -qxF "$2" "$1/CMakeCache.txt" 2>/dev/null; }

# Whether the package is installed; what CMake finds elsewhere it finds when it configures.
has_torch() { [[ -n $(compgen -G "/usr/lib/*/libtorch.so" || true) ]]; }

# build_preset PRESET TARGET [-DNAME=VALUE...]: configures if there is no usable build folder yet, then builds. Settings apply
# to a new folder only. Ninja notices by itself when CMake has to run again. Two at a time wait for each other, so that
# `./run ... | ./run ...` works from the start.
build_preset() {
  local preset=$1 target=$2 dir
  shift 2
  dir=$(build_dir_of "$preset")
  mkdir -p "$dir"
  (
    flock 9
    # A folder that another generator made, or that was copied here from elsewhere, is of no use.
    if [[ ! -e $dir/build.ninja ]] || ! cache_has "$dir" "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD"; then
      echo "Configuring $dir" >&2
      quietly cmake --fresh --preset "$preset" "$@" 9>&- || exit
    elif [[ $preset == release && $target == all ]] && cache_has "$dir" "CONPOLE_BUILD_TESTS:BOOL=OFF"; then
      echo "Configuring $dir with the tests" >&2
      quietly cmake --preset "$preset" 9>&- || exit
    elif cache_has "$dir" "CONPOLE_HAS_TORCH:INTERNAL=OFF" && cache_has "$dir" "CONPOLE_TORCH:STRING=AUTO" && has_torch; then
      echo "Configuring $dir with LibTorch" >&2
      quietly cmake "$dir" 9>&- || exit
    fi
    if [[ $(ninja -C "$dir" -n "$target" 2>&1) != *"no work to do"* ]]; then
      echo "Building $dir" >&2
      quietly ninja -C "$dir" "$target" 9>&- || exit
    fi
  ) 9>"$dir/.lock"
}
