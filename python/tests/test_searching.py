"""Models, searches and domains written in Python."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sliding_puzzle import SlidingPuzzle, minus_distance

import conpole

SHIPPED = ["equations", "fractions", "multiplication", "sorting", "ternary-addition"]


def shorter(parents: list[str], candidates: list[str]) -> list[float]:
    return [1 / len(candidate) for candidate in candidates]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models(name: str) -> None:
    domain = conpole.Domain(name)
    model = conpole.load_model(name)
    assert model.metadata["domain"].startswith(name)
    states = domain.generate_batch(range(20))
    vectors = model.embed(states)
    assert vectors.shape == (20, model.vector_size) and vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert np.array_equal(model.embed(states[3:4])[0], vectors[3])
    columns = domain.expand(states)
    parents = [states[i] for i in columns.parents]
    candidates = [columns[i] for i in range(len(columns))]
    scores = model.score(parents, candidates)
    assert scores.shape == (len(columns),)
    assert np.array_equal(model.score(parents[5:6], candidates[5:6]), scores[5:6])
    assert model.embed([]).shape == (0, model.vector_size)


def test_a_model_of_a_fixed_layout() -> None:
    model = conpole.load_model("rubiks-cube")
    cube = conpole.Domain("rubiks-cube:max_moves=3")
    assert model.kind == "residual" and model.head == "actions"
    states = [cube.generate(seed) for seed in range(4)]
    assert model.embed(states).shape == (4, model.vector_size)
    columns = cube.expand(states[:1])
    assert model.score(states[:1] * len(columns), [columns[i] for i in range(len(columns))]).shape == (len(columns),)
    assert all(result.solved for result in conpole.search(cube, states, model, beam=4))
    assert conpole.solve("R U F'").status == "solved"


def test_models_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(conpole.Error, match="chess: cannot be read"):
        conpole.load_model("chess")
    with pytest.raises(conpole.Error, match="nowhere"):
        conpole.load_model(tmp_path / "nowhere")
    model = conpole.load_model("sorting")
    with pytest.raises(conpole.Error, match="there are 1 parents and 2 candidates"):
        model.score(["[=]"], ["[=]", "[=]"])
    with pytest.raises(TypeError):
        model.embed("[=]")


def test_a_folder_without_models_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (tmp_path, tmp_path / "nowhere"):
        monkeypatch.setenv("CONPOLE_MODELS", str(wrong))
        for call in (lambda: conpole.load_model("sorting"), lambda: conpole.solve("x + 3 = 7", "equations")):
            with pytest.raises(conpole.Error, match="^CONPOLE_MODELS names .* which is not a folder with models"):
                call()


@pytest.mark.parametrize("algorithm", ["greedy", "beam", "bwas", "levin", "bfs"])
@pytest.mark.parametrize("scorer", ["length", shorter])
def test_every_search_takes_every_scorer(algorithm: str, scorer: conpole.Scorer) -> None:
    domain = conpole.Domain("sorting", max_length=4)
    problems = domain.generate_batch(range(10))
    if algorithm in ("bwas", "levin") and scorer == "length":
        with pytest.raises(conpole.Error, match="these scores are of the kind rank"):
            conpole.search(domain, problems, scorer, algorithm=algorithm)
        return
    results = conpole.search(domain, problems, scorer, algorithm=algorithm, max_steps=8, max_expanded=50)
    assert len(results) == 10
    assert any(result.solved for result in results)
    for problem, result in zip(problems, results, strict=True):
        assert result.solved == (result.outcome == "solved")
        if result.solved:
            assert result.path[0] == problem and domain.solved(result.path[-1])
            assert len(result.path) == result.steps + 1
            for before, after in zip(result.path, result.path[1:], strict=False):
                assert after in domain.step([before])[0][2]


def test_functions_score_as_the_model_does() -> None:
    domain = conpole.Domain("sorting", max_length=5)
    model = conpole.load_model("sorting")
    problems = domain.generate_batch(range(10))
    by_model = conpole.search(domain, problems, model)
    by_function = conpole.search(domain, problems, lambda parents, candidates: model.score(parents, candidates))
    assert [result.path for result in by_model] == [result.path for result in by_function]
    assert [result.path for result in conpole.search(domain, problems)] == [result.path for result in by_model]


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        (lambda candidates: [1.0], conpole.Error, "must return a list of"),
        (lambda candidates: [float("nan")] * len(candidates), conpole.Error, "not a number"),
        (lambda candidates: ["high"] * len(candidates), ValueError, "high"),
        (lambda candidates: 1 / 0, ZeroDivisionError, "zero"),
    ],
)
def test_scorers_that_fail(scores: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        conpole.search(conpole.Domain("sorting"), ["[===|==|=|==|=]"], lambda parents, candidates: scores(candidates))


def test_bad_arguments(sorting: conpole.Domain) -> None:
    with pytest.raises(conpole.Error, match="^unknown search 'depth'; there are: greedy, bfs, beam, bwas, levin$"):
        conpole.search(sorting, ["[==|=]"], algorithm="depth")
    with pytest.raises(conpole.Error, match="^the beam must be at least 1$"):
        conpole.search(sorting, ["[==|=]"], beam=0)
    with pytest.raises(conpole.Error, match="^there is no scorer"):
        conpole.search(sorting, ["[==|=]"], "stars")
    with pytest.raises(conpole.MalformedError, match="is not a problem of sorting"):
        conpole.search(sorting, ["[a"])
    with pytest.raises(TypeError):
        conpole.search(sorting, "[==|=]")
    with pytest.raises(TypeError, match="the scorer must be"):
        conpole.search(sorting, ["[==|=]"], 7)  # type: ignore[arg-type]


@pytest.mark.parametrize("meaning", ["log-preference", "log-odds", "steps-to-go", "rank", "preference", "negative cost"])
def test_each_search_takes_the_scores_that_it_can_use(meaning: str) -> None:
    sorting = conpole.Domain("sorting", max_length=4)
    problems = sorting.generate_batch(range(3))
    for algorithm in ("greedy", "beam", "bfs"):
        conpole.search(sorting, problems, shorter, algorithm=algorithm, meaning=meaning)
    if meaning in ("log-odds", "rank"):
        with pytest.raises(conpole.Error, match=f"these scores are of the kind {meaning}"):
            conpole.search(sorting, problems, shorter, algorithm="bwas", meaning=meaning)
    else:
        conpole.search(sorting, problems, shorter, algorithm="bwas", meaning=meaning, max_expanded=50)
    if meaning in ("log-preference", "preference"):
        conpole.search(sorting, problems, shorter, beam_value="sum", meaning=meaning)
        conpole.search(sorting, problems, shorter, algorithm="levin", meaning=meaning, max_expanded=50)
    else:
        with pytest.raises(conpole.Error, match="levin goes by the probabilities of paths"):
            conpole.search(sorting, problems, shorter, algorithm="levin", meaning=meaning)
        with pytest.raises(conpole.Error, match="use the beam value last"):
            conpole.search(sorting, problems, shorter, beam_value="sum", meaning=meaning)


def test_a_search_can_be_interrupted() -> None:
    cube = conpole.Domain("rubiks-cube", min_moves=19)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        conpole.search(cube, [cube.generate(1)], algorithm="bfs", max_edges=20_000_000)
    timer.join()


def test_evaluation() -> None:
    report = conpole.evaluate(conpole.Domain("sorting", max_length=5), range(20))
    assert len(report.problems) == 20
    assert report.solved == report.verified == 20 - len(report.failures)
    assert report.success_rate == report.solved / 20
    assert report.expanded > 0 and report.edges > 0


@pytest.mark.parametrize("algorithm", ["greedy", "beam", "bwas", "bfs"])
def test_python_domains_in_every_search(algorithm: str) -> None:
    domain = SlidingPuzzle(scramble=6)
    report = conpole.evaluate(domain, range(5), minus_distance, algorithm=algorithm, meaning="negative cost", batch=1)
    assert report.solved == report.cannot_tell == 5 and report.verified == report.wrong == 0
    assert all(result.steps <= 6 for result in report.results)


def test_python_domains_have_the_methods_of_domains() -> None:
    domain = SlidingPuzzle()
    state = "123/456/7_8"
    assert domain.name == "sliding-puzzle"
    assert domain.step([state, domain.goal])[1] == (True, [], [])
    assert domain.apply(state, "left") == [("left 8", "123/456/78_")]
    columns = domain.expand([state] * 100)
    assert len(columns) == 300 and columns[0] == domain.step([state])[0][2][0]
    with pytest.raises(conpole.MalformedError, match="expected three rows"):
        domain.step(["123"])
    solution = conpole.solve(state, domain, minus_distance)
    assert solution.answer == domain.goal and solution.solved and solution.verified is None
    assert str(solution).endswith("it was not verified.")
    assert "\\texttt{123/456/78\\_}" in solution._repr_latex_()
    unsolved = conpole.solve(state, domain, "random", algorithm="greedy", max_steps=0)
    assert not unsolved.solved and unsolved.answer is None
    assert str(unsolved) == f"{state}\nNo solution of at most 0 steps was found." and unsolved.verified is False
    assert conpole.check(state, domain.goal, domain, minus_distance).kind == "solved"
    assert conpole.check(state, "_12/345/678", domain, minus_distance).kind == "cannot tell"
    assert conpole.hint(state, domain, minus_distance, level=2).text == "Use left 8."
    assert conpole.next_steps(state, domain, minus_distance)[0].step.state == domain.goal


class Faulty(conpole.PyDomain):
    """Does what a test tells it to."""

    def __init__(self, listed: object) -> None:
        super().__init__()
        self.listed = listed

    def generate(self, seed: int) -> str:
        return "start"

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        return self.listed() if callable(self.listed) else self.listed  # type: ignore[return-value]

    def solved(self, state: str) -> bool:
        return False


@pytest.mark.parametrize(
    ("listed", "error"),
    [
        ([("go", 7)], TypeError),
        ([("go",)], TypeError),
        (["go"], TypeError),
        (7, TypeError),
        ([("go", "x" * 20_000)], conpole.Error),
        (lambda: {}["missing"], KeyError),
    ],
)
def test_python_domains_that_fail(listed: object, error: type[Exception]) -> None:
    domain = Faulty(listed)
    with pytest.raises(error):
        domain.step(["start"])
    with pytest.raises(error):
        conpole.search(domain, ["start"])


def test_python_domains_need_their_methods() -> None:
    with pytest.raises(NotImplementedError, match="PyDomain does not define generate"):
        conpole.PyDomain().generate_batch([1])
    with pytest.raises(conpole.Error, match="comes with conpole"):
        conpole.PyDomain("equations")
    assert conpole.search(Faulty([]), ["start"])[0].outcome == "exhausted"


def test_python_domains_may_use_domains() -> None:
    inner = conpole.Domain("sorting")

    class Wrapped(conpole.PyDomain):
        def successors(self, state: str) -> Iterable[tuple[str, str]]:
            _, actions, next_states = inner.step([state])[0]
            return list(zip(actions, next_states, strict=True))

        def solved(self, state: str) -> bool:
            return inner.solved(state)

    states = ["[===|==|=]", "[==|=|=]", "[=|==]"]
    assert Wrapped().step(states) == inner.step(states)


def test_a_search_of_ones_own() -> None:
    fractions = conpole.Domain("fractions")
    problems = fractions.generate_batch(range(12))

    def best_of_the_last_step(trace: conpole.SearchTrace) -> Any:
        listed = np.arange(trace.first[-2], trace.first[-1])
        return listed[np.argsort(-trace.scores[listed], kind="stable")[:4]]

    usual = conpole.search(fractions, problems, beam=4, beam_value="last", trace=True)
    own = conpole.search(fractions, problems, choose=best_of_the_last_step, trace=True)
    assert own == usual and all((a.trace.chosen == b.trace.chosen).all() for a, b in zip(own, usual, strict=True))
    assert conpole.search(fractions, problems, choose=best_of_the_last_step) == usual

    def best_of_all(trace: conpole.SearchTrace) -> Any:
        waiting = np.setdiff1d(np.arange(1, len(trace)), trace.chosen)
        return waiting[np.argsort(-trace.scores[waiting])[:1]]

    # With one state at a time it goes back to older ones, so that a dead end is none to it.
    best_first = conpole.search(fractions, problems, choose=best_of_all, max_steps=200)
    assert sum(result.solved for result in best_first) >= 10
    for result in best_first:
        for before, after in zip(result.path, result.path[1:], strict=False):
            assert after in fractions.step([before])[0][2]

    given_up = conpole.search(fractions, problems, choose=lambda trace: [])
    assert {result.outcome for result in given_up} <= {"exhausted", "solved"} and max(result.expanded for result in given_up) == 1
    with pytest.raises(conpole.Error, match="only a beam search"):
        conpole.search(fractions, problems, choose=best_of_all, algorithm="greedy")
    with pytest.raises(IndexError, match="index 1000000 of"):
        conpole.search(fractions, problems, choose=lambda trace: [10**6])
    with pytest.raises(ZeroDivisionError):
        conpole.search(fractions, problems, choose=lambda trace: 1 // 0)


def test_evaluates_with_the_abstractions_of_the_model() -> None:
    domain = conpole.Domain("equations")
    problem = "((((4 + (x / 2)) + x) + ((1 / (-4)) - -5x)) * (-7)) = 2"
    options = {"milliseconds": 600_000, "expansions": 60, "threads": 1}
    assert conpole.solve(problem, domain, **options).answer == "x = -113/182"
    assert conpole.solve(problem, domain, abstractions="none", **options).status == "unsolved"
    seeds = range(3)
    alone = conpole.evaluate(domain, seeds, abstractions="none", beam=2, threads=1)
    assert conpole.evaluate(domain, seeds, beam=2, threads=1).mean_length < alone.mean_length


PROGRAM = Path(os.environ.get("CONPOLE_PROGRAM") or Path(conpole.__file__).parent / "bin" / "conpole")


@pytest.mark.skipif(not PROGRAM.exists(), reason="the package has no program, and CONPOLE_PROGRAM names none")
@pytest.mark.parametrize("options", [{}, {"algorithm": "greedy"}, {"algorithm": "bfs", "max_edges": 2000}])
def test_evaluate_is_what_the_program_says(domain: conpole.Domain, options: dict[str, Any]) -> None:
    """Problem by problem: the same ones fail, with the model's abstractions and without."""
    seeds = range(10000, 10008 if domain.name == "rubiks-cube" else 10020)
    if domain.name == "rubiks-cube" and not options:
        options = {"beam": 16}
    ours = conpole.evaluate(domain, seeds, **options)
    command = [str(PROGRAM), "eval", domain.spec, "--seeds", f"{seeds.start}:{seeds.stop}", "--json", "--failures"]
    names = {"algorithm": "search"}
    for name, value in options.items():
        command += ["--" + names.get(name, name).replace("_", "-"), str(value)]
    theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert ours.failures == [failure["problem"] for failure in theirs["failures"]]
    assert (ours.solved, ours.verified, ours.wrong) == (theirs["solved"], theirs["verified"], theirs["wrong"])
    assert (ours.expanded, ours.edges) == (theirs["expanded"], theirs["edges"])
