"""Lines, solutions and hints as notebooks show them: formulas in MathML, and in LaTeX for printing."""

import html
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from conpole import _native
from conpole._native import Domain


@runtime_checkable
class Showable(Protocol):
    """What a notebook can show: a `Solution`, a `Hint`, a `Step` and what `show` gives."""

    def _repr_html_(self) -> str: ...
    def _repr_latex_(self) -> str: ...


@dataclass(frozen=True)
class Shown:
    """A line as a notebook shows it. Elsewhere it is plain text."""

    text: str
    html: str = field(repr=False)
    latex: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html

    def _repr_latex_(self) -> str:
        return self.latex


def show(what: "str | Showable", domain: Domain | str | None = None, *, language: str = "en") -> Shown:
    """Shows a problem or any line as a formula, or a solution, a step or a hint, in a notebook.

    Args:
        what: a line in free notation, or what `solve`, `hint` and `next_steps` give
        domain: of a line; by default the one that it looks like
        language: of words inside a line and of the decimal sign: en or de
    """
    if not isinstance(what, str):
        return Shown(str(what), what._repr_html_(), what._repr_latex_())
    if not isinstance(domain, Domain):
        domain = Domain(_native.guess_domain(what, language) if domain is None else domain)
    state = _native.read_notation(domain, what, language)[0]
    line = _native.markup(domain, state, language)
    return Shown(line.notation, as_html([(line.mathml, "")]), f"$${_native.write_latex(domain, state)}$$")


_STYLE = "<style>.conpole .changed { background: rgba(255, 196, 0, 0.35); border-radius: 0.2em; }</style>"


def as_html(rows: Iterable[tuple[str, str]], note: str = "") -> str:
    """A table of lines in MathML, each with a sentence about it, and a paragraph. The sentences are plain text."""
    cells = "".join(f"<tr><td>{mathml}</td><td>{html.escape(words)}</td></tr>" for mathml, words in rows)
    table = f"<table>{cells}</table>" if cells else ""
    paragraph = f"<p>{html.escape(note)}</p>" if note else ""
    return f'<div class="conpole">{_STYLE}{table}{paragraph}</div>'


_LATEX_ESCAPES = str.maketrans(
    {
        **{sign: "\\" + sign for sign in "{}_&%$#"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
    }
)


def latex_words(words: str) -> str:
    """Plain text inside a formula."""
    return f"\\text{{{words.translate(_LATEX_ESCAPES)}}}"
