#!/usr/bin/env bash
# Solves the same equations with conpole's school algebra and with MathSteps (npm, 0.2.0) in one run, on one core, and compares them:
#   bench/mathsteps.sh [--json FILE] [--record FOLDER] [BUILD FOLDER]
# The equations: 200 that `conpole generate equations` draws; 200 from the paper's shapes and the 42 of Khan Academy, where the
# recordings have them (../shared/data); 200 as textbooks have them (bench/textbook-equations.txt). Every answer of both is judged exactly
# by tests/algebra_judge.h. Times are of the processor, so that it matters little what else the machine does; a cold start is timed by the
# clock. MathSteps goes into the build folder. Needs node and npm.
#
# The row of MathSteps in Table 2 is a record like those of the agents:
#   bench/mathsteps.sh --record docs/data/table2
#   experiments/table2.py --from docs/data/table2 --out table2 --into docs/experiments/agents.md
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
options=()
while [[ ${1:-} == --* ]]; do
  case "$1" in
    --json | --record) options+=("$1" "$(readlink -m -- "${2:?$1 needs a path}")") ;;
    *) echo "usage: bench/mathsteps.sh [--json FILE] [--record FOLDER] [BUILD FOLDER]" >&2; exit 2 ;;
  esac
  shift 2
done
build=$(readlink -f -- "${1:-$root/build}")
shared=${CONPOLE_SHARED:-$root/../shared}
count=200

for tool in node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "bench/mathsteps.sh needs $tool (packages nodejs and npm)" >&2
    exit 1
  fi
done
school=$build/bench/school
if [[ ! -x $school || ! -x $build/conpole ]]; then
  echo "bench/mathsteps.sh needs conpole and bench/school in $build: cmake --build $build --target conpole bench_school" >&2
  exit 1
fi

modules=$build/mathsteps
if [[ ! -d $modules/node_modules/mathsteps ]]; then
  mkdir -p -- "$modules"
  npm install --prefix "$modules" --silent --no-fund --no-audit mathsteps@0.2.0 >&2
fi

folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
on_one_core=()
if command -v taskset >/dev/null; then on_one_core=(taskset -c 0); fi

# 1. The sets of equations, as people write them.
"$school" problems equations "$count" >"$folder/generated"
sets=(generated)
if [[ -f $shared/data/equations-ct.txt ]]; then
  "$school" problems "equations:templates=$shared/data/equations-ct.txt" "$count" >"$folder/templates"
  sets+=(templates)
else
  echo "the paper's shapes of equations are not there and are left out: $shared/data/equations-ct.txt" >&2
fi
if [[ -f $shared/data/khan.json ]]; then
  node -e 'console.log(Object.values(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))).flat().join("\n"))' \
    "$shared/data/khan.json" | "$school" read >"$folder/khan"
  sets+=(khan)
else
  echo "the equations of Khan Academy are not there and are left out: $shared/data/khan.json" >&2
fi
grep -v '^#' "$root/bench/textbook-equations.txt" >"$folder/textbook"
sets+=(textbook)
printf '%s\n' "${sets[@]}" >"$folder/sets"

# 2. Both programs on each set, and the judge on both.
for name in "${sets[@]}"; do
  "${on_one_core[@]}" "$school" solve <"$folder/$name" >"$folder/$name.conpole"
  "${on_one_core[@]}" node "$root/bench/mathsteps/solve.mjs" "$modules" <"$folder/$name" >"$folder/$name.mathsteps"
  for program in conpole mathsteps; do "$school" judge <"$folder/$name.$program" >"$folder/$name.$program.verdict"; done
done

# 3. A cold start, 20 times.
for _ in {1..20}; do
  start=$(date +%s%N)
  "${on_one_core[@]}" "$build/conpole" solve algebra "(3x+8)/5=(x-2)/4" >"$folder/solution"
  echo $((($(date +%s%N) - start) / 1000)) | sed 's/...$/.&/'
done >"$folder/cold"

# 4. The table.
node "$root/bench/mathsteps/compare.mjs" "$folder" "${options[@]}"
