#!/bin/sh
# The headers that a wheel is built with, for systems whose own are missing or too old, such as the images of cibuildwheel:
#
#   sh scripts/wheel-headers.sh PREFIX
#
# Boost, fmt, CLI11 and nlohmann-json are headers alone here, so that those of Debian 12 serve everywhere. Needs curl, ar, tar and xz.
set -eu
prefix=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fetch() { # FILE SHA256
  name=${1##*/}
  # The second keeps what the first has no longer.
  curl -fsSL --retry 3 -o "$folder/$name" "http://deb.debian.org/debian/pool/main/$1" ||
    curl -fsSL --retry 3 -o "$folder/$name" "https://snapshot.debian.org/archive/debian/20250520T000000Z/pool/main/$1"
  echo "$2  $folder/$name" | sha256sum -c - >/dev/null
  (cd "$folder" && ar x "$name" && tar -xJf data.tar.xz && rm -f data.tar.xz control.tar.xz debian-binary "$name")
}

fetch b/boost1.81/libboost1.81-dev_1.81.0-5+deb12u1_amd64.deb bfe6d942c9fa4d68c8455e712a16fe3911f85d92959a0753cb22e5c13c2067de
fetch f/fmtlib/libfmt-dev_9.1.0+ds1-2_amd64.deb c8fa00dd0269e6eda9fd06668df3d720de4b5a1f647dcd3c6e0ba63f0cbf2150
fetch n/nlohmann-json3/nlohmann-json3-dev_3.11.2-2_all.deb ec57940def6b6186c30be0e0ee81d1e58f86d11a54a145b28686a1e3e4aae801
fetch c/cli11/libcli11-dev_2.1.2+ds-1_all.deb f1f6ee9ec053e0e0bcec47345e241b6a8ee006321248b4329e9ce88d2b4b64a8

mkdir -p "$prefix/include" "$prefix/share/cmake"
cp -R "$folder"/usr/include/* "$prefix/include/"
# Of fmt and Boost, CMake looks for the headers themselves; what Debian says about its libraries would mislead it.
find "$folder/usr" -type d \( -name CLI11 -o -name nlohmann_json \) -path '*/cmake/*' -exec cp -R {} "$prefix/share/cmake/" \;
echo "headers of Boost 1.81, fmt 9.1, nlohmann-json 3.11 and CLI11 2.1 are in $prefix"
