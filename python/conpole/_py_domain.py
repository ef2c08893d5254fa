"""Domains written in Python."""

from collections.abc import Iterable, Mapping

from conpole._native import PythonDomain


class PyDomain(PythonDomain):
    """The base of domains written in Python; every search, evaluation and environment takes one.

    A subclass defines `generate`, `successors` and `solved`. States are text, and equal states have equal text. A subclass
    with an `__init__` of its own calls `super().__init__()` in it.
    """

    summary: str = ""
    axiom_meanings: Mapping[str, str] = {}
    """What the first words of actions mean. `apply` knows these axioms."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name or type(self).__name__, self.summary, dict(self.axiom_meanings))

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
