#!/usr/bin/env python3
"""Several ranks against one, on this machine, which should do nothing else: bench/ranks.py BUILD [--only PART] [--turns 3]

steps    Environment steps per second of sorting on one rank with one core, and on two ranks with one core each,
         by turns: with the same settings, and with twice as many problems in flight and gradient steps that are half as many and
         twice as large, so that every rank does what the one did.
sums     The time of an all-reduce of a gradient, and of an exchange, between two ranks.
network  The same between two network namespaces with a slower line between them, beside what docs/scaling.md's model says (as
         root; bench/slow_line.py is the line).
gpu      On one GPU: one rank by NCCL, two ranks by Gloo, whether these hold the same weights, and how the time of equations
         divides. Takes less than a minute.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from slow_line import SlowLine

WEIGHTS = 800_000
# Gloo sends when the receiver has said that it is ready, so that each round of its ring takes a way there and back: a sum of two ranks
# has two rounds, and an exchange one.
LATENCIES_OF_SUM = 4
LATENCIES_OF_EXCHANGE = 2
LINES = ((0.05, 2000), (0.5, 2000), (1, 2000), (5, 2000), (0.05, 1000), (0.05, 100), (1, 1000), (5, 100))
ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def launch(size, command, pinned=True, line=None):
    """Runs `size` ranks, each on a core of its own, two of them at the ends of a line if there is one. Returns what rank 0 prints, and
    the processors' seconds of all."""
    cores = sorted(os.sched_getaffinity(0))
    port = free_port()
    ranks = []
    for rank in range(size):
        environment = dict(os.environ, OMP_NUM_THREADS="1", MASTER_PORT=str(port))
        if size > 1:
            environment.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1")
        where = []
        if line:
            environment.update(MASTER_ADDR=line.address(0), GLOO_SOCKET_IFNAME="line")
            where = line.inside(rank % 2)  # neighbours are never at the same end
        pin = ["taskset", "-c", str(cores[rank % len(cores)])] if pinned and shutil.which("taskset") else []
        out = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
        ranks.append(subprocess.Popen(where + pin + command, env=environment, stdout=out, text=True))
    text = ranks[0].stdout.read()
    processors = 0
    for process in ranks:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"a rank ended with status {process.returncode}")
        processors += used.ru_utime + used.ru_stime
    return text, processors


def train(build, size, domain, arguments, pinned=True):
    """The last line of metrics, the difference to the first one, and the processors' seconds."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(build / "conpole-torch"), "train", "--domain", domain, *arguments, "--out", folder + "/run", "--json"]
        # Options that are given twice are refused.
        chosen = {}
        for name, value in zip(command[2:-1:2], command[3::2]):
            chosen[name] = value
        command = command[:2] + [text for item in chosen.items() for text in item] + ["--json"]
        text, processors = launch(size, command, pinned)
    events = [json.loads(line) for line in text.splitlines()]
    evaluated = [event for event in events if event["event"] == "evaluated"]
    end = [event for event in events if event["event"] == "end"][-1]
    return evaluated, end, processors


def measure_steps(build, turns, steps):
    grown = ["--in-flight", "128", "--batch", "48", "--gradient-steps", "0.25"]
    kinds = {
        "one rank": (1, []),
        "two ranks, the same settings": (2, []),
        "two ranks, as much work on each": (2, grown),
    }
    rates = {name: [] for name in kinds}
    processors = {name: [] for name in kinds}
    waited = {name: [] for name in kinds}
    success = {name: [] for name in kinds}
    arguments = ["--threads", "1", "--steps", str(steps), "--eval-every", str(steps // 10)]
    for _ in range(turns):
        for name, (size, more) in kinds.items():
            evaluated, end, used = train(build, size, "sorting", arguments + more)
            first, last = evaluated[0], evaluated[-1]
            rates[name].append((last["step"] - first["step"]) / (last["seconds"] - first["seconds"]))
            processors[name].append(used / size / last["step"] * 1000)
            waited[name].append(max(end.get(f"seconds_waited_rank_{rank}", 0) for rank in range(size)) / end["seconds"])
            success[name].append(last["validation_success"])
    print(f"steps/s of {steps} steps, medians of {turns} turns, load {os.getloadavg()[0]:.1f}")
    print("| ranks | steps/s | times | processor s per rank and 1000 steps | waited | validation |")
    print("|---|---|---|---|---|---|")
    one = statistics.median(rates["one rank"])
    for name in kinds:
        rate = statistics.median(rates[name])
        print(f"| {name} | {rate:.0f} | {rate / one:.2f} | {statistics.median(processors[name]):.2f} | "
              f"{100 * statistics.median(waited[name]):.0f}% | {100 * min(success[name]):.1f}% |")  # fmt: skip


def sums(build, line=None):
    return json.loads(launch(2, [str(build / "bench/rank_sums"), str(WEIGHTS)], line=line)[0])


def measure_sums(build):
    near = sums(build)
    print(f"loopback: all-reduce of {WEIGHTS} weights {near['sum_ms']:.2f} ms, of one {near['sum_of_one_ms']:.2f} ms, "
          f"exchange {near['exchange_ms']:.2f} ms")  # fmt: skip


def measure_network(build):
    """The model is of what a line adds: it begins with the first one, and for gradient steps with those that the ranks take apart."""
    step = [str(build / "bench/rank_sums"), "learn", "cpu", "2", "sorting"]
    bytes_sent = 4 * WEIGHTS
    near = None
    print("| one way ms | Mbit/s | all-reduce ms | model | exchange ms | model | gradient step ms | model |")
    print("|---|---|---|---|---|---|---|---|")
    for delay_ms, megabits in LINES:
        with SlowLine(delay_ms, megabits) as line:
            far = sums(build, line)
            took = json.loads(launch(2, step, line=line)[0])
        near = near or dict(far, delay_ms=delay_ms, megabits=megabits)
        delay = delay_ms - near["delay_ms"]
        transfer = bytes_sent * 8 / 1e3 * (1 / megabits - 1 / near["megabits"])
        sum_ms = transfer + LATENCIES_OF_SUM * delay
        print(f"| {delay_ms} | {megabits} | {far['sum_ms']:.2f} | {near['sum_ms'] + sum_ms:.2f} | {far['exchange_ms']:.2f} | "
              f"{near['exchange_ms'] + LATENCIES_OF_EXCHANGE * delay:.2f} | {took['together_ms']:.1f} | "
              f"{took['apart_ms'] + near['sum_ms'] + sum_ms:.1f} |", flush=True)  # fmt: skip


def measure_gpu(build, device, examples):
    began = time.monotonic()
    test = build / "tests/process_group_test"
    if test.exists():
        print("tests of ranks on a GPU:", flush=True)
        subprocess.run([str(test), "--gtest_brief=1", "--gtest_filter=*Gpu*:*Nccl*"], check=True)
    print(f"\n| ranks | gradient step of {examples} examples in all: ms | of its own part alone: ms |")
    print("|---|---|---|")
    for size in (1, 2):
        text, _ = launch(size, [str(build / "bench/rank_sums"), "learn", device, str(examples)], pinned=False)
        took = json.loads(text)
        by = ("NCCL" if "nccl" in took["backends"] else "Gloo") if size == 1 else "Gloo"
        print(f"| {size} by {by} | {took['together_ms']:.2f} | {took['apart_ms']:.2f} |", flush=True)
    near = json.loads(launch(2, [str(build / "bench/rank_sums"), str(WEIGHTS)], pinned=False)[0])
    print(f"\nall-reduce of {WEIGHTS} weights {near['sum_ms']:.2f} ms, exchange {near['exchange_ms']:.2f} ms by Gloo")
    evaluated, _, _ = train(build, 2, "sorting", ["--device", device, "--threads", "1", "--steps", "3000"], pinned=False)
    last = evaluated[-1]
    print(f"sorting on two ranks: {100 * last['validation_success']:.1f}% solved after {last['step']} steps, weights differed "
          f"{last['weights_differed']:.0f} times", flush=True)  # fmt: skip
    print("\n| equations on | seconds | search | score | gradient | all-reduce | waiting | idle | gradient steps | steps/s |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size in (1, 2):
        arguments = ["--device", device, "--threads", "4", "--seconds", "12", "--eval-every", "1000000000"]
        if device == "cpu":
            arguments += ["--batch", "4", "--network", "lstm:hidden=16"]  # just to try this out
        _, end, _ = train(build, size, "equations", arguments, pinned=False)
        waited = end.get("seconds_waited_rank_0", 0)
        # What a sum takes when nobody is late; the rest of the time in exchanges is waiting. Some of it is not in gradient steps.
        summing = min(waited, end["gradient_steps"] * near["sum_ms"] / 1e3) if size > 1 else 0
        search = end["seconds_select"] + end["seconds_expand"] + end["seconds_prepare"]
        gradient = max(0, end["seconds_learn"] - waited)
        print(f"| {size} rank{'s' * (size > 1)} | {end['seconds']:.1f} | {search:.2f} | {end['seconds_encode']:.2f} | {gradient:.2f} | "
              f"{summing:.2f} | {waited - summing:.2f} | {end['seconds_idle']:.2f} | {end['gradient_steps']:.0f} | "
              f"{end['step'] / end['seconds']:.0f} |", flush=True)  # fmt: skip
    print(f"\n{time.monotonic() - began:.0f} s in all")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", choices=["steps", "sums", "network", "gpu"])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40_000, help="environment steps of a run")
    parser.add_argument("--device", default="cuda", help="of the part gpu")
    parser.add_argument("--examples", type=int, default=512, help="of a gradient step in the part gpu")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.only in (None, "steps"):
        measure_steps(build, options.turns, options.steps)
    if options.only in (None, "sums"):
        measure_sums(build)
    if options.only in (None, "network"):
        try:
            measure_network(build)
        except OSError as error:
            print(f"the network is not measured: {error}")
    if options.only == "gpu":
        measure_gpu(build, options.device, options.examples)


if __name__ == "__main__":
    main()
