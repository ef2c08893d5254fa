# shellcheck shell=bash
# Configuring and building a preset, quietly. Sourced by ./run and ./test, with the repository root as working directory.
source scripts/progress.sh

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

# Whether LibTorch is to be left out, even where it is installed.
without_torch() { [[ ${CONPOLE_TORCH:-AUTO} == OFF ]]; }

# configure DIR HOW CMAKE ARGUMENT...: HOW completes the sentence.
configure() {
  local dir=$1 how=$2
  shift 2
  echo "Configuring $dir$how" >&2
  run_logged "$dir/configure.log" no_steps cmake "$@"
}

# The parts of the program that a command needs, of those that are left out of it until one does: serve and train, which compile longest.
wanted_parts=()

# unwanted LIST: the parts in it that no command needs so far; both lists as CMake writes them.
unwanted() {
  local part list=";$1;"
  for part in "${wanted_parts[@]}"; do list=${list/";$part;"/;}; done
  list=${list#;}
  echo "${list%;}"
}

# configure_if_needed PRESET TARGET [-DNAME=VALUE...]
configure_if_needed() {
  local preset=$1 target=$2 dir
  shift 2
  dir=$(build_dir_of "$preset")
  if without_torch; then set -- "$@" -DCONPOLE_TORCH=OFF; fi
  if [[ $preset == release && -n ${CONPOLE_UNITY:-} ]]; then set -- "$@" "-DCONPOLE_UNITY=$CONPOLE_UNITY" "-DCONPOLE_UNIT_TESTS=${CONPOLE_UNIT_TESTS:-ON}"; fi
  # A folder that another generator made, or that was copied here from elsewhere, is of no use.
  if [[ ! -e $dir/build.ninja ]] || ! cache_has "$dir" "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD"; then
    configure "$dir" "" --fresh --preset "$preset" "$@"
    return
  fi
  if [[ $preset == release && $target == all ]] && cache_has "$dir" "CONPOLE_BUILD_TESTS:BOOL=OFF"; then
    configure "$dir" " with the tests" --preset "$preset" || return
  fi
  if [[ $preset == release && $target == all && -z ${CONPOLE_UNIT_TESTS:-} ]] && cache_has "$dir" "CONPOLE_UNIT_TESTS:BOOL=OFF"; then
    configure "$dir" " with the unit tests" -DCONPOLE_UNIT_TESTS=ON "$dir" || return
  fi
  local left_out fewer=""
  left_out=$(sed -n 's/^CONPOLE_LEAVE_OUT:STRING=//p' "$dir/CMakeCache.txt")
  if [[ $target != all ]]; then fewer=$(unwanted "$left_out"); fi
  if [[ $preset == release && $fewer != "$left_out" ]]; then
    configure "$dir" " with more commands" "-DCONPOLE_LEAVE_OUT=$fewer" "$dir" || return
  fi
  if without_torch; then
    cache_has "$dir" "CONPOLE_TORCH:STRING=OFF" || configure "$dir" " without LibTorch" -DCONPOLE_TORCH=OFF "$dir"
  elif [[ $preset == release && $target == all ]] && cache_has "$dir" "CONPOLE_TORCH:STRING=OFF"; then
    configure "$dir" " with LibTorch" -DCONPOLE_TORCH=AUTO "$dir"
  elif [[ $fewer != *train* ]] && cache_has "$dir" "CONPOLE_HAS_TORCH:INTERNAL=OFF" && cache_has "$dir" "CONPOLE_TORCH:STRING=AUTO" && has_torch; then
    configure "$dir" " with LibTorch" "$dir"
  fi
}

# build_preset PRESET TARGET [-DNAME=VALUE...]: configures if there is no usable build folder yet, then builds. Settings apply
# to a new folder only. Ninja notices by itself when CMake has to run again. Two at a time wait for each other, so that
# `./run ... | ./run ...` works from the start.
build_preset() {
  local preset=$1 target=$2 dir
  dir=$(build_dir_of "$preset")
  mkdir -p "$dir"
  (
    flock 9
    configure_if_needed "$@" 9>&- || exit
    if [[ $(ninja -C "$dir" -n "$target" 2>&1) != *"no work to do"* ]]; then
      echo "Building $dir" >&2
      NINJA_STATUS='[%f/%t] ' run_logged "$dir/build.log" ninja_steps ninja -C "$dir" "$target" 9>&- || exit
    fi
  ) 9>"$dir/.lock"
}
