"""Copies, pickles and what they are equal to. What once ended the interpreter runs in a process of its own."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sliding_puzzle import SlidingPuzzle

import conpole

ROOT = Path(__file__).parents[2]


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


COPIES = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])

PREAMBLE = """
import copy, pickle
import gymnasium
import conpole

class Countdown(conpole.PyDomain):
    def __init__(self, start=5):
        super().__init__()
        self.start = start
    def generate(self, seed):
        return str(self.start)
    def successors(self, state):
        yield "minus one", str(int(state) - 1)
    def solved(self, state):
        return state == "1"

class Nameless(Countdown):
    def __init__(self):
        pass

class Hasty(Countdown):
    def __init__(self):
        self.told = self.name, self.axioms, self.parse("3")
        super().__init__(7)
"""


@pytest.mark.parametrize(
    "code",
    [
        "print(copy.copy(Countdown(4)).generate(0))",
        "print(copy.deepcopy(Countdown(4)).generate(0))",
        "print(pickle.loads(pickle.dumps(Countdown(4))).generate(0))",
        "print(gymnasium.make('conpole/Sorting-v0', domain=Countdown(4)).reset()[0])",
        "gymnasium.register('Own-v0', 'conpole.environments:DomainEnv', kwargs={'domain': Countdown(4)})\n"
        "print(gymnasium.make('Own-v0').reset()[0])",
        "Nameless.start = 4; print(Nameless().generate(0))",
        "print({'Hasty': 4}[Hasty().told[0]])",
    ],
)
def test_the_interpreter_survives(code: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PREAMBLE + code], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "4\n"), ended.stderr


def test_objects_without_a_constructor_are_refused() -> None:
    code = """
import inspect
from conpole import _native

used = 0
for made in [kind for kind in vars(_native).values() if inspect.isclass(kind) and not issubclass(kind, Exception)]:
    empty = made.__new__(made)
    # Its properties and methods, those that can be called without knowing more about them.
    for name, member in inspect.getmembers(made):
        if isinstance(getattr(object, name, None), type(object.__init__)) or name in ("__class__", "__setstate__", "__doc__"):
            continue
        try:
            if isinstance(member, property):
                getattr(empty, name)
            elif name in ("__len__", "__iter__", "__hash__", "__repr__"):
                getattr(made, name)(empty)
            elif name in ("generate", "generate_batch", "parse", "solved", "step", "expand", "embed", "take", "sample", "hint"):
                member(empty, [0])
            else:
                continue
        except (TypeError, RuntimeError):
            used += 1
        else:
            raise AssertionError(f"{made.__name__}.{name}")
empty = _native.Domain.__new__(_native.Domain)
for call in (lambda: empty.generate(0), lambda: empty.expand(["x = 1"]), lambda: repr(empty), lambda: empty == empty,
             lambda: _native.Environments(empty, count=1, max_steps=1, max_actions=1, max_length=1, autoreset="disabled", threads=1),
             lambda: _native.verify_path(empty, ["x = 1"])):
    try:
        call()
    except (TypeError, RuntimeError):
        used += 1
    else:
        raise AssertionError(call)
print(used > 60)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "True\n"), ended.stderr


@COPIES
def test_copies_of_domains(domain: conpole.Domain, copied: Callable[[Any], Any]) -> None:
    made = copied(domain)
    assert type(made) is conpole.Domain
    assert made == domain and hash(made) == hash(domain) and made.spec == domain.spec
    assert made.generate(3) == domain.generate(3)


@COPIES
def test_copies_keep_parameters(copied: Callable[[Any], Any]) -> None:
    assert copied(conpole.Domain("sorting", max_length=6)).spec == "sorting:max_length=6"


def test_equal_domains() -> None:
    one, other = conpole.Domain("sorting", max_length=6), conpole.Domain("sorting:max_length=6")
    assert one == other and {one: 1}[other] == 1
    assert conpole.Domain("sorting") == conpole.Domain("sorting", max_length=conpole.Domain("sorting").parameters["max_length"])
    assert one != conpole.Domain("sorting") and one != conpole.Domain("equations") and one != "sorting:max_length=6"
    assert SlidingPuzzle(10) == SlidingPuzzle(10) and len({SlidingPuzzle(10), SlidingPuzzle(10)}) == 1
    assert SlidingPuzzle(10) != SlidingPuzzle(11) and SlidingPuzzle() != conpole.Domain("sorting")


class WithArrays(conpole.PyDomain):
    """Has attributes that need care: an array, which has no truth value, and a lock, which is left out of pickles."""

    def __init__(self, numbers: list[int]) -> None:
        super().__init__("with-arrays")
        self.numbers = np.array(numbers)
        self.lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"numbers": self.numbers}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.numbers = state["numbers"]
        self.lock = threading.Lock()

    def generate(self, seed: int) -> str:
        return str(self.numbers[seed % len(self.numbers)])

    def successors(self, state: str) -> list[tuple[str, str]]:
        return [("half", str(int(state) // 2))]

    def solved(self, state: str) -> bool:
        return state == "1"


@COPIES
def test_copies_of_domains_in_python(copied: Callable[[Any], Any]) -> None:
    puzzle = SlidingPuzzle(10)
    made = copied(puzzle)
    assert type(made) is SlidingPuzzle and made is not puzzle
    assert made == puzzle and hash(made) == hash(puzzle)
    assert (made.name, made.axioms, made.spec) == (puzzle.name, puzzle.axioms, puzzle.spec)
    assert conpole.search(made, [made.generate(3)], algorithm="bfs")[0].solved
    arrays = copied(WithArrays([8, 9]))
    assert arrays.name == "with-arrays" and arrays.generate(1) == "9"
    assert arrays.lock is not None
    arrays.lock = None
    other = WithArrays([8, 9])
    other.lock = None
    assert arrays == other and hash(arrays) == hash(other)
    other.numbers[0] = 7
    assert arrays != other or arrays.numbers is other.numbers


def test_domains_that_cannot_be_pickled_say_why() -> None:
    class Local(SlidingPuzzle):
        pass

    assert copy.deepcopy(Local(4)) == Local(4)
    with pytest.raises((pickle.PicklingError, AttributeError), match="Local"):
        pickle.dumps(Local())
    unready = SlidingPuzzle()
    unready.lock = threading.Lock()
    with pytest.raises(TypeError, match="cannot pickle '_thread.lock' object"):
        pickle.dumps(unready)


def solve_there(domain: conpole.Domain, model: conpole.Model | None, problem: str) -> tuple[conpole.SearchResult, str]:
    (result,) = conpole.search(domain, [problem], model, algorithm="greedy" if model else "bfs", threads=1)
    return result, repr(domain)


def fail_there(domain: conpole.Domain) -> None:
    domain.parse("[a")


def test_spawned_processes() -> None:
    sorting, puzzle = conpole.Domain("sorting", max_length=6), SlidingPuzzle(6)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        result, described = pool.apply(solve_there, (sorting, conpole.load_model("sorting"), "[==|=|=]"))
        assert result.solved and described == repr(sorting)
        problem = puzzle.generate(1)
        result, described = pool.apply(solve_there, (puzzle, None, problem))
        assert result.path[0] == problem and described == repr(puzzle)
        with pytest.raises(conpole.MalformedError) as raised:
            pool.apply(fail_there, (sorting,))
        assert (raised.value.text, raised.value.position) == ("[a", 1)


@COPIES
@pytest.mark.parametrize("name", ["sorting", "rubiks-cube"])
def test_copies_of_models(name: str, copied: Callable[[Any], Any]) -> None:
    model = conpole.load_model(name)
    states = conpole.Domain(name).generate_batch(range(3))
    made = copied(model)
    assert (made.metadata, made.kind, made.head, made.meaning) == (model.metadata, model.kind, model.head, model.meaning)
    assert np.array_equal(made.embed(states), model.embed(states))


@COPIES
def test_copies_of_results(copied: Callable[[Any], Any], sorting: conpole.Domain) -> None:
    (result,) = conpole.search(sorting, ["[===|=|==]"], algorithm="bfs")
    made = copied(result)
    assert (made.outcome, made.solved, made.path, made.steps) == (result.outcome, True, result.path, result.steps)
    assert (made.expanded, made.edges) == (result.expanded, result.edges)
    assert made == result and hash(made) == hash(result) and made != conpole.search(sorting, ["[==|=]"], algorithm="bfs")[0]
    evaluation = conpole.evaluate(sorting, range(3))
    assert copied(evaluation) == evaluation
    solution = conpole.solve("2x + 3 = 7")
    assert copied(solution) == solution
    hint = conpole.hint("2x + 3 = 7")
    assert copied(hint) == hint
    steps = conpole.next_steps("x + 3 = 7")
    assert copied(steps) == steps


@COPIES
def test_copies_of_checks(copied: Callable[[Any], Any]) -> None:
    checks = [*conpole.check_lines("2x + 3 = 7", ["2x = 10", "x = 5"]), conpole.check("x + 3 = 7", "x = = 4")]
    checks.append(conpole.check("x + 3 = 7", "x = 4"))
    for check in checks:
        made = copied(check)
        assert made == check and hash(made) == hash(check)
        for name in ("kind", "correct", "state", "reading", "message", "changes_solutions", "side", "mistake", "after_mistake"):
            assert getattr(made, name) == getattr(check, name)
        for name in ("also", "reminder", "is_true", "is_step", "helps", "operation", "operand", "detour"):
            assert getattr(made, name) == getattr(check, name)
    assert checks[0] != checks[1]


@COPIES
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_of_columns(domain: conpole.Domain, threads: int, copied: Callable[[Any], Any]) -> None:
    for states in ([], domain.generate_batch(range(100))):
        columns = domain.expand(states, threads=threads)
        made = copied(columns)
        assert bytes(made.text) == bytes(columns.text)
        for name in ("offsets", "parents", "first", "solved"):
            assert np.array_equal(getattr(made, name), getattr(columns, name)), name
        assert len(domain.expand(made)) == len(domain.expand(columns))


@COPIES
def test_copies_of_indexes(copied: Callable[[Any], Any]) -> None:
    index = conpole.ProblemIndex(range(40), conpole.Domain("sorting", max_length=6))
    made = copied(index)
    assert made.domain == index.domain and [*made] == [*index]
    assert made.similar("[3, 1, 2]", 3) == index.similar("[3, 1, 2]", 3)


def test_reprs_say_what_a_thing_is(sorting: conpole.Domain) -> None:
    assert repr(conpole.Domain("sorting", max_length=6)) == "Domain('sorting:max_length=6')"
    assert repr(SlidingPuzzle()) == "<SlidingPuzzle 'sliding-puzzle': a domain written in Python>"
    assert repr(WithArrays([1])) == "<WithArrays 'with-arrays': a domain written in Python>"
    assert repr(conpole.load_model("sorting")).startswith("Model(lstm for sorting")
    assert repr(sorting.expand(["[==|=|=]", "[=|==]"])) == "Expansion(3 successors of 2 states)"
    assert repr(conpole.search(sorting, ["[==|=]"], algorithm="bfs")[0]).startswith("SearchResult(solved, steps=1")


def test_the_version_is_that_of_the_build() -> None:
    assert f"project(conpole VERSION {conpole.__version__} " in (ROOT / "CMakeLists.txt").read_text()
