#!/bin/bash
# The table of docs/training.md: conpole train DOMAIN and nothing else, for every domain and several seeds, several runs at a time on
# one GPU. Each run ends by itself or after LIMIT seconds; the rows say which.
#   scripts/recipe-table.sh PROGRAM OUT [TEMPLATES]
#     PROGRAM    build/conpole (conpole-torch beside it)
#     OUT        a new folder; table.tsv in it is the result, and runs/ has all runs
#     TEMPLATES  the authors' file of equation shapes, for a row of its own
# LIMIT (default 400), SEEDS (default "1 2 3"), JOBS (default 12), DOMAINS and TIMED (1: time equations alone first) may be set.
set -eu
program=$1
out=$2
templates=${3:-}
limit=${LIMIT:-400}
seeds=${SEEDS:-1 2 3}
jobs=${JOBS:-12}
domains=${DOMAINS:-sorting ternary-addition multiplication fractions equations equations:source=hard algebra}
[ -n "$templates" ] && [ -z "${DOMAINS:-}" ] && domains="$domains equations:templates=$templates"
mkdir -p "$out/runs"
began=$(date +%s)
say() { echo "$(($(date +%s) - began)) s: $*"; }

# One run; $1 its name, the rest its options.
train() {
  local name=$1 status=0
  shift
  timeout -s INT -k 30 "$limit" "$program" train "$@" --out "$out/runs/$name" >"$out/runs/$name.log" 2>&1 || status=$?
  say "$name ended with $status: $(tail -n 2 "$out/runs/$name.log" | head -n 1 | cut -c1-200)"
}

# Alone on the GPU: what a user waits for.
if [ "${TIMED:-1}" = 1 ] && [ -n "$templates" ]; then
  for seed in ${TIMED_SEEDS:-1 2 3}; do
    LIMIT=60 limit=${TIMED_LIMIT:-45} train "alone-$seed" "equations:templates=$templates" --threads 16 --seed "$seed"
  done
fi
for seed in $seeds; do
  for domain in $domains; do
    name=$(basename "$domain" .txt | tr -c 'a-z0-9\n' '-')-$seed
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.2; done
    say "$name begins"
    train "$name" "$domain" --threads 2 --seed "$seed" &
  done
done
wait
python3 - "$out" <<'PYTHON'
import glob, json, os, sys
out = sys.argv[1]
rows = []
for path in sorted(glob.glob(out + "/runs/*/metrics.jsonl")):
    lines = [json.loads(line) for line in open(path) if line.endswith("}\n")]
    lines = [line for line in lines if line.get("eval_success") is not None]
    if not lines:
        rows.append([os.path.basename(os.path.dirname(path))] + ["-"] * 9)
        continue
    best = max(lines, key=lambda line: (line["validation_success"], line["step"]))
    at = next((line for line in lines if line["eval_success"] >= 0.9), None)
    last = lines[-1]
    learned = last["seconds_learn"] / max(1, last["gradient_steps"]) * 1000
    rows.append([os.path.basename(os.path.dirname(path)),
                 "-" if at is None else f"{at['step'] / 1e6:.2f}M", "-" if at is None else f"{at['seconds']:.0f}",
                 f"{100 * best['eval_success']:.1f}", f"{100 * best['validation_success']:.1f}", f"{best['step'] / 1e6:.2f}M",
                 f"{last['step'] / 1e6:.2f}M", f"{last['seconds']:.0f}", f"{int(last['gradient_steps'])}", f"{learned:.2f}"])
head = ["run", "90% after", "s", "best model: test %", "validation %", "at", "steps", "s", "gradient steps", "ms each"]
with open(out + "/table.tsv", "w") as file:
    for row in [head] + rows:
        print("\t".join(row), file=file)
        print(" | ".join(row))
PYTHON
tar -C "$out/runs" --exclude='checkpoint-*' --exclude='events.out*' --exclude='lock' -czf "$out/runs.tar.gz" .
say "done"
