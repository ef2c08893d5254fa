"""Solutions for people: problems in free notation, steps in words, LaTeX and HTML."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from conpole import _native
from conpole._native import Domain, SearchResult, StepCheck
from conpole._searching import Scorer, search


@dataclass(frozen=True)
class Step:
    """One step of a solution."""

    action: str
    """The axiom and where it is applied."""
    state: str
    """The state that it leads to."""
    text: str
    """The state as people write it."""
    latex: str
    explanation: str
    """The step in words."""


@dataclass(frozen=True)
class Solution:
    """A problem and the steps to its answer. Notebooks show it as a table."""

    domain: Domain
    problem: str
    """The problem as canonical text."""
    reading: str
    """The problem as it was understood."""
    latex: str
    steps: Sequence[Step]
    verdict: str
    """Whether the answer is right, by other means than the axioms: right, wrong or cannot tell; empty if there is none."""
    result: SearchResult = field(repr=False)

    @property
    def solved(self) -> bool:
        return self.result.solved

    @property
    def answer(self) -> str | None:
        """The solved state as people write it."""
        if not self.solved:
            return None
        return self.steps[-1].text if self.steps else self.reading

    def __str__(self) -> str:
        lines = [self.reading, *(f"{step.text}    {step.explanation}" for step in self.steps)]
        if not self.solved:
            lines.append(f"no solution found ({self.result.outcome})")
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        lines = [f"& {self.latex}"]
        lines += [f"& {step.latex} && {_latex_words('text', step.action.split()[0])}" for step in self.steps]
        return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"

    def _repr_html_(self) -> str:
        rows = [(self.latex, "")] + [(step.latex, step.explanation) for step in self.steps]
        cells = "".join(f"<tr><td>${html.escape(latex)}$</td><td>{html.escape(words)}</td></tr>" for latex, words in rows)
        note = "" if self.solved else f"<p>no solution found ({html.escape(self.result.outcome)})</p>"
        return f"<table>{cells}</table>{note}"


def solve(
    problem: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    **options: Any,
) -> Solution:
    """Solves one problem, as people write it: 2x+3=7, 1/2 + 1/3, LaTeX.

    Args:
        problem: in free notation, or a state; for domains written in Python, what they parse
        domain: by default the one that the problem looks like
        scorer: what guides the search; by default the model that comes with conpole
        language: of the explanations, en or de
        options: those of `search`
    """
    found = _domain_of(problem, domain)
    state, reading = _read(found, problem)
    result = search(found, [state], scorer, **options)[0]
    path = result.path
    actions = _native.labels_of_path(found, path)
    steps = [
        Step(action, after, _write(found, after), _latex(found, after), _explain(found, action, before, after, language))
        for action, before, after in zip(actions, path, path[1:], strict=False)
    ]
    verdict = _native.verify_path(found, path) if result.solved else ""
    return Solution(found, state, reading, _latex(found, state), steps, verdict, result)


def check(
    current: str,
    line: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    **options: Any,
) -> StepCheck:
    """Judges a learner's next line: is it right, and is it closer to the answer? Both lines are in free notation.

    How far a line is from the answer is found out by a search from it, with the `options` of `search`.
    """
    found = _domain_of(current, domain)
    if isinstance(found, _native.PythonDomain):
        raise _native.Error(f"steps of {found.name} cannot be checked: its lines mean nothing to the tutor")

    def distance(state: str) -> float | None:
        result = search(found, [state], scorer, **options)[0]
        return float(result.steps) if result.solved else None

    return _native.check_step(found, _read(found, current)[0], line, distance, language)


def _domain_of(problem: str, domain: Domain | str | None) -> Domain:
    if isinstance(domain, Domain):
        return domain
    return Domain(_native.guess_domain(problem) if domain is None else domain)


# Of a domain written in Python, the tutor knows nothing: its states and actions stand for themselves.


def _read(domain: Domain, problem: str) -> tuple[str, str]:
    if isinstance(domain, _native.PythonDomain):
        state = domain.parse(problem)
        return state, state
    return _native.read_notation(domain, problem)


def _write(domain: Domain, state: str) -> str:
    return state if isinstance(domain, _native.PythonDomain) else _native.write_notation(domain, state)


def _latex(domain: Domain, state: str) -> str:
    if isinstance(domain, _native.PythonDomain):
        return _latex_words("texttt", state)
    return _native.write_latex(domain, state)


def _explain(domain: Domain, action: str, before: str, after: str, language: str) -> str:
    if isinstance(domain, _native.PythonDomain):
        return action
    return _native.explain(domain, action, before, after, language=language)


_LATEX_ESCAPES = str.maketrans(
    {
        **{sign: "\\" + sign for sign in "{}_&%$#"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
    }
)


def _latex_words(command: str, words: str) -> str:
    return f"\\{command}{{{words.translate(_LATEX_ESCAPES)}}}"
