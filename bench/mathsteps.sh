#!/usr/bin/env bash
# Solves the same 200 equations with conpole and with MathSteps (npm, 0.2.0) in one run, and compares them:
#   bench/mathsteps.sh TEMPLATES [BUILD FOLDER]
# TEMPLATES is a file of equation shapes; seeds 0 to 199 are drawn from it. MathSteps goes into a temporary folder.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
templates=$(readlink -f -- "${1:?usage: bench/mathsteps.sh TEMPLATES [BUILD FOLDER]}")
build=${2:-$root/build}

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
npm install --prefix "$folder" --silent --no-fund --no-audit mathsteps@0.2.0 >&2
cp -- "$root/bench/mathsteps.mjs" "$folder"
"$build/bench/solve" --templates "$templates" >"$folder/conpole.jsonl"
node "$folder/mathsteps.mjs" "$folder/conpole.jsonl"
