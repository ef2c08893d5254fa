"""Domains written in Python."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from conpole._native import PythonDomain, domain_names

_Made = TypeVar("_Made", bound="PyDomain")


class PyDomain(PythonDomain):
    """The base of domains written in Python; every search, evaluation and environment takes one.

    A subclass defines `generate`, `successors` and `solved`. States are text, and equal states have equal text. Two domains are
    equal if they are of one class and have equal attributes. They are copied and pickled like other objects of Python.
    """

    summary: str = ""
    axiom_meanings: Mapping[str, str] = {}
    """What the first words of actions mean. `apply` knows these axioms, and hints say what they mean."""

    def __new__(cls: type[_Made], *_: Any, **__: Any) -> _Made:
        # Usable before any __init__ is done: that of a subclass may ask for the name, or not call the one below.
        made = super().__new__(cls)
        own_name = cls.__name__ if cls.__name__ not in domain_names() else f"{cls.__module__}.{cls.__name__}"
        PythonDomain.__init__(made, own_name, cls.summary, dict(cls.axiom_meanings))
        return made

    def __init__(self, name: str | None = None) -> None:
        self._describe(name or type(self).__name__, self.summary, dict(self.axiom_meanings))

    def generate(self, seed: int) -> str:
        """The problem with this seed: the same for the same seed."""
        raise NotImplementedError(f"{type(self).__name__} does not define generate(seed)")

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        """The pairs (action, next state) of a state that is not solved; none if it is a dead end."""
        raise NotImplementedError(f"{type(self).__name__} does not define successors(state)")

    def solved(self, state: str) -> bool:
        """Whether a state is solved."""
        raise NotImplementedError(f"{type(self).__name__} does not define solved(state)")

    def parse(self, text: str) -> str:
        """The state that a text stands for, in its one canonical form; raises ValueError if it is none."""
        return text

    def successors_batch(self, states: list[str]) -> Iterable[Iterable[tuple[str, str]] | None]:
        """Of each of these states its successors, or None if it is solved.

        Called once for all states of an `expand`, a `step` or a vector environment, and in each round of searches for those of up to
        256 states. Define it where listing many at a time is faster, with NumPy for example; it must say the same as `successors` and
        `solved`.
        """
        return [None if self.solved(state) else self.successors(state) for state in states]

    def solved_batch(self, states: list[str]) -> Iterable[Any]:
        """Of each of these states whether it is solved. Searches call it once for up to 256 of the states that they meet in a round."""
        return [self.solved(state) for state in states]

    def explain(self, action: str, before: str, after: str, language: str) -> str | None:
        """A step in words, for solutions and hints; None for the action as it is."""
        return None

    def latex(self, state: str) -> str | None:
        """A state as a formula in LaTeX; None for its text."""
        return None

    def verify(self, problem: str, answer: str) -> bool | None:
        """Whether a solved state is the answer to a problem, found out by other means than the steps; None if that cannot be told."""
        return None

    def _expand(self, states: list[str]) -> list[Iterable[tuple[str, str]] | str | None]:
        """What C++ calls: `successors_batch` of the states before the first one that `parse` refuses, and then why."""
        if type(self).parse is PyDomain.parse:
            return list(self.successors_batch(states))
        for place, state in enumerate(states):
            try:
                self.parse(state)
            except ValueError as error:
                return [*self.successors_batch(states[:place]), str(error)]
        return list(self.successors_batch(states))

    def __repr__(self) -> str:
        own_name = "" if self.name == type(self).__name__ else f" {self.name!r}"
        return f"<{type(self).__qualname__}{own_name}: a domain written in Python>"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, PyDomain)
        mine, others = vars(self), vars(other)
        return self.name == other.name and mine.keys() == others.keys() and all(_are_equal(mine[key], others[key]) for key in mine)

    def __hash__(self) -> int:
        return hash((type(self), self.name))

    def __reduce__(self) -> tuple[Any, ...]:
        # Before Python 3.11 only classes that want to have a __getstate__.
        state = self.__getstate__() if hasattr(self, "__getstate__") else vars(self)
        return _restore, (type(self), self.name, self.summary, self.axioms), state or None


def _restore(made_from: type[PyDomain], name: str, summary: str, axioms: dict[str, str]) -> PyDomain:
    made = PyDomain.__new__(made_from)
    made._describe(name, summary, axioms)
    return made


def _are_equal(one: object, other: object) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))  # type: ignore[arg-type]
    return bool(one == other)
