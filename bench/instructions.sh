#!/usr/bin/env bash
# Instructions per successor for every domain, counted by valgrind so that figures compare across machines: the difference of two
# runs that list the same states once and three times, divided by the successors of the difference.
#   bench/instructions.sh [BUILD_DIR]
set -euo pipefail

build=${1:-build}
program=$build/bench/domains
command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 2; }
[ -x "$program" ] || { echo "instructions.sh: $program is not built" >&2; exit 2; }

count() {  # instructions of listing DOMAIN's states N times
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --expand "$1" "$2" 2>&1 >/dev/null |
    awk '/Collected/ {print $NF}'
}

printf '%-18s %s\n' domain instructions/successor
for domain in sorting ternary-addition multiplication fractions equations rubiks-cube algebra; do
  once=$(count "$domain" 1)
  thrice=$(count "$domain" 3)
  successors=$("$program" --expand "$domain" 1)
  printf '%-18s %.0f\n' "$domain" "$(awk "BEGIN {print ($thrice - $once) / 2 / $successors}")"
done
