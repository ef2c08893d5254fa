#!/usr/bin/env bash
# Runs every fuzz target of a build for SECONDS each, as many at a time as there are cores, each from a few seeds.
# Usage: tests/fuzz/run.sh BUILD_DIR SECONDS
# Fails if a target fails; its log and the input that did it stay in BUILD_DIR/fuzz/work/TARGET.
set -euo pipefail

if [[ $# -ne 2 ]]; then
  echo "usage: $0 BUILD_DIR SECONDS" >&2
  exit 2
fi
bin="$(cd "$1" && pwd)/fuzz"
seconds=$2

seeds() {
  case $1 in
    sorting) printf '%s\n' '[]' '[=]' '[===|=|==]' '[==|==|=]' '[|=|]' ;;
    ternary-addition) printf '%s\n' '#()' '#(a0)' '#(b3 c3 a1 b0)' '#(c9 c9)' '#(b~ c~)' ;;
    multiplication) printf '%s\n' '5e0' '(12e3 * 4e1)' '((1e0 + 0e0) * (99e9 - 7e2))' '(99999999999999999999e2 + 1e995)' ;;
    fractions) printf '%s\n' '7' '[1]/[2] + [3]/[2]' '[(2 * 3)]/[(3 * 5)]' '5 * [-4]/[6]' '(9223372036854775807 + 1)' ;;
    equations) printf '%s\n' 'x = 3' '(2x + 1) = ((x / 3) - [1/2])' '-(2x) = ([-7/10]x * 0)' '1 - 2 - 3 = -x * -(-4)' ;;
    rubiks-cube)
      printf '%s\n' 'A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f' \
        'A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f'
      ;;
    spec)
      printf '%s\n' 'sorting' 'sorting:min_length=2,max_length=11' 'rubiks-cube:max_moves=5' 'fractions:max_factors=4' \
        'multiplication:max_exponent=0' 'equations:zero=1,max_nodes=3' 'ternary-addition:max_digits=15,max_digits=1'
      ;;
    templates) printf '%s\n' '(x + 1) = 2' '!2x = 4' 'x = 3 = 4' ;;
    *) echo "no seeds for $1: add some to $0" >&2; return 1 ;;
  esac
}

run_one() {
  local target=$1 name work i=0
  name=$(basename "$target" _fuzz)
  work="$bin/work/$name"
  rm -rf "$work"
  mkdir -p "$work/corpus"
  local lines
  lines=$(seeds "$name") || return 1
  while IFS= read -r line; do
    printf '%s' "$line" > "$work/corpus/seed$((i++))"
  done <<< "$lines"
  if (cd "$work" && "$target" -max_total_time="$seconds" -max_len=400 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
      corpus > log 2>&1); then
    echo "$name: ok, $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") inputs"
  else
    echo "$name: FAILED, see $work/log" >&2
    tail -n 20 "$work/log" >&2
    return 1
  fi
}

export bin seconds
export -f seeds run_one
find "$bin" -maxdepth 1 -name '*_fuzz' -type f -print0 | sort -z |
  xargs -0 -P "$(nproc)" -I{} bash -c 'set -euo pipefail; run_one "$1"' _ {}
