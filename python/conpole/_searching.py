"""Models and searches."""

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, cast, overload

from conpole import _native
from conpole._native import Domain, Error, Model, PairBatch, SearchOptions, SearchResult, SearchTrace, TracedResult

if TYPE_CHECKING:
    from typing_extensions import Unpack

Algorithm = Literal["greedy", "beam", "bwas", "levin", "bfs"]
Meaning = Literal["log-preference", "log-odds", "steps-to-go", "rank"]
BeamValue = Literal["sum", "last", "log-probability", "distance", "both"]


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


Choose = Callable[[SearchTrace], Any]
"""How a search goes on: given all that it has met so far, with scores, the places in `states` of those to expand next. It ends with
none, or once a candidate is solved."""


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


class AlgorithmKeywords(TypedDict, total=False):
    """An algorithm and its limits."""

    algorithm: Algorithm
    max_steps: int
    beam: int
    beam_value: BeamValue | None
    views: int
    endgame: bool
    max_edges: int
    weight: float
    batch: int | None
    max_expanded: int


class SearchKeywords(AlgorithmKeywords, total=False):
    """The options of `search`, for those who pass them on."""

    choose: Choose | None
    meaning: Meaning
    seed: int
    abstractions: str | os.PathLike[str] | None
    device: str
    threads: int


@overload
def search(
    domain: str | Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: Literal[False] = False,
    **options: "Unpack[SearchKeywords]",
) -> list[SearchResult]: ...


@overload
def search(
    domain: str | Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: Literal[True],
    **options: "Unpack[SearchKeywords]",
) -> list[TracedResult]: ...


def search(
    domain: str | Domain,
    problems: Iterable[str],
    scorer: Scorer | None = None,
    *,
    trace: bool = False,
    algorithm: Algorithm = "beam",
    choose: Choose | None = None,
    meaning: Meaning = "log-preference",
    seed: int = 0,
    abstractions: str | os.PathLike[str] | None = "none",
    max_steps: int = 30,
    beam: int = 10,
    beam_value: BeamValue | None = None,
    views: int = 1,
    endgame: bool = True,
    max_edges: int = 1_000_000,
    weight: float = 1.0,
    batch: int | None = None,
    max_expanded: int = 100_000,
    device: str = "cpu",
    threads: int = 0,
) -> list[SearchResult] | list[TracedResult]:
    """Searches for solutions of all problems, and returns the results in their order.

    Args:
        domain: what the problems are of: a domain, or its text
        problems: in the notation of the domain
        scorer: what guides the search; by default the model that comes with conpole for the domain, or else a
            heuristic of the domain, or else "length"
        trace: whether each result has a `trace`: all candidates of each step with their parents and scores, and
            what was chosen, in columns (greedy and beam only)
        algorithm: greedy, beam, bwas (batch weighted A*), levin (Levin tree search) or bfs (breadth-first, without a scorer)
        choose: a function that replaces the search: after each step it is given the trace so far, and returns the places in its
            `states` to expand next. All searches take their steps together, so that scores come in large batches; `max_steps`
            limits them, and `beam` does not.
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
        views: symmetric views of a problem that beam searches, to take the shortest solution, where states have a fixed layout
        endgame: whether beam, bwas and levin know the states near the solved one beforehand, where states have a fixed layout and
            a model of conpole's guides
        max_edges: the most successors that bfs lists
        weight: of the steps so far in bwas
        batch: states that bwas and levin expand per round; by default 100 for bwas and 1 for levin
        max_expanded: the most states that bwas and levin expand
        device: where a model runs: cpu, cuda or cuda:N; all but cpu by PyTorch (pip install conpole[torch])
        threads: 0 for one per core
    """
    if isinstance(problems, str):
        raise TypeError("problems: expected a list of str, not str")
    options = SearchOptions(
        algorithm=algorithm,
        max_steps=max_steps,
        beam=beam,
        beam_value=beam_value,
        views=views,
        endgame=endgame,
        max_edges=max_edges,
        weight=weight,
        batch=batch,
        max_expanded=max_expanded,
    )
    searched = as_domain(domain)
    guide = default_scorer(searched) if scorer is None else scorer
    parsed = [searched.parse(problem) for problem in problems]
    chosen = "" if abstractions is None else os.fspath(abstractions)
    with contextlib.ExitStack() as stack:
        if device != "cpu" and isinstance(guide, Model):
            path = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "model.safetensors")
            _native.write_model(guide, path)
            meaning = cast(Meaning, guide.meaning)
            chosen = chosen or (path if _has_abstractions(guide.metadata, searched.name) else "none")
            guide = _on_device(path, device)
        found = _native.search(
            searched,
            parsed,
            guide,
            options,
            trace=trace,
            choose=choose,
            meaning=meaning,
            seed=seed,
            abstractions=chosen,
            threads=threads,
        )
    return SearchResults(found)


class SearchResults(list[Any]):
    """A list of results that notebooks show as a table."""

    def _repr_html_(self) -> str:
        from conpole._show import table

        shown = 100
        rows: list[tuple[object, ...]] = [(i, one.outcome, one.steps, one.expanded, " → ".join(one.path[:1] + one.path[-1:])) for i, one in enumerate(self[:shown])]
        if len(self) > shown:
            rows.append(("…", f"{len(self)} in all", "", "", ""))
        return table(rows, ("problem", "outcome", "steps", "expanded", "first and last state"))


def as_domain(domain: str | Domain) -> Domain:
    """A domain, or the one that a text names or defines."""
    return Domain(domain) if isinstance(domain, str) else domain


def _has_abstractions(metadata: Mapping[str, str], domain: str) -> bool:
    """Whether a model, which may be one for several domains, has some for this one."""
    names = (key for key, value in metadata.items() if key.split(".")[-1] == "domain" and value.split(":")[0] == domain)
    return any(name.removesuffix("domain") + "abstractions" in metadata for name in names)


def _on_device(path: str, device: str) -> Scorer:
    """The model in a file, run by PyTorch."""
    try:
        from conpole.torch import Policy
    except ImportError as error:
        raise Error(f"the device {device} needs PyTorch: pip install conpole[torch]") from error
    return Policy.from_file(path).to(device).scorer()


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

    def _repr_html_(self) -> str:
        from conpole._show import table

        rows = [
            ("problems", len(self.problems)),
            ("solved", f"{self.solved} ({self.success_rate:.1%})"),
            ("verified", self.verified),
            ("wrong", self.wrong),
            ("cannot tell", self.cannot_tell),
            ("mean length", f"{self.mean_length:.2f}"),
            ("states expanded", f"{self.expanded:,}"),
            ("seconds", f"{self.seconds:.2f}"),
        ]
        return table(rows)

    @property
    def failures(self) -> list[str]:
        """The problems that were not solved."""
        return [problem for problem, result in zip(self.problems, self.results, strict=True) if not result.solved]


def evaluate(
    domain: str | Domain,
    seeds: Iterable[int] = range(200),
    scorer: Scorer | None = None,
    **options: "Unpack[SearchKeywords]",
) -> Evaluation:
    """Searches the problems with these seeds; `options` are those of `search`.

    As `conpole eval` does, it offers the abstractions that the model was trained with, but to a breadth-first search none.
    """
    if options.get("algorithm") != "bfs":
        options.setdefault("abstractions", None)
    searched = as_domain(domain)
    problems = searched.generate_batch(list(seeds))
    begin = time.perf_counter()
    results = search(searched, problems, scorer, **options)
    seconds = time.perf_counter() - begin
    solved = [result for result in results if result.solved]
    verdicts = [_native.verify_path(searched, result.path) for result in solved]
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
