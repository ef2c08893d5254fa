#!/usr/bin/env python3
"""How long a cold conpole solve takes for a cube, how short its solutions are and how much memory it needs: one process per cube, one after
the other, as a person would start it.

Without a file the cubes are random, scrambled by 100 turns. Every number of milliseconds is a row of the table, what is given to solve as
--milliseconds; 0, which is also what is measured without any, is solve without that option. Seconds are of the wall clock, from the start of
the process to its end; the processor's are those of all its threads.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import time

BUILD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build")


def solve(program, cube, milliseconds):
    command = [program, "solve", "rubiks-cube", cube, "--json"] + (["--milliseconds", str(milliseconds)] if milliseconds else [])
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return {"seconds": time.monotonic() - start, "processor": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024,
            "answer": json.loads(said)}


def cubes_of(args):
    if args.cubes:
        with open(args.cubes, encoding="utf-8") as file:
            return json.load(file)[:args.first]
    lines = subprocess.run([args.program, "generate", "rubiks-cube:min_moves=100,max_moves=100", "--count", str(args.first)],
                           stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [json.loads(line)["problem"] for line in lines]


def percentile(values, share):
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(BUILD, "conpole"), help="by default that of build/")
    parser.add_argument("--cubes", metavar="FILE", help="a JSON list of cubes")
    parser.add_argument("--first", type=int, default=100, metavar="COUNT", help="only this many cubes; by default 100")
    parser.add_argument("milliseconds", type=int, nargs="*", default=[0])
    args = parser.parse_args()
    cubes = cubes_of(args)
    print(f"{len(cubes)} cubes, {os.cpu_count()} cores\n\n"
          "| --milliseconds | verified | mean moves | most | p50 s | p95 s | mean processor s | most MB |\n|---|---|---|---|---|---|---|---|")
    for milliseconds in args.milliseconds or [0]:
        runs = [solve(args.program, cube, milliseconds) for cube in cubes]
        moves = [run["answer"]["moves"]["quarter"] for run in runs if run["answer"].get("verified")]
        seconds = [run["seconds"] for run in runs]
        print(f"| {milliseconds or 'not given'} | {len(moves)} of {len(cubes)} | {statistics.fmean(moves or [0]):.2f} | "
              f"{max(moves, default=0)} | {percentile(seconds, 0.5):.2f} | {percentile(seconds, 0.95):.2f} | "
              f"{statistics.fmean(run['processor'] for run in runs):.2f} | {max(run['megabytes'] for run in runs):.0f} |", flush=True)


if __name__ == "__main__":
    main()
