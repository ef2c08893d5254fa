"""Lines, solutions, checks, models and domains as notebooks show them: formulas in MathML, cubes in SVG, and LaTeX for printing."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from conpole import _native
from conpole._native import Domain, Error, Expansion, Model, PairBatch, SearchResult, SearchTrace, StepCheck, TextColumn


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


# Notebooks put what is in tables at the right, and lose breaks between lines.
_STYLE = (
    "<style>.conpole .changed { background: rgba(255, 196, 0, 0.35); border-radius: 0.2em; } "
    ".conpole.conpole table td, .conpole.conpole table th { text-align: left; white-space: pre-line; }</style>"
)


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
    return f'<div class="conpole">{_STYLE}<table>{titles}{cells}</table></div>'


_MOST = 20  # of many things that are alike


class _Texts(Protocol):
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> str: ...


def listed(texts: _Texts, head: str) -> str:
    """The first of many texts as a table."""
    rows: list[tuple[object, str]] = [(i, texts[i]) for i in range(min(len(texts), _MOST))]
    if len(texts) > _MOST:
        rows.append(("…", f"{len(texts):,} in all"))
    return table(rows, ("", head))


def fields(of: object, *names: str) -> str:
    """Some attributes of a result as a table, named by them."""
    return table((name.replace("_", " "), _in_words(getattr(of, name))) for name in names)


def _in_words(value: object) -> object:
    if not isinstance(value, dict):
        return value
    counts = all(isinstance(one, int) for one in value.values())
    items = sorted(value.items(), key=lambda item: -item[1]) if counts else value.items()
    return "\n".join(f"{key}: {one}" for key, one in items)


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


class Picture(str):
    """SVG, which notebooks show."""

    def _repr_svg_(self) -> str:
        return self


def _bars(heights: Sequence[int]) -> str:
    rows = "".join(f'<rect x="{14 * i}" y="{60 - 60 * h // max(heights)}" width="10" height="{60 * h // max(heights)}"/>' for i, h in enumerate(heights))
    width = 14 * len(heights) - 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 60" width="{width}" height="60" fill="#0046ad" role="img" '
        f'aria-label="bars: {", ".join(map(str, heights))}">{rows}</svg>'
    )


def picture(domain: Domain, state: str) -> str:
    """A state as SVG; empty where there is no picture of it."""
    if domain.name == "sorting":
        return _bars([len(bar) for bar in state[1:-1].split("|")])
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
    about = [("network", model.kind), ("scores", model.meaning), ("vectors of", str(model.vector_size)), *sorted(model.metadata.items())]
    long = 80

    def in_short(value: str) -> str:
        first = value.partition("\n")[0]
        return value if len(value) <= long and first == value else first[:long] + " …"

    return table((key, in_short(value)) for key, value in about)


def _domain_html(domain: Domain) -> str:
    example = domain.generate(0)
    drawn = picture(domain, example) or html.escape(example)
    axioms = table(domain.axioms.items(), ("axiom", "what it does")) if domain.axioms else ""
    return (
        f'<div class="conpole">{_STYLE}<p><b>{html.escape(domain.name)}</b> {html.escape(getattr(domain, "summary", ""))}</p>'
        f"<p>A problem: {drawn}</p>{axioms}</div>"
    )


def _trace_html(trace: SearchTrace) -> str:
    """What each step met, and what it went on with."""
    rows: list[tuple[object, ...]] = []
    for step in range(min(len(trace.first_chosen) - 1, _MOST)):
        chosen = [trace.states[place] for place in trace.chosen[trace.first_chosen[step] : trace.first_chosen[step + 1]]]
        rows.append((step + 1, trace.first[step + 1] - trace.first[step], len(chosen), chosen[0] if chosen else ""))
    path = " → ".join(trace.states[place] for place in trace.solution)
    return table([("states", len(trace)), ("solution", path or "none")]) + table(rows, ("step", "candidates", "chosen", "the first"))


def _batch_html(batch: PairBatch) -> str:
    targets = batch.targets
    rows = [
        (batch.texts[batch.parents[i]], batch.texts[batch.candidates[i]], "" if targets is None else f"{targets[i]:g}")
        for i in range(min(len(batch), _MOST))
    ]
    return table([*rows, (f"… {len(batch):,} pairs", "", "")] if len(batch) > _MOST else rows, ("parent", "candidate", "target"))


# Classes of C++ cannot define these themselves without knowing HTML.
for _class, _method in (
    (StepCheck, _check_html),
    (SearchResult, _result_html),
    (SearchTrace, _trace_html),
    (PairBatch, _batch_html),
    (TextColumn, lambda column: listed(column, "text")),
    (Expansion, lambda expansion: listed(expansion, "successor")),
    (Model, _model_html),
    (Domain, _domain_html),
):
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
