#!/bin/sh
# The headers that a wheel is built with, for systems whose own are missing or too old, such as the images of cibuildwheel:
#
#   sh scripts/wheel-headers.sh FOLDER
#
# Boost, fmt, CLI11 and nlohmann-json are headers alone here, so that those of the Debian or Ubuntu on which this runs serve in the
# images, too. Nothing is installed. Needs apt with its package lists.
set -eu
mkdir -p "$1/include" "$1/share/cmake"
prefix=$(cd "$1" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

boost=$(apt-cache pkgnames libboost1. | grep -E '^libboost1\.[0-9]+-dev$' | sort -V | tail -n 1)
cd "$folder"
apt-get -q download "$boost" libfmt-dev nlohmann-json3-dev libcli11-dev
for package in *.deb; do dpkg-deb -x "$package" .; done

cp -R usr/include/* "$prefix/include/"
# Of fmt and Boost, CMake looks for the headers themselves; what Debian says about its libraries would mislead it.
find usr -type d \( -name CLI11 -o -name nlohmann_json \) -path '*/cmake/*' -exec cp -R {} "$prefix/share/cmake/" \;
echo "the headers of these are in $prefix:" *.deb
