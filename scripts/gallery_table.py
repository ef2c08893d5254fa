#!/usr/bin/env python3
"""The table of docs/domain-files.md: what `conpole train FILE --seconds S --seed 1` and nothing else makes of every file of the gallery.

  scripts/gallery_table.py PROGRAM OUT [FILE...]          --help lists the options

1. Every file is trained, several at a time; the best model by validation then solves the test problems greedily.
2. In the time that is left, breadth-first search with a million successors solves the same problems, 20 of each file in turn.

OUT/table.json and OUT/table.md are written anew whenever something ended, and OUT/models has the models. So the program may be
stopped at any time; called again with the same OUT, it does what is missing."""
import argparse
import concurrent.futures
import glob
import json
import os
import signal
import subprocess
import threading
import time

CHUNK = 20  # problems of a breadth-first search at a time
MOST_STEPS = "60"  # of a greedy solution

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program", help="conpole, built with LibTorch")
parser.add_argument("out", help="a folder")
parser.add_argument("files", nargs="*", help="domain files; all of gallery/ if none is given")
parser.add_argument("--seconds", type=float, default=100, help="of each training (100); 0: until it ends by itself")
parser.add_argument("--parallel", type=int, default=1, help="how many run at a time (1)")
parser.add_argument("--budget", type=float, default=float("inf"), help="seconds after which all ends; what has ended is kept")
parser.add_argument("--seed", default="1", help="of the trainings (1)")
parser.add_argument("--tests", default="20000:20200", metavar="FIRST:END", help="seeds of the test problems (20000:20200)")
parser.add_argument("--edges", default="1000000", help="successors that breadth-first search may list per problem (1000000); 0: "
                    "there is no such search")
parser.add_argument("--threads", type=int, default=0, help="of each training; the cores are shared if nothing is said")
args = parser.parse_args()
files = args.files or sorted(glob.glob(os.path.join(os.path.dirname(__file__), "..", "gallery", "*.domain")))
first, end = (int(seed) for seed in args.tests.split(":"))
threads = args.threads or max(1, (os.cpu_count() or 1) // args.parallel)
began = time.time()
deadline = began + args.budget
lock = threading.Lock()
table = os.path.join(args.out, "table.json")


def name_of(file):
    return os.path.basename(file).removesuffix(".domain")


def say(text):
    print(f"{time.time() - began:5.0f} s  {text}", flush=True)


def run(command, log, until):
    """The exit status; what is not done at the time `until` is interrupted, and killed if it does not end then."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            return process.wait(None if until == float("inf") else max(0, until - time.time()))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            return process.wait(8)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def evaluate(file, what, seeds, count, *options):
    """The answer of `conpole eval`, or None if it was stopped or failed."""
    log = os.path.join(args.out, "logs", f"{name_of(file)}.{what}")
    command = [args.program, "eval", file, "--json", "--seeds", seeds, "--threads", str(count), *options]
    if run(command, log, deadline) != 0:
        return None
    with open(log) as lines:
        return next((json.loads(line) for line in lines if line.startswith("{")), None)


def keep(row, **values):
    with lock:
        row.update(values)
        with open(table + ".new", "w") as output:
            json.dump({"tests": args.tests, "edges": args.edges, "files": rows}, output, indent=1)
        os.replace(table + ".new", table)
        with open(os.path.join(args.out, "table.md"), "w") as output:
            output.write(markdown())


def markdown():
    lines = ["| file | lines | breadth-first search solves, % | mean steps | the policy solves greedily, % | mean steps | "
             "seconds of training | million steps | best after, s |", "|---|---|---|---|---|---|---|---|---|"]
    for name, row in sorted(rows.items()):
        cells = [f"`{name}`", str(row["lines"])]
        wide = row.get("bfs")
        if wide:
            of = "" if wide["problems"] == end - first else f" of {wide['problems']}"
            cells += [f"{100 * wide['solved'] / wide['problems']:.1f}{of}",
                      f"{wide['steps'] / wide['solved']:.1f}" if wide["solved"] else "-"]
        else:
            cells += ["-", "-"]
        greedy = row.get("greedy")
        cells += [f"{100 * greedy['success_rate']:.1f}", f"{greedy['mean_length'] or 0:.1f}"] if greedy else ["-", "-"]
        training = row.get("training")
        if training:
            cells += [f"{training['seconds']:.0f}" + ("" if training["status"] == 0 else ", stopped"),
                      f"{training['steps'] / 1e6:.2f}", f"{training['best_after']:.0f}"]
        else:
            cells += ["-", "-", "-"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def metrics_of(folder):
    """How long the training took, in all and until the model that was best by validation."""
    lines = []
    try:
        with open(os.path.join(folder, "metrics.jsonl")) as source:
            lines = [json.loads(line) for line in source if line.endswith("}\n")]
    except OSError:
        pass
    tested = [line for line in lines if line.get("validation_success") is not None]
    best = max(tested, key=lambda line: (line["validation_success"], line["step"]), default={})
    return {"seconds": lines[-1]["seconds"] if lines else 0, "steps": lines[-1]["step"] if lines else 0,
            "problems": lines[-1].get("problems") if lines else None, "best_after": best.get("seconds", 0),
            "validation": best.get("validation_success")}


def train(file):
    name = name_of(file)
    row, folder = rows[name], os.path.join(args.out, "runs", name)
    model = os.path.join(args.out, "models", name + ".safetensors")
    if row.get("training") is None:
        # What could not end within the budget is not begun: a run that is cut short is another one.
        if time.time() + args.seconds + 25 > deadline:
            return say(f"{name}: no time is left to train it")
        say(f"{name}: training begins")
        command = [args.program, "train", file, "--out", folder, "--seed", args.seed, "--threads", str(threads)]
        if args.seconds > 0:
            command += ["--seconds", str(args.seconds)]
        status = run(command, os.path.join(args.out, "logs", name + ".train"), deadline - 15)
        best = os.path.join(folder, "best.safetensors")
        if os.path.exists(best):
            os.replace(best, model)
        keep(row, training={"status": status, **metrics_of(folder)})
        say(f"{name}: trained, status {status}, {row['training']}")
    if row.get("greedy") is None and os.path.exists(model):
        keep(row, greedy=evaluate(file, "greedy", args.tests, threads, "--search", "greedy", "--max-steps", MOST_STEPS, "--model",
                                  model, "--failures"))
        if row["greedy"]:
            say(f"{name}: greedy {100 * row['greedy']['success_rate']:.1f}%, mean {row['greedy']['mean_length']:.2f} steps")


def search(file, chunk):
    name = name_of(file)
    if chunk < first + rows[name].get("bfs", {}).get("problems", 0) or time.time() > deadline:
        return
    start = time.time()
    found = evaluate(file, f"bfs-{chunk}", f"{chunk}:{min(chunk + CHUNK, end)}", 1, "--search", "bfs", "--max-edges", args.edges)
    if found is None or found["interrupted"]:
        return
    with lock:
        old = rows[name].get("bfs", {"problems": 0, "solved": 0, "steps": 0})
    if chunk != first + old["problems"]:
        return  # one before it was not finished
    keep(rows[name], bfs={"problems": old["problems"] + found["problems"], "solved": old["solved"] + found["solved"],
                          "steps": old["steps"] + round(found["solved"] * (found["mean_length"] or 0))})
    say(f"{name}: breadth-first search solves {rows[name]['bfs']['solved']} of {rows[name]['bfs']['problems']}, "
        f"the last {found['problems']} in {time.time() - start:.1f} s")


for folder in ("runs", "models", "logs"):
    os.makedirs(os.path.join(args.out, folder), exist_ok=True)
rows = {}
if os.path.exists(table):
    with open(table) as kept:
        old = json.load(kept)
    if (old["tests"], old["edges"]) != (args.tests, args.edges):
        parser.error(f"{table} is of other test problems or another number of successors")
    rows = old["files"]
for file in files:
    with open(file) as source:
        rows.setdefault(name_of(file), {})["lines"] = sum(1 for _ in source)
with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
    list(pool.map(train, files))
# All chunks of a round are done before the next begins, so that every file has about as many.
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for chunk in range(first, end, CHUNK) if args.edges != "0" else ():
        list(pool.map(lambda file, at=chunk: search(file, at), files))
print(markdown(), end="")
