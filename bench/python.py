"""How fast environments step from Python, and how fast the domains list successors beside C++ with the same states and threads.

Usage: python bench/python.py [BUILD_FOLDER], with the package and Gymnasium installed (default: build).

The first table has steps per CPU-second of random walks: one environment of Gymnasium, many of them at a time on one thread and on
all cores (a second of two of them is two CPU-seconds), and `expand` alone; the second one those of sorting written in Python. The last one needs BUILD_FOLDER/bench/domains and is left out without it. It has, for one thread and for all
cores, the rates of the columnar form (expand) with states in columns and in a list, and of the form with lists (step). What is timed
alternates, and the fastest pass counts, so that other work on the machine disturbs all alike.
"""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import conpole
from conpole.environments import environment_id

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


def steps_of_one(name: str) -> tuple[Callable[[], object], int]:
    """A pass of steps with one environment, and how many they are."""
    steps = 2_000
    environment = gymnasium.make(environment_id(name))
    draws = np.random.default_rng(1).integers(2**31, size=steps).tolist()

    def walk() -> None:
        _, info = environment.reset()
        for draw in draws:
            _, _, terminated, truncated, info = environment.step(draw % max(1, info["num_actions"]))
            if terminated or truncated:
                _, info = environment.reset()

    return walk, steps


def steps_of_many(name: str, count: int, threads: int = 1) -> tuple[Callable[[], object], int]:
    """The same with many environments behind `make_vec`, of which those that have ended begin anew."""
    rounds = max(1, 30_000 // count)
    environments: Any = gymnasium.make_vec(environment_id(name), num_envs=count, threads=threads)
    draws = np.random.default_rng(1).integers(2**31, size=(rounds, count), dtype=np.int32)
    counts = environments.reset(seed=1)[1]["num_actions"]

    def walk() -> None:
        nonlocal counts
        for draw in draws:
            counts = environments.step(draw % np.maximum(counts, 1))[4]["num_actions"]

    return walk, rounds * count


def states_of_expand(name: str) -> tuple[Callable[[], object], int]:
    domain = conpole.Domain(name)
    states = walk_states(domain)
    return lambda: domain.expand(states, threads=1), len(states)


def print_environments() -> None:
    names = ("sorting", "equations")
    kinds: dict[str, Callable[[str], tuple[Callable[[], object], int]]] = {
        "gym.make": steps_of_one,
        "make_vec, 64 environments": lambda name: steps_of_many(name, 64),
        "make_vec, 1,024 environments": lambda name: steps_of_many(name, 1024),
        "the same on all cores": lambda name: steps_of_many(name, 1024, threads=0),
        "expand alone, one thread": states_of_expand,
    }
    passes = {(kind, name): make(name) for kind, make in kinds.items() for name in names}
    best = dict.fromkeys(passes, float("inf"))
    for _ in range(8 * ROUNDS):
        for key, (call, _) in passes.items():
            begin = time.process_time()
            call()
            best[key] = min(best[key], time.process_time() - begin)
    print(f"{'per CPU-second':<34}" + "".join(f"{name:>12}" for name in names))
    for kind in kinds:
        print(f"{kind:<34}" + "".join(f"{passes[kind, name][1] / best[kind, name]:>12,.0f}" for name in names), flush=True)


class SortingInPython(conpole.PyDomain):
    """What the domain sorting does."""

    def generate(self, seed: int) -> str:
        return SORTING.generate(seed)

    def successors(self, state: str) -> list[tuple[str, str]]:
        bars = state[1:-1].split("|")
        pairs = []
        for i in range(len(bars) - 1):
            bars[i], bars[i + 1] = bars[i + 1], bars[i]
            pairs.append((f"swap {i}", "[" + "|".join(bars) + "]"))
            bars[i], bars[i + 1] = bars[i + 1], bars[i]
        return [*pairs, ("reverse", "[" + "|".join(reversed(bars)) + "]")]

    def solved(self, state: str) -> bool:
        bars = state[1:-1].split("|")
        return bars == sorted(bars)


SORTING = conpole.Domain("sorting")


def states_of_search(domain: conpole.Domain) -> tuple[Callable[[], object], int]:
    """A beam search, and how many states it expands."""
    problems = SORTING.generate_batch(range(100))

    def search() -> list[conpole.SearchResult]:
        return conpole.search(domain, problems, "length", beam=10, max_steps=10, threads=1)

    results = search()
    assert results == conpole.search(SORTING, problems, "length", beam=10, max_steps=10)
    return search, sum(result.expanded for result in results)


def print_python_domain() -> None:
    states = walk_states(SORTING)[:5_000]
    print(f"\n{'states per CPU-second':<34}{'in Python':>12}{'in C++':>12}")
    for kind in ("expand", "beam search"):
        print(f"{kind:<34}", end="")
        for domain in (SortingInPython(), SORTING):
            call, count = states_of_search(domain) if kind != "expand" else (partial(domain.expand, states, threads=1), len(states))
            best = float("inf")
            for _ in range(8):
                begin = time.process_time()
                call()
                best = min(best, time.process_time() - begin)
            print(f"{count / best:>12,.0f}", end="", flush=True)
        print()


def main() -> None:
    print_environments()
    print_python_domain()
    program = f"{sys.argv[1] if len(sys.argv) > 1 else 'build'}/bench/domains"
    if not Path(program).is_file():
        print(f"\nwithout {program} there is no comparison with C++")
        return
    print(f"\n{'domain':<18}{'threads':<9}{'states/s':>10}{'successors/s':>14}{'C++':>9}{'of C++':>8}{'strings':>11}{'of C++':>8}{'step':>9}")
    for name in conpole.domain_names():
        domain = conpole.Domain(name)
        walked = walk_states(domain)
        branching = len(domain.expand(walked)) / len(walked)
        given = domain.expand(walked[: round(STATES / branching)])
        for threads in (1, 0):
            print_rates(program, domain, given, threads)


if __name__ == "__main__":
    main()
