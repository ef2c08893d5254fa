"""Lines, solutions, checks, models and domains as notebooks show them: formulas in MathML, cubes in SVG, and LaTeX for printing."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from conpole import _native
from conpole._native import Domain, Error, Model, SearchResult, StepCheck


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
        language: of words inside a line and of the decimal sign: en, de, es, fr and so on
    """
    if not isinstance(what, str):
        return Shown(str(what), what._repr_html_(), what._repr_latex_())
    if not isinstance(domain, Domain):
        domain = Domain(_native.guess_domain(what, language) if domain is None else domain)
    state = _native.read_notation(domain, what, language)[0]
    line = _native.markup(domain, state, language)
    drawn = picture(domain, state) or line.mathml
    return Shown(line.notation, as_html([(drawn, "")]), f"$${_native.write_latex(domain, state)}$$")


_STYLE = "<style>.conpole .changed { background: rgba(255, 196, 0, 0.35); border-radius: 0.2em; }</style>"


def as_html(rows: Iterable[tuple[str, str]], note: str = "") -> str:
    """A table of lines in MathML, each with a sentence about it, and a paragraph. The sentences are plain text."""
    cells = "".join(f"<tr><td>{mathml}</td><td>{html.escape(words)}</td></tr>" for mathml, words in rows)
    table = f"<table>{cells}</table>" if cells else ""
    paragraph = f"<p>{html.escape(note)}</p>" if note else ""
    return f'<div class="conpole">{_STYLE}{table}{paragraph}</div>'


def table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """A table of plain texts, in which cubes are drawn."""
    titles = "<tr>" + "".join(f"<th>{html.escape(title)}</th>" for title in head) + "</tr>" if head else ""
    cells = "".join("<tr>" + "".join(f"<td>{_drawn(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="conpole"><table>{titles}{cells}</table></div>'


def fields(of: object, *names: str) -> str:
    """Some attributes of a result as a table, named by them."""
    return table((name.replace("_", " "), getattr(of, name)) for name in names)


def curve(steps: Sequence[float], shares: Sequence[float], title: str) -> str:
    """Shares from 0 to 1 over steps, as SVG; empty for fewer than two."""
    if len(steps) < 2 or steps[-1] <= 0:
        return ""
    points = " ".join(f"{300 * step / steps[-1]:.1f},{100 - 100 * share:.1f}" for step, share in zip(steps, shares, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -10 380 130" width="380" height="130" font-size="11" role="img" '
        f'aria-label="{html.escape(title)}"><path d="M0 0V100H300" fill="none" stroke="#888"/>'
        f'<polyline points="{points}" fill="none" stroke="#0046ad" stroke-width="1.5"/>'
        f'<text x="-36" y="4">100%</text><text x="-20" y="103">0</text><text x="270" y="116">{steps[-1]:,.0f}</text>'
        f'<text x="90" y="116">{html.escape(title)}</text></svg>'
    )


_COLOURS = ("#ffffff", "#ffd500", "#ff5800", "#b71234", "#0046ad", "#009b48")
# Where the faces up, down, left, right, back and front lie in the net, in faces.
_FACES = ((1, 0), (1, 2), (0, 1), (2, 1), (3, 1), (1, 1))


def picture(domain: Domain, state: str) -> str:
    """A state as SVG; empty where there is no picture of it."""
    if domain.name != "rubiks-cube":
        return ""
    cells = _native.pack_states(domain, [state])[0]
    squares = []
    for face, (column, row) in enumerate(_FACES):
        for k in range(9):
            x, y = 30 * column + 10 * (k % 3), 30 * row + 10 * (k // 3)
            squares.append(f'<rect x="{x}" y="{y}" width="10" height="10" fill="{_COLOURS[cells[9 * face + k]]}"/>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 122 92" width="160" height="121" stroke="#222" stroke-width="0.8" '
        f'role="img" aria-label="the net of a cube">{"".join(squares)}</svg>'
    )


_CUBE = re.compile("".join(f"{face}[0-5]{{9}}{face.lower()}" for face in "ABCDEF"))


def _drawn(text: str) -> str:
    """A text for a page, with pictures of the cubes in it: results do not say which domain they are of."""
    try:
        return _CUBE.sub(lambda cube: picture(Domain("rubiks-cube"), cube[0]), html.escape(text))
    except Error:  # that cannot be a cube
        return html.escape(text)


class StepChecks(list[StepCheck]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        return as_html((_drawn(_line_of(check)), f"{_sign_of(check)} {check.message}") for check in self)


def _line_of(check: StepCheck) -> str:
    return check.state if _CUBE.fullmatch(check.state) else check.reading or check.state


def _sign_of(check: StepCheck) -> str:
    return "✓" if check.correct else "?" if check.kind in ("unreadable", "cannot tell") else "✗"


def _check_html(check: StepCheck) -> str:
    return StepChecks([check])._repr_html_()


def _result_html(result: SearchResult) -> str:
    return table([("outcome", result.outcome), ("steps", result.steps), ("expanded", result.expanded), *enumerate(result.path)])


def _model_html(model: Model) -> str:
    about = [("network", model.kind), ("domain", model.domain), ("scores", model.meaning), ("vectors of", model.vector_size)]
    long = 200
    return table(about + [(key, value if len(value) < long else value[:long] + "…") for key, value in sorted(model.metadata.items())])


def _domain_html(domain: Domain) -> str:
    example = domain.generate(0)
    drawn = picture(domain, example) or html.escape(example)
    axioms = table(domain.axioms.items(), ("axiom", "what it does")) if domain.axioms else ""
    return (
        f'<div class="conpole"><p><b>{html.escape(domain.name)}</b> {html.escape(getattr(domain, "summary", ""))}</p>'
        f"<p>A problem: {drawn}</p>{axioms}</div>"
    )


# Classes of C++ cannot define these themselves without knowing HTML.
for _class, _method in ((StepCheck, _check_html), (SearchResult, _result_html), (Model, _model_html), (Domain, _domain_html)):
    setattr(_class, "_repr_html_", _method)  # noqa: B010


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
