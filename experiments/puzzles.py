#!/usr/bin/env python3
"""Puzzles that are domain files, each learned by the recipe without settings but for the seconds, and solved by beams.

  experiments/puzzles.py --out DIR                        --help lists the options

1. `conpole train` learns a puzzle; a folder that has a model already is left as it is.
2. Random states are solved by each beam, and the record is written.
3. The table is made of all records.

Whatever ends the program, the same command goes on. The folder has

  PUZZLE/           the run
  data/PUZZLE-VALUE-WIDTH.json
  puzzles.md
"""
import argparse
import json
import os
import shutil
import sys

import common
from common import Wrong

POLICY, DISTANCE = "log-probability", "distance"

# Seconds of training, states that are solved, random moves that lead to them, the most moves of a solution, beams. A hole has to
# be everywhere before tiles are mixed, which takes many moves.
PUZZLES = {
    "twenty-four-puzzle": (320, 40, 20_000, 400, [(DISTANCE, 1600), (DISTANCE, 8192), (DISTANCE, 16384)]),
    "thirty-five-puzzle": (320, 20, 50_000, 800, [(DISTANCE, 1600), (DISTANCE, 16384)]),
    "lights-out-7x7": (40, 100, 500, 100, [(POLICY, 1), (POLICY, 128), (POLICY, 1024)]),
    "cube-4x4x4": (160, 8, 500, 150, [(DISTANCE, 16384), (DISTANCE, 131072), (DISTANCE, 524288)]),
    "fifteen-puzzle": (60, 100, 10_000, 400, [(DISTANCE, 1024), (DISTANCE, 8192)]),
    "pyraminx": (15, 100, 500, 100, [(DISTANCE, 1024)]),
    "cube-2x2x2": (15, 100, 500, 100, [(DISTANCE, 1024)]),
    "eight-puzzle": (10, 100, 5_000, 100, [(DISTANCE, 64)]),
    "megaminx": (160, 20, 500, 200, [(DISTANCE, 16384), (DISTANCE, 131072)]),
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_common_options(parser)
    parser.add_argument("--gallery", default=os.path.join(common.SOURCE, "gallery"), help="the folder of the domain files")
    parser.add_argument("--puzzles", default=",".join(PUZZLES), help="only these, for example fifteen-puzzle,pyraminx")
    parser.add_argument("--device", help="to train and solve on: cpu, cuda or cuda:N; by default a GPU if there is one")
    parser.add_argument("--scale", type=float, default=1, help="the seconds of training are multiplied by this")
    parser.add_argument("--tests", type=int, default=0, help="how many states of each puzzle are solved; 0 is what is usual")
    parser.add_argument("--widest", type=int, default=1 << 24, help="wider beams are left out")
    args = parser.parse_args()
    args.device = args.device or ("cuda" if shutil.which("nvidia-smi") else "cpu")
    args.puzzles = args.puzzles.split(",")
    for name in args.puzzles:
        if name not in PUZZLES:
            raise Wrong(f"--puzzles: there is no '{name}'; there are: {', '.join(PUZZLES)}")
    return args


class Puzzle:
    def __init__(self, args, program, name):
        self.args, self.program, self.name = args, program, name
        seconds, tests, self.mixing, self.longest, self.beams = PUZZLES[name]
        self.seconds, self.tests = seconds * args.scale, args.tests or tests
        self.file, self.folder = os.path.join(args.gallery, f"{name}.domain"), os.path.join(args.out, name)
        self.model = os.path.join(self.folder, "last.safetensors")

    def run(self, log, *arguments):
        return common.run_logged([self.program, *arguments], os.path.join(self.args.out, f"{self.name}.{log}"))

    def record_of(self, value, width):
        return os.path.join(self.args.out, "data", f"{self.name}-{value}-{width}.json")

    def learn(self):
        if os.path.exists(self.model):
            return
        print(f"{self.name}: learning for {self.seconds:.0f} s", file=sys.stderr)
        resume = ["--resume"] if os.path.isdir(self.folder) else []
        self.run("train", "train", self.file, "--out", self.folder, "--seconds", str(self.seconds), "--device", self.args.device,
                 "--threads", str(self.args.threads), *resume)

    def random_states(self):
        states = []
        while len(states) < self.tests:
            walk = self.run("walk", "walk", self.file, "--seed", str(len(states)), "--steps", str(self.mixing)).splitlines()
            # A line per step, "state | move", and how it ended. One that came to the solved state ends before it.
            states.append(walk[-3 if walk[-1].startswith("-- solved") else -2].split(" | ")[0])
        path = os.path.join(self.args.out, f"{self.name}.states.json")
        common.write(path, json.dumps(states))
        return path

    def solve(self):
        left = [beam for beam in self.beams if beam[1] <= self.args.widest and not os.path.exists(self.record_of(*beam))]
        if not left:
            return
        states = self.random_states()
        for value, width in left:
            print(f"{self.name}: {value} {width}", file=sys.stderr)
            report = json.loads(self.run("eval", "eval", self.file, "--problems", states, "--model", self.model, "--device", self.args.device,
                                         "--search", "beam", "--beam-value", value, "--beam", str(width), "--max-steps", str(self.longest),
                                         "--threads", str(self.args.threads), "--json"))
            record = {"trained_seconds": self.seconds, "problems": report["problems"], "solved": report["solved"],
                      "mean_moves": report["mean_length"], "longest": round(report["length_max"]), "states": report["expanded"],
                      "seconds": round(report["seconds"], 3)}
            common.write(self.record_of(value, width), common.format_record(record))

    def rows(self):
        for value, width in self.beams:
            if not os.path.exists(self.record_of(value, width)):
                continue
            one = json.loads(common.read(self.record_of(value, width)))
            problems, seconds = max(1, one["problems"]), max(1e-9, one["seconds"])
            yield [self.name, f"{one['trained_seconds']:.0f} s", value, f"{width:,}", f"{one['solved']} of {one['problems']}",
                   f"{one['mean_moves']:.2f}" if one["solved"] else "", str(one["longest"]) if one["solved"] else "",
                   f"{one['states'] / problems:,.0f}", f"{one['states'] / seconds:,.0f}", f"{seconds / problems:.2f}"]


def main():
    args = parse_arguments()
    program = common.find_program(args.program)
    os.makedirs(os.path.join(args.out, "data"), exist_ok=True)
    puzzles = [Puzzle(args, program, name) for name in args.puzzles]
    for puzzle in puzzles:
        puzzle.learn()
        puzzle.solve()
    rows = [["puzzle", "trained", "beam by", "width", "solved", "moves", "longest", "states each", "states/s", "s each"]]
    rows += [row for puzzle in puzzles for row in puzzle.rows()]
    common.show_table(args, "puzzles", common.markdown_table(rows))
    return 0


if __name__ == "__main__":
    common.run(main)
