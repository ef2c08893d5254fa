#!/usr/bin/env bash
# What ./run says while it sets a machine up, with an apt, a CMake and a Ninja that only pretend. Usage: setup_test.sh REPOSITORY
set -euo pipefail

repository=$1
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cd "$temporary"
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}
expect_line() { grep -qE -- "$1" "$2" || fail "no line like '$1' in: $(cat "$2")"; }
expect_no_line() { ! grep -qE -- "$1" "$2" || fail "a line like '$1' in: $(cat "$2")"; }
expect_at_most() { (($(wc -l <"$2") <= $1)) || fail "more than $1 lines: $(cat "$2")"; }

# pretend NAME: a program with the body on standard input.
pretend() {
  { echo '#!/usr/bin/env bash'; cat; } >"programs/$1"
  chmod +x "programs/$1"
}

# A machine without any package.
new_machine() {
  rm -rf programs checkout
  mkdir programs checkout
  cp -r "$repository/run" "$repository/test" "$repository/scripts" checkout/
  export MACHINE=$temporary/machine
  rm -rf "$MACHINE"
  mkdir "$MACHINE"
  pretend sudo <<<'exec "$@"'
  pretend dpkg-query <<'P'
for argument in "$@"; do [[ -e $MACHINE/$argument ]] && echo "$argument installed"; done
exit 1
P
  pretend apt-cache <<<'exit 0'
  # Each package that is named comes with two more, of ten megabytes each.
  pretend apt-get <<'P'
echo "apt-get $*" >>"$MACHINE/calls"
packages=()
for argument in "$@"; do [[ $argument == -* || $argument == install || $argument == update ]] || packages+=("$argument"); done
case "$*" in
  *update*) for i in {1..300}; do echo "Hit:$i http://example.org list"; done ;;
  *--print-uris*)
    for package in "${packages[@]}"; do for part in a b c; do echo "'http://example.org/$part' $package-$part.deb 10000000 MD5Sum:0"; done; done ;;
  *)
    if [[ -e $MACHINE/broken ]]; then echo "E: the disk is full"; exit 100; fi
    for package in "${packages[@]}"; do
      echo "Get:1 http://example.org/debian stable/main amd64 $package amd64 1.0 [10 MB]"
      echo "Unpacking $package (1.0) ..."
      echo "Setting up $package (1.0) ..."
      touch "$MACHINE/$package"
    done ;;
esac
P
  pretend cmake <<'P'
echo "cmake $*" >>"$MACHINE/calls"
mkdir -p build
touch build/build.ninja
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/CMakeCache.txt
case "$*" in
  *CONPOLE_TORCH=OFF*) echo "CONPOLE_TORCH:STRING=OFF" ;;
  *) echo "CONPOLE_TORCH:STRING=AUTO" ;;
esac >>build/CMakeCache.txt
echo "much that nobody reads"
P
  pretend ninja <<'P'
[[ $* == *" -n "* ]] && { [[ -e $MACHINE/built ]] && echo "ninja: no work to do."; exit; }
for i in {1..40}; do echo "[$i/40] Building CXX object src/CMakeFiles/x.dir/file$i.cc.o"; done
if [[ -e $MACHINE/wrong ]]; then printf 'FAILED: x.o\nx.cc:1: error: no such thing\n'; for i in {1..40}; do echo "[40/40] later $i"; done; exit 1; fi
printf '#!/usr/bin/env bash\necho "the program: $*"\n' >build/conpole
chmod +x build/conpole
touch "$MACHINE/built"
P
  pretend ctest <<<'echo "ctest $*"'
}

# in_checkout COMMAND...: its output in out and err, its exit status in status.
in_checkout() {
  status=0
  (cd checkout && PATH=$temporary/programs:$PATH "$@" >"$temporary/out" 2>"$temporary/err") || status=$?
}

new_machine
in_checkout ./run solve "x = 1"
((status == 0)) || fail "status $status: $(cat err)"
[[ $(cat out) == "the program: solve x = 1" ]] || fail "standard output is not the program's alone: $(cat out)"
expect_at_most 6 err
expect_line 'cmake .*-DCONPOLE_UNITY=ON' "$MACHINE/calls"
expect_line '^Installing 21 packages with apt, 210 MB to download:$' err
expect_line '^ +21 packages, +210 MB to build conpole: g\+\+ cmake ' err
expect_no_line 'LibTorch|Hit:|Unpacking|nobody reads|file1\.cc' err
expect_line 'Unpacking cmake' checkout/build/packages.log
expect_line 'file40\.cc' checkout/build/build.log
expect_line 'nobody reads' checkout/build/configure.log

in_checkout ./run solve "x = 1"
expect_at_most 0 err

# Where nothing is a terminal, a line every so often; always, if so often is every second or less.
rm "$MACHINE/built"
CONPOLE_PROGRESS_SECONDS=0 in_checkout ./run
expect_line '^\[40/40\] file40\.cc$' err

# How long it takes is said as soon as that can be told.
expect_left() {
  local left
  left=$(source "$repository/scripts/progress.sh" && time_left "${@:2}")
  [[ $left == "$1" ]] || fail "time_left ${*:2} says '$left', not '$1'"
}
expect_left ", about 3 min left" 10 40 60
expect_left ", less than a minute left" 39 40 60
expect_left "" 1 40 60
expect_left "" 10 40 4
expect_left "" 40 40 60
steps=$(source "$repository/scripts/progress.sh" &&
  ninja_steps <<<'[3/9] Building CXX object src/util/CMakeFiles/conpole_util.dir/Unity/unity_0_cxx.cxx.o')
[[ $steps == "3 9 util" ]] || fail "files that are compiled together are shown as '$steps'"

# On a terminal, one line that moves.
rm "$MACHINE/built"
if command -v script >/dev/null; then
  in_checkout script -qec "./run" /dev/null
  expect_line $'\r\[40/40\] file40.cc\033\[K' out
fi

new_machine
touch "$MACHINE/broken"
in_checkout ./run
((status == 100)) || fail "a failed installation has status $status"
expect_line '^E: the disk is full$' err
expect_line 'build/packages\.log$' err
[[ ! -e checkout/build/build.ninja ]] || fail "went on after a failed installation"

new_machine
touch "$MACHINE/wrong"
in_checkout ./run
((status == 1)) || fail "a failed build has status $status"
expect_line 'error: no such thing' err
expect_line 'build/build\.log$' err
expect_at_most 50 err

new_machine
in_checkout ./test -R Sorting
((status == 0)) || fail "status $status: $(cat err)"
expect_line '9 packages, +90 MB to train on GPUs and on puzzles \(LibTorch.*--without-torch.*: libtorch-dev libopenblas0-pthread libgloo-dev$' err
expect_line 'ctest .*-R Sorting' out

for way in argument variable; do
  new_machine
  if [[ $way == argument ]]; then in_checkout ./test --without-torch -R Sorting; else CONPOLE_TORCH=OFF in_checkout ./test -R Sorting; fi
  ((status == 0)) || fail "status $status: $(cat err)"
  expect_no_line 'libtorch' err
  expect_no_line 'libtorch' "$MACHINE/calls"
  expect_line 'cmake .*-DCONPOLE_TORCH=OFF' "$MACHINE/calls"
  expect_line 'ctest .*-R Sorting' out
done
# It comes back with the next plain ./test.
in_checkout ./test
expect_line 'to train' err
expect_line 'cmake .*-DCONPOLE_TORCH=AUTO' "$MACHINE/calls"

((failures == 0)) && echo "all as expected"
