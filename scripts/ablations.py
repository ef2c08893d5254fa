#!/usr/bin/env python3
"""What each idea brings: trains variants of one run with equal steps, several at a time, and writes a table.

    scripts/ablations.py --program build/conpole --device cuda --jobs 12 --steps 3000000 --out ablations

A variant is a name and the options that differ from the base; --only NAME,NAME takes some of them, and
--variant "NAME: --beam 4 --retry 0.2" adds one. Runs that are done are not run again, so that a table can grow.
Needs nothing but Python 3.8.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import time

# As configs/equations.toml and configs/fractions.toml have them.
NETWORK = "--embedding 64 --hidden 128 --layers 2"
BASES = {
    "equations": f"{NETWORK} --in-flight 768 --batch 128 --negatives-sampled 32 --gradient-steps 0.6",
    "fractions": f"{NETWORK} --batch 96 --negatives-sampled 32 --gradient-steps 0.4",
    "multiplication": NETWORK,
    "ternary-addition": NETWORK,
    "sorting": NETWORK,
}

VARIANTS = {
    "base": "",
    "cvi": "--agent cvi",
    "levin": "--search levin",
    "shortest": "--learn-from shortest",
    "known-ways": "--learn-from known-ways",
    "one-per-state": "--replay-keeps shortest",
    "average": "--policy-average 0.01",
    "retry": "--retry 0.2",
    "narrow-retry": "--beam 4 --retry 0.3 --retry-effort 3",
    "margin": "--beam-margin 5",
    "margin-retry": "--beam-margin 3 --retry 0.2",
    "noise": "--beam-noise 0.5",
    "value": "--value-share 0.3",
    "chance-short": "--chance short",
    "walk-away": "--walk-away 0.2",
    "simplify": "--simplify 10",
    "all": "--learn-from shortest --replay-keeps shortest --policy-average 0.01 --retry 0.2 --chance short --value-share 0.3",
    "cvi-shortest": "--agent cvi --learn-from shortest --policy-average 0.01",
    "cvi-all": "--agent cvi --learn-from shortest --replay-keeps shortest --policy-average 0.01 --retry 0.2 --chance short",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/conpole")
    parser.add_argument("--domain", default="equations")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--seeds", default="1", help="separated by commas; each variant is run with each")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--out", default="ablations", help="a folder with a run per variant and seed, and table.md")
    parser.add_argument("--only", default="", help="names of variants, separated by commas")
    parser.add_argument("--variant", action="append", default=[], metavar="'NAME: OPTIONS'")
    parser.add_argument("--options", default="", help="of all runs, in place of what is usual for the domain")
    parser.add_argument("--evaluations", type=int, default=60, help="of each run; each costs searches of 400 problems")
    parser.add_argument("--minutes", type=float, default=0, help="no run goes on for longer; 0 for no limit")
    return parser.parse_args()


def chosen_variants(arguments):
    variants = dict(VARIANTS)
    for given in arguments.variant:
        name, _, options = given.partition(":")
        variants[name.strip()] = options.strip()
    names = [name for name in arguments.only.split(",") if name] or list(variants)
    unknown = [name for name in names if name not in variants]
    if unknown:
        sys.exit(f"unknown variants: {', '.join(unknown)}; there are: {', '.join(variants)}")
    return {name: variants[name] for name in names}


def command_of(arguments, options, seed, folder):
    base = arguments.options or BASES.get(arguments.domain.split(":")[0], "")
    command = [arguments.program, "train", "--domain", arguments.domain, "--device", arguments.device]
    command += ["--steps", str(arguments.steps), "--seed", str(seed), "--out", folder]
    command += ["--eval-every", str(max(1, arguments.steps // arguments.evaluations)), "--checkpoint-minutes", "1000"]
    if arguments.jobs > 1:
        command += ["--threads", str(max(1, (os.cpu_count() or 1) // arguments.jobs))]
    if arguments.minutes:
        command += ["--minutes", str(arguments.minutes)]
    # An option that is given twice is an error, so what a variant has wins here.
    merged = {}
    for text in (base, options):
        words = shlex.split(text)
        merged.update(zip(words[::2], words[1::2]))
    for option, value in merged.items():
        command += [option, value]
    return command


def read_metrics(folder):
    rows = []
    try:
        with open(os.path.join(folder, "metrics.jsonl"), encoding="utf-8") as file:
            for line in file:
                try:
                    rows.append(json.loads(line))
                except ValueError:
                    pass  # cut short
    except OSError:
        pass
    return [row for row in rows if row.get("eval_success") is not None]


def success(row):
    return (row["eval_success"] + row["validation_success"]) / 2


def first_at(rows, share):
    for row in rows:
        if success(row) >= share:
            return f"{row['step'] / 1e6:.2f}M, {row['seconds']:.0f} s"
    return "-"


def table_of(runs):
    lines = [
        "| variant | seed | steps and seconds to 50% | to 90% | best | in the end | solved in training | gradient steps | steps | seconds |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, seed, folder in runs:
        rows = read_metrics(folder)
        if not rows:
            lines.append(f"| {name} | {seed} | - | - | - | - | - | - | - | - |")
            continue
        last = rows[-1]
        lines.append(
            f"| {name} | {seed} | {first_at(rows, 0.5)} | {first_at(rows, 0.9)} | {100 * max(map(success, rows)):.1f} | "
            f"{100 * success(last):.1f} | {100 * last['solved_rate']:.0f}% | {last['gradient_steps']:.0f} | "
            f"{last['step'] / 1e6:.2f}M | {last['seconds']:.0f} |"
        )
    return "\n".join(lines) + "\n"


def main():
    arguments = parse_arguments()
    os.makedirs(arguments.out, exist_ok=True)
    runs = []
    waiting = []
    for seed in arguments.seeds.split(","):
        for name, options in chosen_variants(arguments).items():
            folder = os.path.join(arguments.out, f"{name}-{seed}")
            runs.append((name, seed, folder))
            if not os.path.exists(os.path.join(folder, "last.safetensors")):
                waiting.append((name, seed, command_of(arguments, options, seed, folder)))
    running = []
    failed = []
    try:
        while waiting or running:
            while waiting and len(running) < arguments.jobs:
                name, seed, command = waiting.pop(0)
                print(" ".join(map(shlex.quote, command)), flush=True)
                log = open(os.path.join(arguments.out, f"{name}-{seed}.log"), "w", encoding="utf-8")
                running.append((name, seed, subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)))
                log.close()
            time.sleep(0.5)
            for run in list(running):
                if run[2].poll() is None:
                    continue
                running.remove(run)
                if run[2].returncode != 0:
                    failed.append(f"{run[0]}-{run[1]}")
    finally:
        for _, _, process in running:
            process.terminate()
        for _, _, process in running:
            process.wait()
        table = table_of(runs)
        with open(os.path.join(arguments.out, "table.md"), "w", encoding="utf-8") as file:
            file.write(table)
        print(table)
    if failed:
        sys.exit(f"failed, see their logs: {', '.join(failed)}")


if __name__ == "__main__":
    main()
