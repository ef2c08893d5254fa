#!/usr/bin/env bash
# Runs every fuzz target of a build, as many at a time as there are cores, each from a few seeds: for SECONDS each, or else with
# as many inputs as take some ten seconds, made from the same random numbers every time, so that a check of a change does not
# fail by chance.
# Usage: tests/fuzz/run.sh BUILD_DIR [SECONDS]
# Fails if a target fails; its log and the input that did it stay in BUILD_DIR/fuzz/runs/TARGET.
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 ]]; then
  echo "usage: $0 BUILD_DIR [SECONDS]" >&2
  exit 2
fi
bin="$(cd "$1" && pwd)/fuzz"
seconds=${2:-}

# The header of a model file with all sizes 1, for safetensors_fuzz.cc.
model_header() {
  local end=0 name shape values
  printf '576 {"__metadata__":{"conpole.format_version":"1","conpole.embedding":"1","conpole.hidden":"1",'
  printf '"conpole.layers":"1","conpole.head":"bilinear","domain":"sorting"}'
  while read -r name shape values; do
    printf ',"%s":{"dtype":"F32","shape":[%s],"data_offsets":[%d,%d]}' "$name" "$shape" "$end" $((end + 4 * values))
    end=$((end + 4 * values))
  done < <(
    echo embedding.weight 96,1 96
    for name in bias_hh bias_ih; do printf 'lstm.%s 4 4\n' "${name}_l0" "${name}_l0_reverse"; done
    for name in weight_hh weight_ih; do printf 'lstm.%s 4,1 4\n' "${name}_l0" "${name}_l0_reverse"; done
    printf 'mlp.%d.bias 2 2\nmlp.%d.weight 2,2 4\n' 0 0 2 2
    echo score.weight 2,2 4
  )
  echo '}'
}

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
    algebra | derivation)
      printf '%s\n' '2x + 3 = 7' '(3x + 8)/5 = (x - 2)/4' '2/(x^2 - 1) = 3(x + 1)/x; x != -1, x^2 - 2 != 0' '0.5x-1 1/2=x(x-1)^2' \
        'x = (1 + sqrt(5))/2 or x^3 - 2x = 0' 'x = 1 - 2cbrt(5) or x = root(4, 2)/3' '1/2 : (3/4 - 0.25)^2 * -(-2)' 'every number; x != 1/2' 'no solution' \
        '123456789012345678901234567890 * 99 - 2^100'
      ;;
    solve)
      printf '%s\n' 'x^3 + 1 = x^3 + 2' 'x^4 + x^2 = x^4 + 9' '5 = 5' 'x^3 = 0' '0 = x^2' 'x(x^2 + 1) = x^3 + x' '2x^5 - 1 = 2x^5 - x^3' \
        '1/x^2 = 4/x' '(x + 1)^3 = (x - 1)^3' 'x/(x - 3) - 2 = 3/(x - 3)' '10-3|9|' '1/2 : (3/4 - 0.25)^2'
      ;;
    spec)
      printf '%s\n' 'sorting' 'sorting:min_length=2,max_length=11' 'rubiks-cube:max_moves=5' 'fractions:max_factors=4' \
        'multiplication:max_exponent=0' 'equations:zero=1,max_nodes=3' 'ternary-addition:max_digits=15,max_digits=1'
      ;;
    domain-file) printf '%s\n' 'domain x' ;;  # and the gallery
    templates) printf '%s\n' '(x + 1) = 2' '!2x = 4' 'x = 3 = 4' ;;
    notation)
      printf '%s\n' '2/3 x + 5 = 20 - x' '-0.5(x-1)=\frac{x}{4}\cdot 2' '3 - 2 1/4' '12 x 345 * 10^{3}' '[3, 1, 2]' \
        "R U R' U2 (F-1)" 'c3 + 2*3^5' '½x ≤ −3·y²' '2 \div 3 = \left(-x\right)' \
        'UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB'
      ;;
    request) # the first character chooses the operation, by its code modulo their number: K is the first, "solve"
      printf '%s\n' 'K{"problem":"2x+3=7","detail":"both","language":"de"}' 'L{"line":"2/3x = 4","level":3,"markup":true}' \
        'M{"problem":"2x+3=7","lines":["2x=10","x=5"]}' 'N{"line":"[3,1,2]"}' 'O{"text":"1/2 + 1/3"}' \
        'P{"skill":"brackets","level":2,"seed":7}' 'Q{"domain":"algebra"}' \
        'R{"progress":{"one-step":{"levels_mastered":1,"in_a_row":2,"level":2}},"skill":"one-step","level":2,"solved_without_help":true}' \
        'S{"problems":["2x=4"],"domain":"algebra"}' 'T{"problem":"2x=4","among":["3x=9"],"k":1}' 'U{"problems":["2x=4"],"steps":true}' \
        'V{"problem":"R U","beam":2,"max_steps":3}' 'W{}' 'X{"domain":"sorting:max_length=5","seed":3}' 'Y'
      ;;
    lines) # 0, 1 and 2 stand for the problems of lines_fuzz.cc
      printf '%s\n' '02x = 4' '0x = 2' '02x = 7 + 3' '1x = 3(x + 2)^2(x - 1) - 4(x - 1)' '1|:2' '21/2 + 3 * 5/2' '28 = 8 = x' '0x=2 or x=-2'
      ;;
    cube)
      printf '%s\n' "R U R' U2 (F-1)" "(R U R' U')3 [R, U] [F: D2]" "Rw M x' y2 S' e" \
        'UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB' \
        'WWWWWWWGWRRRRRRRRRGWGGGGGGGYYYYYYYYYOOOOOOOOOBBBBBBBBB' \
        'UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB' \
        'A000000000aB111111111bC225225225cD334334334dE442442442eF553553553f'
      ;;
    safetensors)
      printf '%s\n' '0 {}' '6 {"a":{"dtype":"F16","shape":[1,3],"data_offsets":[0,6]},"__metadata__":{"k":"v"}}' \
        '2 {"b":{"dtype":"BF16","shape":[],"data_offsets":[0,2]},"c":{"dtype":"F32","shape":[0],"data_offsets":[2,2]}}'
      model_header
      ;;
    config) printf '%s\n' 'steps = 1_000 # few' 'domain = "a\u20ac\n"' "[record]" "a = 'b'" 'x=-0.5e-3' ;;
    metrics)
      printf '%s\n' '{"step":1,"seconds":0.5,"loss":2.5e-1,"eval_success":null}' '{"step":18446744073709551615,"seconds":0}' \
        '{"seconds":1e9,"step":0,"a":-1,"a":{}}' '{"step":-1} {"seconds":[]}'
      ;;
    # Two problems with vectors of two components, for index_fuzz.cc; libFuzzer finds the bytes that are not text.
    index) printf '%s\n' 'conpole index 1' '2@aaaabbbbx = 1x = 2aaaabbbb' ;;
    engine)
      printf '%s\n' 'solve {"problem":"2x+3=7","detail":"both","markup":true}' 'hint {"line":"1/2+1/3","level":2,"language":"de"}' \
        'check {"problem":"2x+3=7","lines":["2x=10","2x=4"]}' 'next {"line":"[3, 1, 2]","domain":"sorting"}' 'skills {}' \
        'exercise {"skill":"equations-one-step","level":1,"seed":1}' 'tree {"problem":"x=1","beam":2}' 'model:a {}' \
        'progress {"progress":{},"skill":"x","level":1,"solved_without_help":true}' 'similar {"problem":"x","among":["y"]}'
      ;;
    *) echo "no seeds for $1: add some to $0" >&2; return 1 ;;
  esac
}

inputs_of() {
  case $1 in
    notation | solve) echo 800 ;;
    domain-file | engine | lines | request) echo 2000 ;;
    *) echo 25000 ;;
  esac
}

run_one() {
  local target=$1 name work i=0 max_len=400 much
  name=$(basename "$target" _fuzz)
  work="$bin/runs/$name"
  [[ $name == safetensors ]] && max_len=2500
  rm -rf "$work"
  mkdir -p "$work/corpus"
  if [[ $name == domain-file ]]; then
    max_len=4000
    cp "$gallery"/*.domain "$work/corpus"
  fi
  local lines
  lines=$(seeds "$name") || return 1
  while IFS= read -r line; do
    printf '%s' "$line" > "$work/corpus/seed$((i++))"
  done <<< "$lines"
  # Values that are compared may be addresses, and entropic scheduling looks at the clock: both differ from run to run.
  much=(-seed=1 -runs="$(inputs_of "$name")" -use_cmp=0 -entropic=0)
  [[ -n $seconds ]] && much=(-max_total_time="$seconds")
  if (cd "$work" && "$target" "${much[@]}" -max_len="$max_len" -timeout=20 -rss_limit_mb=2048 \
      -print_final_stats=1 corpus > log 2>&1); then
    echo "$name: ok, $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") inputs"
  else
    echo "$name: FAILED, see $work/log" >&2
    tail -n 20 "$work/log" >&2
    return 1
  fi
}

gallery=$(cd "$(dirname "$0")/../../gallery" && pwd)
export bin seconds gallery
export -f model_header seeds inputs_of run_one
find "$bin" -maxdepth 1 -name '*_fuzz' -type f -print0 | sort -z |
  xargs -0 -P "$(nproc)" -I{} bash -c 'set -euo pipefail; run_one "$1"' _ {}
