#!/usr/bin/env python3
"""Runs a benchmark of two builds by turns and prints how their figures compare.

    bench/compare.py OLD_BUILD NEW_BUILD [--rounds N] BENCHMARK [ARGUMENT...]

    bench/compare.py ../before/build build search
    bench/compare.py ../before/build build --rounds 5 solve 40

The figures of a benchmark are the numbers on the lines of its output. Two numbers are the same figure if their lines are alike
but for numbers. Of each figure the median over the rounds is taken; what a rival of the same run gives (another library, a copy of
memory) should come out at 1.00 and shows how quiet the machine was.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?")


def figures(text):
    """{(skeleton of a line, how often it came before, index of the number): value} of an output."""
    seen = collections.Counter()
    found = {}
    for line in text.splitlines():
        skeleton = " ".join(NUMBER.sub("#", line).split())
        occurrence = seen[skeleton]
        seen[skeleton] += 1
        for index, number in enumerate(NUMBER.findall(line)):
            found[skeleton, occurrence, index] = float(number.replace(",", ""))
    return found


def run(build, benchmark, arguments):
    program = pathlib.Path(build) / "bench" / benchmark
    if not program.is_file():
        sys.exit(f"there is no benchmark {program}")
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} failed with status {done.returncode}: {done.stderr.strip()}")
    return figures(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="build folder")
    parser.add_argument("new", help="build folder")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("benchmark")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    values = {"old": collections.defaultdict(list), "new": collections.defaultdict(list)}
    for _ in range(options.rounds):
        for side, build in (("old", options.old), ("new", options.new)):
            for figure, value in run(build, options.benchmark, options.arguments).items():
                values[side][figure].append(value)

    for figure, olds in values["old"].items():
        news = values["new"].get(figure)
        if not news:
            continue
        old, new = statistics.median(olds), statistics.median(news)
        if old == new:
            continue
        skeleton, occurrence, index = figure
        ratio = f"{new / old:6.3f}" if old else "   new"
        print(f"{ratio}  {old:12g} -> {new:12g}  number {index + 1} of: {skeleton}" + (f" ({occurrence + 1})" if occurrence else ""))


if __name__ == "__main__":
    main()
