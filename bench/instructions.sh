#!/usr/bin/env bash
# Instructions per successor for every domain, counted by valgrind so that figures compare across machines: the difference of two
# runs that list the same states once and three times, divided by the successors of the difference.
#   bench/instructions.sh [BUILD_DIR]
set -euo pipefail

build=${1:-build}
program=$build/bench/domains
command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 2; }
[ -x "$program" ] || { echo "instructions.sh: $program is not built" >&2; exit 2; }

count() {  # MODE SPEC N: instructions of listing the states N times
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" "$3" 2>&1 >/dev/null |
    awk '/Collected/ {print $NF}'
}

per_successor() {  # MODE SPEC
  local once thrice successors
  once=$(count "$1" "$2" 1)
  thrice=$(count "$1" "$2" 3)
  successors=$("$program" "$1" "$2" 1)
  awk "BEGIN {printf \"%.0f\", ($thrice - $once) / 2 / $successors}"
}

printf '%-18s %s\n' domain 'instructions/successor; with labels; the same of the domain file'
gallery=$(dirname "$0")/../gallery
for domain in sorting ternary-addition multiplication fractions equations rubiks-cube algebra; do
  case $domain in
    sorting) file=bars ;;
    equations) file=equation-axioms ;;
    algebra) file= ;;
    *) file=$domain ;;
  esac
  printf '%-18s' "$domain"
  for spec in "$domain" ${file:+"$gallery/$file.domain"}; do
    printf ' %6s %6s' "$(per_successor --expand "$spec")" "$(per_successor --label "$spec")"
  done
  echo
done
