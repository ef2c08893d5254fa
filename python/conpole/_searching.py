"""Models and searches."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, overload

from conpole import _native
from conpole._native import Domain, Error, Model, PairBatch, SearchOptions, SearchResult, TracedResult


class ColumnScorer(Protocol):
    """A scorer that is given characters in columns instead of strings."""

    def score_columns(self, batch: PairBatch, /) -> Any:
        """One number per pair, higher for a better candidate: an array, or a tensor on any device."""


Scorer = str | Model | Callable[[list[str], list[str]], Any] | ColumnScorer
"""What guides a search: "random", "length" or a heuristic of the domain ("stickers" for the cube); a model; a function of the
lists parents and candidates that returns one number per candidate, higher for a better one; or an object with a method
`score_columns`, which is given a PairBatch. The numbers may be a list, an array, or a tensor on any device."""


@dataclass(frozen=True)
class by_columns:
    """A function of a PairBatch as a scorer: `search(domain, problems, by_columns(function))`, or a decorator."""

    score_columns: Callable[[PairBatch], Any]


def load_model(path_or_domain: str | os.PathLike[str], *, any_domain: bool = False) -> Model:
    """The model in a file, or the one that comes with conpole for the domain of this name.

    A model is for the domain that it was trained in: what it is given must be states of that, and a search in another one refuses
    it. With `any_domain` it takes all texts as they are, in every domain.
    """
    if isinstance(path_or_domain, str) and path_or_domain in _native.domain_names():
        path = shipped_model(path_or_domain)
        if path is None:
            raise Error(f"no model comes with conpole for {path_or_domain}; name a file")
        return Model(path, any_domain=any_domain)
    return Model(Path(path_or_domain), any_domain=any_domain)


def shipped_model(domain: str) -> Path | None:
    """The file of the model that comes with conpole for a domain of this name."""
    given = os.environ.get("CONPOLE_MODELS")
    folder = Path(given) if given else Path(__file__).parent / "models"
    if given and not any(folder.glob("*.safetensors")):
        raise Error(f"CONPOLE_MODELS names {given!r}, which is not a folder with models (*.safetensors)")
    path = folder / f"{domain}.safetensors"
    return path if path.is_file() else None


_default_models: dict[Path, Model] = {}


def default_scorer(domain: Domain) -> Scorer:
    """The heuristic of a domain, if it suffices; else the model that comes with conpole for it, read once; a simple scorer where
    there is none."""
    path = None if _native.heuristic_suffices(domain) else shipped_model(domain.name)
    if path is None:
        return _native.default_scorer(domain)
    if path not in _default_models:
        _default_models[path] = Model(path)
    return _default_models[path]


@overload
def search(
    domain: Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: Literal[False] = False,
    algorithm: str = "beam",
    meaning: str = "log-preference",
    seed: int = 0,
    abstractions: str | os.PathLike[str] | None = "none",
    max_steps: int = 30,
    beam: int = 10,
    beam_value: str | None = None,
    max_edges: int = 1_000_000,
    weight: float = 1.0,
    batch: int | None = None,
    max_expanded: int = 100_000,
    threads: int = 0,
) -> list[SearchResult]: ...


@overload
def search(
    domain: Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: Literal[True],
    algorithm: str = "beam",
    meaning: str = "log-preference",
    seed: int = 0,
    abstractions: str | os.PathLike[str] | None = "none",
    max_steps: int = 30,
    beam: int = 10,
    beam_value: str | None = None,
    max_edges: int = 1_000_000,
    weight: float = 1.0,
    batch: int | None = None,
    max_expanded: int = 100_000,
    threads: int = 0,
) -> list[TracedResult]: ...


def search(
    domain: Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: bool = False,
    algorithm: str = "beam",
    meaning: str = "log-preference",
    seed: int = 0,
    abstractions: str | os.PathLike[str] | None = "none",
    max_steps: int = 30,
    beam: int = 10,
    beam_value: str | None = None,
    max_edges: int = 1_000_000,
    weight: float = 1.0,
    batch: int | None = None,
    max_expanded: int = 100_000,
    threads: int = 0,
) -> list[SearchResult] | list[TracedResult]:
    """Searches for solutions of all problems, and returns the results in their order.

    Args:
        domain: what the problems are of
        problems: in the notation of the domain
        scorer: what guides the search; by default the model that comes with conpole for the domain, or else a
            heuristic of the domain, or else "length"
        trace: whether each result has a `trace`: all candidates of each step with their parents and scores, and
            what was chosen, in columns (greedy and beam only)
        algorithm: greedy, beam, bwas (batch weighted A*), levin (Levin tree search) or bfs (breadth-first, without a scorer)
        meaning: what the numbers of a function mean: "log-preference" (among the candidates of one parent, up to a
            constant), "log-odds" (of being on a solution), "steps-to-go" (minus an estimate of them) or "rank"
            (only that higher is better). A search refuses what it cannot use.
        seed: of the random scorer
        abstractions: whose steps are offered beside the axioms: a file of them, or of a model that was trained with some; None
            for those of the scorer, if it is such a model. A path with abstractions leaves out the states between.
        max_steps: the most steps of greedy and beam
        beam: states that beam keeps per step
        beam_value: what beam keeps the best by: sum, last, log-probability, distance or both; by default both for
            networks that say how far states are, else sum for log-preferences and last for other scores
        max_edges: the most successors that bfs lists
        weight: of the steps so far in bwas
        batch: states that bwas and levin expand per round; by default 100 for bwas and 1 for levin
        max_expanded: the most states that bwas and levin expand
        threads: 0 for one per core
    """
    if isinstance(problems, str):
        raise TypeError("problems: expected a list of str, not str")
    options = SearchOptions(
        algorithm=algorithm,
        max_steps=max_steps,
        beam=beam,
        beam_value=beam_value,
        max_edges=max_edges,
        weight=weight,
        batch=batch,
        max_expanded=max_expanded,
    )
    guide = default_scorer(domain) if scorer is None else scorer
    parsed = [domain.parse(problem) for problem in problems]
    run = _native.search_with_trace if trace else _native.search
    chosen = "" if abstractions is None else os.fspath(abstractions)
    return run(domain, parsed, guide, options, meaning=meaning, seed=seed, abstractions=chosen, threads=threads)


@dataclass(frozen=True)
class Evaluation:
    """How many generated problems a search solved, and at what cost."""

    problems: Sequence[str] = field(repr=False)
    results: Sequence[SearchResult] = field(repr=False)
    solved: int
    verified: int
    """Solved problems whose answer was found right by other means than the axioms."""
    wrong: int
    """Solved problems whose answer was found wrong."""
    cannot_tell: int
    """Solved problems of whose answer neither can be told: in a domain written in Python, all."""
    mean_length: float
    """Of the solutions, in steps."""
    expanded: int
    edges: int
    seconds: float

    @property
    def success_rate(self) -> float:
        return self.solved / len(self.problems) if self.problems else 0.0

    @property
    def failures(self) -> list[str]:
        """The problems that were not solved."""
        return [problem for problem, result in zip(self.problems, self.results, strict=True) if not result.solved]


def evaluate(domain: Domain, seeds: Iterable[int] = range(200), scorer: Scorer | None = None, **options: Any) -> Evaluation:
    """Searches the problems with these seeds; `options` are those of `search`.

    As `conpole eval` does, it offers the abstractions that the model was trained with, but to a breadth-first search none.
    """
    if options.get("algorithm") != "bfs":
        options.setdefault("abstractions", None)
    problems = domain.generate_batch(list(seeds))
    begin = time.perf_counter()
    results = search(domain, problems, scorer, **options)
    seconds = time.perf_counter() - begin
    solved = [result for result in results if result.solved]
    verdicts = [_native.verify_path(domain, result.path) for result in solved]
    return Evaluation(
        problems=problems,
        results=results,
        solved=len(solved),
        verified=verdicts.count("right"),
        wrong=verdicts.count("wrong"),
        cannot_tell=verdicts.count("cannot tell"),
        mean_length=sum(result.steps for result in solved) / len(solved) if solved else 0.0,
        expanded=sum(result.expanded for result in results),
        edges=sum(result.edges for result in results),
        seconds=seconds,
    )
