"""Problems that are near one another by the vectors of a model."""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conpole import _native
from conpole._native import Domain, Error, Model
from conpole._searching import load_model
from conpole._show import listed, table


@dataclass(frozen=True)
class SimilarProblem:
    """A problem that is near another one."""

    problem: str
    """Canonical text."""
    text: str
    """As people write it."""
    latex: str
    cosine: float
    """Of the angle between the vectors of the two problems: 1 for the same direction."""


class SimilarProblems(list[SimilarProblem]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        return table(((f"{one.cosine:.3f}", one.text) for one in self), ("cosine", "problem"))


class ProblemIndex:
    """Problems of a domain with the vectors that a model gives them. Each problem is in it once.

    Args:
        problems: in free notation or as states; or a range of seeds, for the problems that the domain makes of them
        domain: what they are problems of; by default what the first one looks like
        model: by default the one that comes with conpole for the domain; a model, or the path of a file
        language: of words and decimal signs in the problems: en, de, es, fr and so on
        threads: 0 for one per core
    """

    def __init__(
        self,
        problems: Iterable[str] | range,
        domain: Domain | str | None = None,
        model: Model | str | os.PathLike[str] | None = None,
        *,
        language: str = "en",
        threads: int = 0,
    ) -> None:
        texts = problems if isinstance(problems, range) else list(problems)
        if domain is None:
            if isinstance(texts, range) or not texts:
                raise Error("without problems as text, the domain has to be named")
            domain = _native.guess_domain(texts[0], language)
        found = domain if isinstance(domain, Domain) else Domain(domain)
        self._threads = threads
        self._model = _model_for(found, model)
        self._native = _native.ProblemIndex(found, self._model)
        if isinstance(texts, range):
            if texts.step != 1 or texts.start < 0:
                raise Error("a range of seeds has the step 1 and does not begin below 0")
            self._native.add_generated(texts.start, max(texts.start, texts.stop), threads=threads)
        else:
            self._native.add([_native.read_notation(found, text, language)[0] for text in texts], threads=threads)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        domain: Domain | str | None = None,
        model: Model | str | os.PathLike[str] | None = None,
        *,
        threads: int = 0,
    ) -> "ProblemIndex":
        """Reads what `save` or `conpole similar --save-index` wrote. Raises Error for a file that is damaged, or that was made
        with another model or for another domain."""
        named = _native.ProblemIndex.domain_of_file(Path(path)) if domain is None else domain
        found = named if isinstance(named, Domain) else Domain(named)
        index = cls.__new__(cls)
        index._threads = threads
        index._model = _model_for(found, model)
        index._native = _native.ProblemIndex.read(Path(path), found, index._model)
        return index

    @property
    def domain(self) -> Domain:
        return self._native.domain

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the problems and their vectors to a file, whole or not at all."""
        self._native.write(Path(path))

    def similar(self, problem: str, count: int = 10, *, language: str = "en") -> "SimilarProblems":
        """The problems that are nearest to one, which is in free notation and not among them; the nearest first."""
        if count < 0:
            raise Error("the count must be at least 0")
        domain = self.domain
        state = _native.read_notation(domain, problem, language)[0]
        return SimilarProblems(
            SimilarProblem(found, _native.write_notation(domain, found), _native.write_latex(domain, found), cosine)
            for found, cosine in self._native.similar(state, count, threads=self._threads)
        )

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, place: int) -> str:
        return self._native[place]

    def __getstate__(self) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "index"
            self.save(path)
            return {"domain": self.domain, "model": self._model, "threads": self._threads, "file": path.read_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "index"
            path.write_bytes(state["file"])
            self._native = _native.ProblemIndex.read(path, state["domain"], state["model"])
        self._model = state["model"]
        self._threads = state["threads"]

    def _repr_html_(self) -> str:
        return listed(self, f"problem of {self.domain.name}")

    def __repr__(self) -> str:
        return f"ProblemIndex({len(self)} problems of {self.domain.spec})"


def similar(
    problem: str,
    domain: Domain | str | None = None,
    *,
    problems: Iterable[str] | range = range(5_000),
    count: int = 10,
    model: Model | str | os.PathLike[str] | None = None,
    language: str = "en",
    threads: int = 0,
) -> "SimilarProblems":
    """The problems that are nearest to one by their vectors, which is not among them; the nearest first.

    To ask about many problems, or about many at a time, make a `ProblemIndex` once.

    Args:
        problem: in free notation, or a state
        domain: by default the one that the problem looks like
        problems: to choose from: texts, or a range of seeds for generated ones
        count: how many at the most
        model: by default the one that comes with conpole for the domain; a model, or the path of a file
        language: of words and decimal signs in the problems: en, de, es, fr and so on
        threads: 0 for one per core
    """
    if domain is None:
        domain = _native.guess_domain(problem, language)
    index = ProblemIndex(problems, domain, model, language=language, threads=threads)
    return index.similar(problem, count, language=language)


def _model_for(domain: Domain, model: Model | str | os.PathLike[str] | None) -> Model:
    if model is None and domain.name not in _native.domain_names():
        raise Error(f"no model comes with conpole for {domain.name}; name one")
    return model if isinstance(model, Model) else load_model(domain.name if model is None else Path(model))
