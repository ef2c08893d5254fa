"""Problems that are near one another by their vectors."""

import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import conpole


def test_the_nearest_of_a_list() -> None:
    problems = ["x/2 = 4", "2x+3=9", "(2x + 3) = 7", "3(x - 2) = 9"]
    found = conpole.similar("2x + 3 = 7", problems=problems)
    assert [one.text for one in found][0] == "2x + 3 = 9"
    assert len(found) == 3 and all(one.cosine >= 0 for one in found)
    assert [one.cosine for one in found] == sorted((one.cosine for one in found), reverse=True)
    assert found[-1].latex
    assert conpole.similar("2x + 3 = 7", problems=problems, count=1) == found[:1]


def test_one_problem_has_one_answer_however_it_is_written() -> None:
    found = conpole.similar("x + 3 = 7", "equations", problems=range(100), count=5)
    for text in ("(x + 3) = 7", "x+3=7", "y + 3 = 7"):
        assert conpole.similar(text, "equations", problems=range(100), count=5) == found


def test_the_nearest_are_those_with_the_greatest_cosines(domain: conpole.Domain) -> None:
    index = conpole.ProblemIndex(range(60), domain)
    model = conpole.load_model(domain.name)
    states = [index[place] for place in range(len(index))]
    assert len(set(states)) == len(states) and index[-1] == states[-1]
    vectors = model.embed([*states, domain.generate(1_000)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = dict(zip(states, vectors[:-1] @ vectors[-1], strict=True))
    cosines.pop(domain.generate(1_000), None)
    for one in index.similar(domain.generate(1_000), 5):
        assert one.cosine == pytest.approx(cosines[one.problem], abs=1e-3)
    best = max(cosines.values())
    assert index.similar(domain.generate(1_000), 1)[0].cosine == pytest.approx(best, abs=1e-3)


def test_files(tmp_path: Path) -> None:
    index = conpole.ProblemIndex(range(50), "fractions")
    assert repr(index) == f"ProblemIndex({len(index)} problems of fractions)"
    index.save(tmp_path / "fractions.index")
    read = conpole.ProblemIndex.load(tmp_path / "fractions.index")
    assert read.domain.name == "fractions" and len(read) == len(index)
    assert read.similar("1/2 + 1/3") == index.similar("1/2 + 1/3")
    with pytest.raises(conpole.Error, match="an index of 'fractions', not of equations"):
        conpole.ProblemIndex.load(tmp_path / "fractions.index", "equations")
    (tmp_path / "damaged").write_bytes((tmp_path / "fractions.index").read_bytes()[:-1])
    with pytest.raises(conpole.Error, match="damaged: it is not whole"):
        conpole.ProblemIndex.load(tmp_path / "damaged", "fractions")


def test_what_is_refused() -> None:
    with pytest.raises(conpole.MalformedError, match="position"):
        conpole.similar("2x + = 3")
    with pytest.raises(conpole.MalformedError):
        conpole.similar("2x = 3", problems=["x = 1", "x ="])
    with pytest.raises(conpole.Error, match="is for the domain sorting, not for algebra"):
        conpole.similar("2x = 3", model=conpole.load_model("sorting"))
    with pytest.raises(conpole.Error, match="the domain has to be named"):
        conpole.ProblemIndex(range(10))
    with pytest.raises(conpole.Error, match="step 1"):
        conpole.ProblemIndex(range(0, 10, 2), "sorting")
    with pytest.raises(IndexError):
        conpole.ProblemIndex(["x = 1"])[1]


class Letters(conpole.PyDomain):
    """Remove letters until none is left."""

    def generate(self, seed: int) -> str:
        return "ab" * (seed % 5 + 1)

    def successors(self, state: str) -> list[tuple[str, str]]:
        return [("remove", state[1:])] if state else []

    def solved(self, state: str) -> bool:
        return not state


def test_domains_written_in_python_need_a_model() -> None:
    with pytest.raises(conpole.Error, match="no model comes with conpole for"):
        conpole.similar("ab", Letters())


def test_an_index_of_many_problems_can_be_interrupted() -> None:
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        conpole.ProblemIndex(range(10**9), "equations")
    timer.join()
