"""Signals end long calls. Time is that of the processor, so that it does not matter how busy the machine is."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import conpole

SIGNAL_AFTER = 0.2
ANSWERED_WITHIN = 1.0
COUNT = 400_000


class Interrupted(Exception):
    pass


@contextmanager
def signal_during_the_call() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, SIGNAL_AFTER)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


CUBE = conpole.Domain("rubiks-cube")
EQUATIONS = conpole.Domain("equations")
CALLS: dict[str, Callable[[list[str], int], object]] = {
    "embed": lambda states, threads: conpole.load_model("equations").embed(states, threads=threads),
    "score": lambda states, threads: conpole.load_model("equations").score(
        states, [f"{state} + {i}" for i, state in enumerate(states)], threads=threads
    ),
    "score of actions": lambda states, threads: conpole.load_model("rubiks-cube").score(
        *cubes_and_turned_ones(60_000), threads=threads
    ),
    "step": lambda states, threads: EQUATIONS.step(states * 5, threads=threads),
    "expand": lambda states, threads: EQUATIONS.expand(states * 10, threads=threads),
    "generate_batch": lambda states, threads: EQUATIONS.generate_batch(range(10 * COUNT), threads=threads),
    "generate_batch of very many": lambda states, threads: EQUATIONS.generate_batch(range(10**9), threads=threads),
}


def cubes_and_turned_ones(count: int) -> tuple[list[str], list[str]]:
    cubes = CUBE.generate_batch(range(count))
    turned = CUBE.expand(cubes)
    return cubes, [turned[int(first)] for first in turned.first[:-1]]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CALLS)
def test_a_signal_is_answered(name: str, threads: int) -> None:
    states = EQUATIONS.generate_batch(range(2000)) * (COUNT // 2000)
    begin = time.process_time()
    with signal_during_the_call(), pytest.raises(Interrupted):
        CALLS[name](states, threads)
    assert time.process_time() - begin < SIGNAL_AFTER + threads * ANSWERED_WITHIN
