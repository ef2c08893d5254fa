# shellcheck shell=bash
# What the project needs from the system, and how to get it. Sourced by ./run and ./test, after build.sh; the only place that
# names packages.
#
#   require_packages build            what ./run needs
#   require_packages build serve      what ./run serve needs
#   require_packages build train      what ./run train needs on a GPU, over several processes, and for puzzles
#   require_packages build train test what ./test needs
#   require_packages build train test lint  what ./test --full needs, and web web-test for the page
#
# Installs what is missing with apt, after saying how much that is and for what; what apt itself says goes to
# build/packages.log. Touches neither apt nor the network if nothing is missing. On systems without apt it says what is needed,
# when there is something to build for the first time, and leaves the rest to CMake.

# CI formats, lints and fuzzes with one version of clang, so that it says the same everywhere.
# shellcheck disable=SC2034  # used by ./test
readonly CLANG_VERSION=16

# Whether apt knows the package, or has no package lists yet that could tell.
apt_may_have() {
  apt-cache show "$1" >/dev/null 2>&1 || [[ -z $(compgen -G '/var/lib/apt/lists/*_Packages*' || true) ]]
}

packages_of() {
  case "$1" in
    build)
      echo g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev
      # Boost 1.81 or later: the default version of Debian 12 is older.
      # shellcheck source=/dev/null
      case "$(. /etc/os-release && echo "$ID $VERSION_ID")" in
        "debian 12") echo libboost1.81-dev ;;
        *) echo libboost-dev ;;
      esac
      ;;
    serve) echo libsqlite3-dev zlib1g-dev ;;
    # Where a distribution has no LibTorch, CMake finds one that is installed otherwise, or builds without training.
    train) if apt_may_have libtorch-dev; then echo libtorch-dev libopenblas0-pthread libgloo-dev; fi ;;
    test) echo libgtest-dev librapidcheck-dev zlib1g-dev libsqlite3-dev libbenchmark-dev gnuplot-nox ;;
    # Node.js that is installed otherwise does as well.
    web) echo emscripten; if ! command -v npm >/dev/null; then echo nodejs npm; fi ;;
    web-test) echo chromium poppler-utils ;;
    lint)
      echo "clang-$CLANG_VERSION" "clang-format-$CLANG_VERSION" "clang-tidy-$CLANG_VERSION" "lld-$CLANG_VERSION" "libclang-rt-$CLANG_VERSION-dev" \
        python3-dev python3-venv
      ;;
  esac
}

needs_of() {
  case "$1" in
    build) echo "a C++20 compiler, CMake 3.25, Ninja, Boost 1.81 (headers), CLI11, nlohmann_json and fmt" ;;
    serve) echo "SQLite and zlib, for results of classes and compressed answers" ;;
    train) echo "LibTorch, for training on GPUs and on puzzles, and the headers of Gloo, for training on several processes" ;;
    test) echo "GoogleTest, RapidCheck, zlib, SQLite, Google Benchmark and gnuplot" ;;
    web) echo "Emscripten 3.1 and Node.js with npm, for the page" ;;
    web-test) echo "Chromium and pdftotext, for the tests of the page" ;;
    lint) echo "clang, clang-format, clang-tidy, lld and libFuzzer, version $CLANG_VERSION, and Python 3 with its headers" ;;
  esac
}

# Why a group is needed, as the plan says it.
purpose_of() {
  case "$1" in
    build) echo "to build conpole" ;;
    serve) echo "to keep results of classes, and to compress answers" ;;
    train) echo "to train on GPUs and on puzzles (LibTorch, and what Debian builds it with; ./test --without-torch does without)" ;;
    test) echo "to test" ;;
    web) echo "to build the page" ;;
    web-test) echo "to test the page" ;;
    lint) echo "to lint and fuzz" ;;
  esac
}

# missing_of GROUP: its packages that are not installed.
missing_of() {
  local package installed
  local -a wanted
  read -r -d '' -a wanted <<<"$(packages_of "$1")" || true
  ((${#wanted[@]} == 0)) && return
  # Fails if a package is unknown; the list of the known ones still comes.
  installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
  for package in "${wanted[@]}"; do
    grep -qxF "$package installed" <<<"$installed" || echo "$package"
  done
}

# Every group once, without LibTorch's if that is to be left out.
require_packages() {
  local group
  local -a groups=()
  for group in "$@"; do
    if [[ $group != train ]] || ! without_torch; then groups+=("$group"); fi
  done
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    if [[ ! -e build/build.ninja ]]; then
      echo "This system has no apt, so nothing is installed for you. What is needed:" >&2
      for group in "${groups[@]}"; do echo "  $(needs_of "$group")" >&2; done
    fi
    return
  fi
  for group in "${groups[@]}"; do
    if [[ -n $(missing_of "$group") ]]; then
      install_groups "${groups[@]}"
      return
    fi
  done
}

# download_of PACKAGE...: how many packages apt would fetch for these, and their megabytes.
download_of() {
  apt-get -qq -y --no-install-recommends --print-uris install "$@" 2>/dev/null </dev/null |
    awk '$3 ~ /^[0-9]+$/ { ++count; bytes += $3 } END { printf "%d %d\n", count, bytes / 1e6 + 0.5 }'
}

# plan_installation GROUP...: says what will be installed, how much that is, and for what. Sets all_missing and all_count.
plan_installation() {
  local group count=0 megabytes=0 lines=""
  local -a missing before
  all_missing=()
  for group in "$@"; do
    read -r -d '' -a missing <<<"$(missing_of "$group")" || true
    ((${#missing[@]} == 0)) && continue
    all_missing+=("${missing[@]}")
    before=("$count" "$megabytes")
    read -r count megabytes <<<"$(download_of "${all_missing[@]}")"
    lines+=$(printf '%5d packages, %4d MB %s: %s' "$((count - before[0]))" "$((megabytes - before[1]))" "$(purpose_of "$group")" \
      "${missing[*]}")$'\n'
  done
  ((${#all_missing[@]} == 0)) && return
  all_count=$count
  echo "Installing $count packages with apt, $megabytes MB to download:" >&2
  printf '%s' "$lines" >&2
}

# The STEPS of apt-get install: each of all_count packages is fetched, unpacked and set up.
apt_steps() {
  local verb rest fetched=0 unpacked=0 configured=0
  while read -r verb rest; do
    case "$verb $rest" in
      Get:*) echo "$((++fetched)) $((3 * all_count)) fetching $(cut -d ' ' -f 4 <<<"$rest")" ;;
      "Unpacking "*) echo "$((all_count + ++unpacked)) $((3 * all_count)) unpacking ${rest%% *}" ;;
      "Setting up "*) echo "$((2 * all_count + ++configured)) $((3 * all_count)) setting up $(cut -d ' ' -f 2 <<<"$rest")" ;;
    esac
  done
}

# install_groups GROUP...: installs what is missing of them.
install_groups() {
  local -a as_root=() all_missing=()
  local group all_count=0 log=build/packages.log
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages, and no sudo to install them with. As root, run:" >&2
      echo "  apt-get install $(for group in "$@"; do missing_of "$group"; done | tr '\n' ' ')" >&2
      return 1
    fi
    as_root=(sudo)
    # It asks for a password, if at all, before there is a line that moves.
    sudo true
  fi
  mkdir -p build
  echo "Packages are missing; asking apt (with its output in $log)" >&2
  # Old package lists may still do, so a failed update (no network) is not the end.
  "${as_root[@]}" apt-get -q update </dev/null >"$log" 2>&1 || echo "apt-get update failed; trying the package lists at hand" >&2
  plan_installation "$@"
  # What a group has may depend on the lists, which are new.
  ((${#all_missing[@]} == 0)) && return
  run_logged "$log" apt_steps "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "${all_missing[@]}"
}
