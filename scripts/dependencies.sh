# shellcheck shell=bash
# What the project needs from the system, and how to get it. Sourced by ./run and ./test; the only place that names packages.
#
#   require_packages build            what ./run needs
#   require_packages build train      what ./run train needs
#   require_packages build train test what ./test needs
#   require_packages build train test lint  what ./test --full needs
#
# Installs what is missing with apt, and touches neither apt nor the network if nothing is. On systems without apt it says what
# is needed, when there is something to build for the first time, and leaves the rest to CMake.

# CI formats, lints and fuzzes with one version of clang, so that it says the same everywhere.
# shellcheck disable=SC2034  # used by ./test
readonly CLANG_VERSION=16

packages_of() {
  case "$1" in
    build)
      echo g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libtomlplusplus-dev
      # Boost 1.81 or later: the default version of Debian 12 is older.
      # shellcheck source=/dev/null
      case "$(. /etc/os-release && echo "$ID $VERSION_ID")" in
        "debian 12") echo libboost1.81-dev ;;
        *) echo libboost-dev ;;
      esac
      ;;
    # Where a distribution has no LibTorch, CMake finds one that is installed otherwise, or builds without training.
    train) if apt-cache show libtorch-dev >/dev/null 2>&1; then echo libtorch-dev libopenblas0-pthread; fi ;;
    test) echo libgtest-dev librapidcheck-dev zlib1g-dev libbenchmark-dev gnuplot-nox ;;
    lint)
      echo "clang-$CLANG_VERSION" "clang-format-$CLANG_VERSION" "clang-tidy-$CLANG_VERSION" "libclang-rt-$CLANG_VERSION-dev" \
        python3-dev python3-venv
      ;;
  esac
}

needs_of() {
  case "$1" in
    build) echo "a C++20 compiler, CMake 3.25, Ninja, Boost 1.81 (headers), CLI11, nlohmann_json and fmt, and toml++ for configuration files" ;;
    train) echo "LibTorch, for training" ;;
    test) echo "GoogleTest, RapidCheck, zlib, Google Benchmark and gnuplot" ;;
    lint) echo "clang, clang-format, clang-tidy and libFuzzer, version $CLANG_VERSION, and Python 3 with its headers" ;;
  esac
}

require_packages() {
  local group package
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    if [[ ! -e build/build.ninja ]]; then
      echo "This system has no apt, so nothing is installed for you. What is needed:" >&2
      for group in "$@"; do echo "  $(needs_of "$group")" >&2; done
    fi
    return
  fi

  local -a wanted=() missing=()
  local installed
  for group in "$@"; do
    read -r -d '' -a group_packages < <(packages_of "$group") || true
    wanted+=("${group_packages[@]}")
  done
  # Fails if a package is unknown; the list of the known ones still comes.
  installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
  for package in "${wanted[@]}"; do
    grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return
  install_packages "${missing[@]}"
}

install_packages() {
  local -a as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Missing packages, and no sudo to install them with. As root, run: apt-get install $*" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "Installing missing packages with apt${as_root[0]:+ (with sudo)}: $*" >&2
  # Old package lists may still do, so a failed update (no network) is not the end.
  "${as_root[@]}" apt-get -q update </dev/null >&2 || echo "apt-get update failed; trying the package lists at hand" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@" </dev/null >&2
}
