#!/usr/bin/env python3
"""The table of docs/domain-files.md: conpole train FILE and nothing else for every file of the gallery, several runs at a time.

  scripts/gallery_table.py PROGRAM OUT [FILE...]

For each file: its lines, how many of 100 problems breadth-first search with a million successors solves, how many of 200 the learned
policy solves greedily, the mean length of its solutions, and the seconds of training. A run that has not ended by itself after LIMIT
seconds (100) is stopped; JOBS (8) run at a time with two threads each. OUT gets the runs, models/ and table.md."""
import concurrent.futures
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

program, out = sys.argv[1:3]
files = sys.argv[3:] or sorted(glob.glob("gallery/*.domain"))
limit, jobs = float(os.environ.get("LIMIT", 100)), int(os.environ.get("JOBS", 8))
began = time.time()


def evaluate(file, *options):
    answer = subprocess.run([program, "eval", file, "--json", "--threads", "2", *options], capture_output=True, text=True, timeout=600)
    return json.loads(answer.stdout) if answer.returncode == 0 else None


def row(file):
    name = os.path.basename(file).removesuffix(".domain")
    run = os.path.join(out, "runs", name)
    with open(os.path.join(out, name + ".log"), "w") as log:
        start = time.time()
        training = subprocess.Popen([program, "train", file, "--threads", "2", "--out", run], stdout=log, stderr=log)
        try:
            training.wait(limit)
        except subprocess.TimeoutExpired:
            training.send_signal(signal.SIGINT)
            training.wait()
        seconds = time.time() - start
    cells = [f"`{name}`", str(sum(1 for _ in open(file)))]
    wide = evaluate(file, "--search", "bfs", "--seeds", "0:100", "--max-edges", "1000000")
    cells.append(f"{wide['solved']} of 100, {wide['mean_length']:.1f}" if wide and wide["solved"] else "none")
    model = os.path.join(run, "best.safetensors")
    steps = "60" if wide is None or wide["solved"] < 100 or wide["length_max"] > 20 else "30"
    greedy = evaluate(file, "--search", "greedy", "--max-steps", steps, "--model", model) if os.path.exists(model) else None
    cells += [f"{100 * greedy['success_rate']:.1f}", f"{greedy['mean_length'] or 0:.1f}"] if greedy else ["-", "-"]
    cells.append(f"{seconds:.0f}" + ("" if training.returncode == 0 else ", stopped"))
    if os.path.exists(model):
        os.makedirs(os.path.join(out, "models"), exist_ok=True)
        shutil.copy(model, os.path.join(out, "models", name + ".safetensors"))
    print(f"{time.time() - began:4.0f} s", " | ".join(cells), flush=True)
    return "| " + " | ".join(cells) + " |"


os.makedirs(os.path.join(out, "runs"), exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    rows = list(pool.map(row, files))
with open(os.path.join(out, "table.md"), "w") as table:
    print("| file | lines | breadth-first search solves, mean steps | the policy solves greedily, % | mean steps | seconds |", file=table)
    print("|---|---|---|---|---|---|", *rows, sep="\n", file=table)
