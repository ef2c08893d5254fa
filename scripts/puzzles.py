#!/usr/bin/env python3
"""Trains the puzzles of the gallery, several at a time on one device, solves test states with them, and prints a table.

python3 scripts/puzzles.py --out DIR [--device cuda] [--conpole build/conpole] [--scale 1] [--only NAME]

Every puzzle is learned by the recipe without settings, but for the seconds. DIR gets a run folder per puzzle, the test states,
records.jsonl with a line per search, and table.md. Test states are uniformly random where that is easy to draw (tiles, Lights
Out), else walks of 500 random moves; the seed is fixed. docs/experiments/puzzles.md has the figures of such runs.
"""
import argparse
import json
import random
import re
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Lanes run side by side, the puzzles of a lane one after the other: name, seconds of training, test states, and which beams.
POLICY, DISTANCE, BOTH = "log-probability", "distance", "both"
LANES = [
    [("twenty-four-puzzle", 230, 40, [(BOTH, 1024), (DISTANCE, 1024), (POLICY, 2048), (BOTH, 8192), (DISTANCE, 8192), (POLICY, 16384), (BOTH, 32768)])],
    [
        ("fifteen-puzzle", 60, 100, [(BOTH, 256), (BOTH, 1024), (DISTANCE, 1024), (POLICY, 2048), (BOTH, 8192)]),
        ("lights-out-7x7", 40, 100, [(BOTH, 64), (POLICY, 1024), (BOTH, 1024)]),
        ("pyraminx", 15, 100, [(BOTH, 1024)]),
        ("cube-2x2x2", 15, 100, [(BOTH, 1024)]),
    ],
    [
        ("megaminx", 120, 5, [(POLICY, 16384), (BOTH, 16384)]),
        ("cube-4x4x4", 110, 5, [(POLICY, 16384), (BOTH, 16384)]),
    ],
]


def moves_of(name):
    """The permutations of a file of the gallery, as lists of where each cell gets its colour from, and their inverses."""
    text = (ROOT / "gallery" / (name + ".domain")).read_text()
    imported = re.search(r'moves from "(.*)"', text)
    lines = re.findall(r"^move .*", text, re.M) if not imported else (ROOT / "gallery" / imported[1]).read_text().split("\n")
    cells = len(re.sub(r"[ /]", "", re.search(r'^solved "(.*)"', text, re.M)[1]))
    moves = []
    for line in lines:
        move = list(range(cells))
        for cycle in re.findall(r"\(([\d ,]+)\)", line):
            numbers = [int(number) - 1 for number in re.split(r"[ ,]+", cycle)]
            for i, cell in enumerate(numbers):
                move[numbers[(i + 1) % len(numbers)]] = cell
        if move != list(range(cells)):
            moves += [move, [move.index(i) for i in range(cells)]]
    return moves


def test_states(name, count):
    chance = random.Random(5)
    solved = re.search(r'^solved "(.*)"', (ROOT / "gallery" / (name + ".domain")).read_text(), re.M)[1]
    marks = [c for c in solved if c not in " /"]

    def written(cells):
        rest = iter(cells)
        return "".join(c if c in " /" else next(rest) for c in solved)

    states = []
    while len(states) < count:
        if name.startswith("lights-out"):
            states.append(written([chance.choice(".o") for _ in marks]))
        elif name.endswith("-puzzle"):
            side = solved.index("/")
            order = list(range(len(marks)))
            chance.shuffle(order)
            swaps = sum(a > b for i, a in enumerate(order) for b in order[i + 1:] if a < len(marks) - 1 and b < len(marks) - 1)
            row = order.index(len(marks) - 1) // side
            if (swaps + (side - 1 - row) * (side % 2 == 0)) % 2 == 0:
                states.append(written([marks[i] for i in order]))
        else:
            moves, cells = moves_of(name), marks
            for _ in range(500):
                move = chance.choice(moves)
                cells = [cells[i] for i in move]
            states.append(written(cells))
    return states


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--conpole", default=str(ROOT / "build" / "conpole"))
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--scale", type=float, default=1, help="of the seconds of training")
    parser.add_argument("--widest", type=int, default=1 << 20, help="beams that are wider are left out")
    parser.add_argument("--test", type=int, default=1000, help="the most test states of a puzzle")
    parser.add_argument("--limit", type=float, default=1e9, help="seconds after which no search begins any more, and none goes on")
    parser.add_argument("--only", action="append", help="the name of a puzzle; may be given several times")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    records, lock = [], threading.Lock()

    def left():
        return options.limit - (time.time() - began)

    def learn_and_solve(name, seconds, count, beams):
        domain = str(ROOT / "gallery" / (name + ".domain"))
        folder = options.out / name
        log = open(options.out / (name + ".log"), "w")
        problems = options.out / (name + ".txt")
        problems.write_text("\n".join(test_states(name, min(count, options.test))) + "\n")
        subprocess.run([options.conpole, "train", domain, "--out", str(folder), "--device", options.device, "--seconds",
                        str(seconds * options.scale), "--eval-every", "1000000000", "--checkpoint-minutes", "60"],
                       stdout=log, stderr=subprocess.STDOUT, check=False)
        for value, width in beams:
            if width > options.widest or left() < 5:
                continue
            try:
                done = subprocess.run([options.conpole, "eval", domain, "--problems", str(problems), "--model",
                                       str(folder / "last.safetensors"), "--device", options.device, "--search", "beam", "--beam", str(width),
                                       "--beam-value", value, "--max-steps", "400", "--json"],
                                      stdout=subprocess.PIPE, stderr=log, check=False, timeout=left())
                result = json.loads(done.stdout)
            except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
                print(name, value, width, type(error).__name__, file=log, flush=True)
                continue
            record = {"puzzle": name, "trained_seconds": seconds * options.scale, "beam_value": value, "width": width,
                      "problems": result["problems"], "solved": result["solved"], "mean_length": result["mean_length"],
                      "longest": result["length_max"], "states": result["expanded"] / max(1, result["problems"]),
                      "states_per_second": result["expanded"] / max(1e-9, result["seconds"]),
                      "seconds_each": result["seconds"] / max(1, result["problems"])}
            with lock:
                records.append(record)
                with open(options.out / "records.jsonl", "a") as file:
                    file.write(json.dumps(record) + "\n")
                print(json.dumps(record), flush=True)

    def run_lane(lane):
        for puzzle in lane:
            if options.only and puzzle[0] not in options.only:
                continue
            learn_and_solve(*puzzle)

    lanes = [threading.Thread(target=run_lane, args=(lane,)) for lane in LANES]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    table = ["| puzzle | trained | beam by | width | solved | moves | longest | states each | states/s | s each |", "|" + "---|" * 10]
    for r in sorted(records, key=lambda r: (r["puzzle"], r["states"])):
        table.append("| {puzzle} | {trained_seconds:.0f} s | {beam_value} | {width:,} | {solved} of {problems} | {mean_length:.2f} | {longest:.0f} | "
                     "{states:,.0f} | {states_per_second:,.0f} | {seconds_each:.2f} |".format(**r))
    (options.out / "table.md").write_text("\n".join(table) + "\n")
    print("\n".join(table))


if __name__ == "__main__":
    main()
