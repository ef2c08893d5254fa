"""How fast the domains list successors from Python, beside C++ with the same states and threads.

Usage: python bench/python.py [BUILD_FOLDER], with the package installed and BUILD_FOLDER/bench/domains built (default: build).
Prints, for one thread and for all cores, the rates of the columnar form (expand) with states in columns and in a list, and of the
form with lists (step). What is timed alternates with C++, and the fastest pass counts, so that other work on the machine disturbs both alike.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable

import conpole

STATES = 10_000
WALK = 12
ROUNDS = 4
SECONDS = 0.3


def walk_states(domain: conpole.Domain) -> list[str]:
    """States on random walks from generated problems, none of them solved."""
    generator = random.Random(1)
    states: list[str] = []
    seed = 1_000_000
    while len(states) < STATES:
        state = domain.generate(seed)
        seed += 1
        for _ in range(WALK + 1):
            _, _, successors = domain.step([state])[0]
            if not successors:
                break
            states.append(state)
            state = generator.choice(successors)
    return states[:STATES]


def fastest(call: Callable[[], object]) -> float:
    best = float("inf")
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def fastest_in_cpp(program: str, domain: conpole.Domain, states: list[str], threads: int) -> float:
    command = [program, "--pass", domain.spec, str(threads)]
    return float(subprocess.run(command, input="\n".join(states), capture_output=True, text=True, check=True).stdout)


def print_rates(program: str, domain: conpole.Domain, given: conpole.Expansion, threads: int) -> None:
    states = [given[i] for i in range(len(given))]
    successors = len(domain.expand(given))
    columns = strings = lists = cpp = float("inf")
    for _ in range(ROUNDS):
        columns = min(columns, fastest(lambda: domain.expand(given, threads=threads)))
        cpp = min(cpp, fastest_in_cpp(program, domain, states, threads))
        strings = min(strings, fastest(lambda: domain.expand(states, threads=threads)))
        lists = min(lists, fastest(lambda: domain.step(states, threads=threads)))
    print(
        f"{domain.name:<18}{threads or 'all':<9}{len(states) / columns / 1e6:>9.2f}M{successors / columns / 1e6:>13.1f}M"
        f"{successors / cpp / 1e6:>8.1f}M{100 * cpp / columns:>7.0f}%{successors / strings / 1e6:>10.1f}M"
        f"{100 * cpp / strings:>7.0f}%{successors / lists / 1e6:>8.1f}M",
        flush=True,
    )


def main() -> None:
    program = f"{sys.argv[1] if len(sys.argv) > 1 else 'build'}/bench/domains"
    print(f"{'domain':<18}{'threads':<9}{'states/s':>10}{'successors/s':>14}{'C++':>9}{'of C++':>8}{'strings':>11}{'of C++':>8}{'step':>9}")
    for name in conpole.domain_names():
        domain = conpole.Domain(name)
        walked = walk_states(domain)
        branching = len(domain.expand(walked)) / len(walked)
        given = domain.expand(walked[: round(STATES / branching)])
        for threads in (1, 0):
            print_rates(program, domain, given, threads)


if __name__ == "__main__":
    main()
