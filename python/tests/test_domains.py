"""Domains: problems, successors in both forms, errors."""

import gc
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import conpole


def walk(domain: conpole.Domain, count: int) -> list[str]:
    """The problems of `count` seeds, and states after a few steps."""
    states = domain.generate_batch(range(count))
    for step in range(4):
        listed = domain.step(states[-count:])
        states += [
            next_states[step % len(next_states)] if next_states else state
            for state, (_, _, next_states) in zip(states[-count:], listed, strict=True)
        ]
    return states


def test_generates_the_same_for_the_same_seed(domain: conpole.Domain) -> None:
    assert domain.generate_batch(range(100)) == [domain.generate(seed) for seed in range(100)]
    assert domain.generate_batch([], threads=2) == []


def test_known_values(sorting: conpole.Domain) -> None:
    assert sorting.step(["[==|=|=]", "[=|==]"]) == [
        (False, ["swap 0", "swap 1", "reverse"], ["[=|==|=]", "[==|=|=]", "[=|=|==]"]),
        (True, [], []),
    ]
    assert sorting.apply("[==|=|=]", "reverse") == [("reverse", "[=|=|==]")]
    assert sorting.apply("[=|==]", "reverse") == []
    assert conpole.Domain("equations").parse("2x + 3 = 7") == "(2x + 3) = 7"
    assert sorting.solved("[=|==]") and not sorting.solved("[==|=]")


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
def test_columns_equal_lists(domain: conpole.Domain, threads: int) -> None:
    states = walk(domain, 40)
    listed = domain.step(states, threads=threads)
    columns = domain.expand(states, threads=threads)
    text = bytes(columns.text)
    assert len(columns) == columns.offsets.size - 1 == columns.parents.size
    assert columns.first.size == columns.solved.size + 1 == len(states) + 1
    for i, (solved, actions, next_states) in enumerate(listed):
        begin, end = columns.first[i], columns.first[i + 1]
        assert columns.solved[i] == solved
        assert len(actions) == len(next_states) == end - begin
        assert (columns.parents[begin:end] == i).all()
        offsets = columns.offsets[begin : end + 1]
        assert [text[a:b].decode() for a, b in zip(offsets, offsets[1:], strict=False)] == next_states
        assert [columns[int(k)] for k in range(begin, end)] == next_states


@pytest.mark.parametrize("threads", [1, 2])
def test_columns_can_be_expanded(domain: conpole.Domain, threads: int) -> None:
    columns = domain.expand(walk(domain, 40))
    again = domain.expand(columns, threads=threads)
    expected = domain.expand([columns[i] for i in range(len(columns))])
    assert bytes(again.text) == bytes(expected.text)
    assert (again.first == expected.first).all() and (again.solved == expected.solved).all()


def test_actions_name_axioms(domain: conpole.Domain) -> None:
    state = domain.generate(12)
    ((_, actions, next_states),) = domain.step([state])
    for axiom in domain.axioms:
        expected = [pair for pair in zip(actions, next_states, strict=True) if pair[0].split(" ")[0] == axiom]
        assert domain.apply(state, axiom) == expected


def test_columns_outlive_their_expansion(sorting: conpole.Domain) -> None:
    columns = sorting.expand(["[===|==|=]"] * 100)
    text, offsets = columns.text, columns.offsets
    copy, offsets_copy = bytes(text), offsets.copy()
    del columns
    for _ in range(10):
        sorting.expand(["[=====|====]"] * 200)
    assert bytes(text) == copy
    assert (offsets == offsets_copy).all()


def test_columns_are_read_only(sorting: conpole.Domain) -> None:
    columns = sorting.expand(["[==|=]"])
    assert columns.text.readonly
    with pytest.raises(ValueError, match="read-only"):
        columns.offsets[0] = 1
    assert columns.parents.dtype == np.int32 and columns.offsets.dtype == np.int64
    with pytest.raises(IndexError):
        columns[len(columns)]
    assert len(sorting.expand([])) == 0


def test_parameters(tmp_path: Path) -> None:
    assert conpole.Domain("sorting", max_length=6).spec == "sorting:max_length=6"
    assert conpole.Domain("sorting:max_length=6", min_length=2).parameters == {"max_length": "6", "min_length": "2"}
    assert conpole.Domain("equations", zero=True).parameters["zero"] == "1"
    templates = tmp_path / "templates"
    templates.write_text("!(x + 1) = 2\n")
    assert conpole.Domain("equations", templates=templates).generate(0) == "(x + 1) = 2"
    domain = pickle.loads(pickle.dumps(conpole.Domain("sorting", max_length=6)))
    assert domain.spec == "sorting:max_length=6"


def test_errors_are_those_of_the_program(sorting: conpole.Domain) -> None:
    with pytest.raises(conpole.Error, match="^unknown domain 'chess'; there are: sorting, "):
        conpole.Domain("chess")
    with pytest.raises(conpole.Error, match="^domain sorting: unknown parameter 'size'; there are: "):
        conpole.Domain("sorting", size=3)
    with pytest.raises(conpole.Error, match="^domain sorting has no axiom 'turn'; there are: swap, reverse$"):
        sorting.apply("[==|=]", "turn")
    for call in (
        lambda: sorting.step(["[==|=]", "[=|a]"]),
        lambda: sorting.expand(["[=]"] * 99 + ["[=|a]"] * 2),
        lambda: sorting.solved("[=|a]"),
        lambda: sorting.apply("[=|a]", "swap"),
    ):
        with pytest.raises(conpole.MalformedError) as raised:
            call()
        assert str(raised.value) == ("'[=|a]' is not a state of sorting: position 3: expected '=', '|' or ']', found 'a'")
        assert raised.value.text == "[=|a]"
        assert raised.value.position == 3
        assert raised.value.message == "expected '=', '|' or ']', found 'a'"
    with pytest.raises(conpole.MalformedError, match="found byte 0xc3"):
        conpole.Domain("equations").parse("x = é")
    with pytest.raises(conpole.MalformedError, match="longer than 16384 bytes"):
        sorting.step(["[" + "=" * 20_000 + "]"])


@pytest.mark.parametrize("states", ["[==|=]", [1], [None], [b"[=]"], 7, None])
def test_wrong_types(sorting: conpole.Domain, states: object) -> None:
    with pytest.raises(TypeError):
        sorting.step(states)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        sorting.expand(states)  # type: ignore[arg-type]


def test_wrong_seeds(sorting: conpole.Domain) -> None:
    for seed in (-1, "7", 2**64, 1.5):
        with pytest.raises(TypeError):
            sorting.generate(seed)  # type: ignore[arg-type]


def test_text_that_is_no_text(sorting: conpole.Domain) -> None:
    with pytest.raises(UnicodeEncodeError):
        sorting.step(["[=\ud800]"])
    with pytest.raises(conpole.MalformedError):
        sorting.step(["[=\0]"])


def test_threads_share_a_domain() -> None:
    domain = conpole.Domain("equations")
    states = walk(domain, 100)
    expected = bytes(domain.expand(states, threads=1).text)
    wrong = []

    def work() -> None:
        for _ in range(10):
            if bytes(domain.expand(states).text) != expected or len(domain.step(states)) != len(states):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(sorting: conpole.Domain) -> None:
    states = ["[===|==|=]"] * 1000
    expected = len(sorting.expand(states, threads=2))
    child = os.fork()
    if child == 0:
        os._exit(0 if len(sorting.expand(states, threads=2)) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_batches_of_all_sizes(sorting: conpole.Domain) -> None:
    # The memory of one call is used for the next: larger ones, smaller ones and errors in between must not show.
    states = walk(sorting, 400)
    for count in (2000, 64, 1999, 1, 0, 700, 2000):
        expected = [text for _, _, next_states in sorting.step(states[:count], threads=1) for text in next_states]
        columns = sorting.expand(states[:count], threads=3)
        assert [columns[i] for i in range(len(columns))] == expected
        assert columns.offsets[-1] == columns.text.nbytes == sum(map(len, expected))
        with pytest.raises(conpole.MalformedError) as raised:
            sorting.expand([*states[:count], "[b", *states, "[a"], threads=3)
        assert raised.value.text == "[b"


def test_nothing_leaks(sorting: conpole.Domain) -> None:
    states = ["[===|==|=]", "[==|=]", "[=]"] * 30

    def use() -> None:
        sorting.step(states)
        columns = sorting.expand(states)
        assert columns.text.nbytes and columns.offsets.size and columns.solved.size
        sorting.apply(states[0], "swap")
        with pytest.raises(conpole.MalformedError):
            sorting.step(["[a"])

    def blocks_after(rounds: int) -> int:
        for _ in range(rounds):
            use()
        gc.collect()
        return sys.getallocatedblocks()

    blocks_after(20)
    before = blocks_after(20)
    # One block a round would be 300. Caches of the interpreter and its threads grow by some, now and then.
    assert blocks_after(300) - before < 250


class Halving(conpole.PyDomain):
    """Halve, or take one away, until 1 is left. It lists many states at a time, and speaks about its steps."""

    axiom_meanings = {"half": "Halve the number.", "minus": ""}

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def generate(self, seed: int) -> str:
        return str(seed + 2)

    def successors_batch(self, states: list[str]) -> list[list[tuple[str, str]] | None]:
        self.asked.append(len(states))
        return [None if state == "1" else self.pairs(int(state)) for state in states]

    @staticmethod
    def pairs(number: int) -> list[tuple[str, str]]:
        return [("half", str(number // 2))] * (number % 2 == 0) + [("minus one", str(number - 1))]

    def solved(self, state: str) -> bool:
        return state == "1"

    def parse(self, text: str) -> str:
        if not text.isdigit() or text == "0":
            raise ValueError("expected a number above 0")
        return text

    def explain(self, action: str, before: str, after: str, language: str) -> str | None:
        return f"{before} is twice {after} ({language})." if action == "half" else None

    def latex(self, state: str) -> str:
        return f"n = {state}"

    def verify(self, problem: str, answer: str) -> bool | None:
        return None if problem == "3" else answer == "1" and problem != "5"


def test_a_python_domain_lists_many_states_by_one_call() -> None:
    domain = Halving()
    states = [str(n) for n in range(1, 301)]
    listed = domain.step(states)
    assert domain.asked == [300]
    assert listed[:4] == [(True, [], []), (False, *_columns(2)), (False, *_columns(3)), (False, *_columns(4))]
    columns = domain.expand(states, labels=True)
    assert columns.labels.tolist()[:3] == ["half", "minus one", "minus one"] and columns.solved.sum() == 1
    environment = conpole.VectorEnvironment(domain, 32, max_actions=2, max_characters=20, autoreset="same-step")
    environment.reset(problems=[str(n) for n in range(2, 34)])
    domain.asked.clear()
    _, rewards, *_ = environment.step([0] * 32)
    assert rewards.sum() == 1 and domain.asked[0] == 32 and len(domain.asked) == 2, "once for all, and for the one that was solved"
    with pytest.raises(conpole.MalformedError, match="'0' is not a state of Halving: position 0: expected"):
        domain.step(["4", "0", "3"])
    with pytest.raises(conpole.MalformedError, match="longer"):
        domain.step(["4", "3" * 20_000])


def shorter(_: list[str], candidates: list[str]) -> list[float]:
    return [-float(len(candidate)) for candidate in candidates]


def test_a_round_of_searches_is_one_call() -> None:
    class Asked(Halving):
        def __init__(self) -> None:
            super().__init__()
            self.answers: list[int] = []

        def solved_batch(self, states: list[str]) -> list[bool]:
            self.answers.append(len(states))
            return [state == "1" for state in states]

    problems = [str(number) for number in range(40, 80)]
    for algorithm, most in (("greedy", 10), ("beam", 10), ("levin", 60), ("bwas", 10)):
        domain = Asked()
        results = conpole.search(domain, problems, shorter, algorithm=algorithm, max_steps=60)  # type: ignore[call-overload]
        assert all(result.solved for result in results)
        assert domain.asked[0] == len(problems) and len(domain.asked) <= most, "all problems by one call in each round"
        assert bool(domain.answers) == (algorithm != "greedy"), "which asks of the states that it chooses alone"


class Mirror(conpole.PyDomain):
    """What another domain does."""

    def __init__(self, other: str) -> None:
        super().__init__("mirror")
        self.other = conpole.Domain(other)

    def generate(self, seed: int) -> str:
        return self.other.generate(seed)

    def successors(self, state: str) -> list[tuple[str, str]]:
        _, actions, states = self.other.step([state])[0]
        return list(zip(actions, states, strict=True))

    def solved(self, state: str) -> bool:
        return self.other.solved(state)


@pytest.mark.parametrize("algorithm", ["greedy", "beam", "bwas", "levin"])
def test_what_is_asked_ahead_changes_nothing(algorithm: Any) -> None:
    for name in ("sorting", "fractions"):
        domain = conpole.Domain(name)
        problems = domain.generate_batch(range(12))
        there = conpole.search(domain, problems, shorter, algorithm=algorithm, max_expanded=400)
        assert conpole.search(Mirror(name), problems, shorter, algorithm=algorithm, max_expanded=400) == there


def test_solved_batch_of_another_length_is_an_error() -> None:
    class Short(Halving):
        def solved_batch(self, states: list[str]) -> list[bool]:
            return []

    with pytest.raises(conpole.Error, match="Short: solved_batch says of 0 states whether they are solved, and was asked for 2"):
        conpole.search(Short(), ["4"], "length")


def _columns(number: int) -> tuple[list[str], list[str]]:
    actions, states = zip(*Halving.pairs(number), strict=True)
    return list(actions), list(states)


def test_a_batch_of_another_length_is_an_error() -> None:
    class Short(Halving):
        def successors_batch(self, states: list[str]) -> list[list[tuple[str, str]] | None]:
            return super().successors_batch(states)[1:]

    with pytest.raises(conpole.Error, match="Short: successors_batch lists the successors of 1 states, and was asked for 2"):
        Short().step(["4", "3"])


def test_a_python_domain_speaks_about_its_steps() -> None:
    domain = Halving()
    solution = conpole.solve("6", domain, algorithm="bfs")
    assert [step.explanation for step in solution.steps] == ["6 is twice 3 (en).", "minus one", "2 is twice 1 (en)."]
    assert solution.verified is True and solution.answer == "1"
    assert solution.latex == "n = 6" and "n = 3" in solution._repr_latex_()
    assert conpole.hint("8", domain).text == "Halve the number."
    assert conpole.hint("8", domain, level=2, language="de").text == "8 is twice 4 (de)."
    assert conpole.hint("3", domain).text == "Use minus."
    assert conpole.hint("3", domain, level=2).text == "Use minus one."
    assert domain.apply("6", "6 is twice 3 (en)") == domain.apply("6", "half") == [("half", "3")]
    assert conpole.solve("3", domain, algorithm="bfs").verified is None
    assert conpole.solve("5", domain, algorithm="bfs").status == "unsolved", "an answer that is wrong is not shown"
    report = conpole.evaluate(domain, range(8), algorithm="bfs")
    assert (report.verified, report.wrong, report.cannot_tell) == (6, 1, 1)


def test_a_python_domain_reads_what_was_written() -> None:
    class Raw(Halving):
        def parse(self, text: str) -> str:
            read.append(text)
            return "1"

    read: list[str] = []
    conpole.solve(" 3 − ½ ", Raw(), algorithm="bfs")
    assert read[0] == " 3 − ½ "
