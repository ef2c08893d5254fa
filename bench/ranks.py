#!/usr/bin/env python3
"""Several ranks against one, on this machine, which should do nothing else: bench/ranks.py BUILD [--seconds 60]

1. Environment steps per second of configs/sorting-cpu.toml on one rank with one core, and on two ranks with one core each.
2. The time of an all-reduce of a gradient, and of an exchange, between two ranks.
3. The same over a loopback that is slower by tc, in a network namespace (as root), beside what docs/scaling.md's model says.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

WEIGHTS = 800_000


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def launch(size, command, pinned=True):
    """Runs so many ranks, each on a core of its own, and returns what rank 0 prints."""
    cores = sorted(os.sched_getaffinity(0))
    port = free_port()
    ranks = []
    for rank in range(size):
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        if size > 1:
            environment.update(
                RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)
            )
        pin = ["taskset", "-c", str(cores[rank % len(cores)])] if pinned and shutil.which("taskset") else []
        out = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
        ranks.append(subprocess.Popen(pin + command, env=environment, stdout=out, text=True))
    text = ranks[0].communicate()[0]
    for process in ranks:
        if process.wait() != 0:
            sys.exit(f"a rank ended with status {process.returncode}")
    return text


def steps_per_second(build, size, minutes):
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(__file__).parent.parent / "configs/sorting-cpu.toml"
        launch(
            size,
            [str(build / "conpole-torch"), "train", "--config", str(config), "--threads", "1", "--out", folder + "/run",
             "--steps", "1000000000", "--eval-every", "20000", "--minutes", str(minutes)],
        )  # fmt: skip
        lines = [json.loads(line) for line in open(folder + "/run/metrics.jsonl")]
        first, last = lines[0], lines[-1]
        return (last["step"] - first["step"]) / (last["seconds"] - first["seconds"]), last


def sums(build):
    return json.loads(launch(2, [str(build / "bench/rank_sums"), str(WEIGHTS)]))


def over_slow_loopback(build, delay_ms, megabits):
    """The sums with a loopback that delays every packet and sends so many megabits per second."""
    setup = f"ip link set lo up && tc qdisc add dev lo root netem delay {delay_ms}ms rate {megabits}mbit limit 100000"
    again = f"exec {sys.executable} {os.path.abspath(__file__)} {build} --only-sums"
    result = subprocess.run(["unshare", "-n", "sh", "-c", f"{setup} && {again}"], capture_output=True, text=True)
    if result.returncode != 0:
        raise OSError(result.stderr.strip() or "unshare failed")
    return json.loads(result.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=60, help="of each run")
    parser.add_argument("--only-sums", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.only_sums:
        print(json.dumps(sums(build)))
        return
    one, _ = steps_per_second(build, 1, options.seconds / 60)
    two, last = steps_per_second(build, 2, options.seconds / 60)
    waited = ", ".join(f"rank {rank} {last[f'seconds_waited_rank_{rank}']:.1f} s" for rank in (0, 1))
    print(f"steps/s: {one:.0f} on one rank, {two:.0f} on two: {two / one:.2f} times; waited: {waited}")
    near = sums(build)
    print(f"loopback: all-reduce of {WEIGHTS} weights {near['sum_ms']:.2f} ms, of one {near['sum_of_one_ms']:.2f} ms, "
          f"exchange {near['exchange_ms']:.2f} ms")  # fmt: skip
    print("| delay ms | Mbit/s | all-reduce ms | model ms | exchange ms | model ms |")
    print("|---|---|---|---|---|---|")
    for delay_ms, megabits in ((0.1, 10000), (0.5, 10000), (1, 1000), (5, 1000)):
        try:
            far = over_slow_loopback(build, delay_ms, megabits)
        except OSError as error:
            print(f"no slower network here: {error}")
            return
        # A ring of two: half of the bytes go each way, twice. One device sends for both.
        transfer = 2 * 4 * WEIGHTS * 8 / (megabits * 1e6) * 1e3
        print(f"| {delay_ms} | {megabits} | {far['sum_ms']:.2f} | {near['sum_ms'] + transfer + 2 * delay_ms:.2f} | "
              f"{far['exchange_ms']:.2f} | {near['exchange_ms'] + delay_ms:.2f} |")  # fmt: skip


main()
