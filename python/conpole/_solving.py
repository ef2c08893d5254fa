"""The tutor: solutions, hints and checks for people, in free notation, words, LaTeX and HTML."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, SupportsIndex, overload

from conpole import _native
from conpole._native import Domain, SearchOptions, StepCheck, Tutor
from conpole._searching import AlgorithmKeywords, Meaning, Scorer, default_scorer
from conpole._show import Picture, StepChecks, as_html, latex_words, picture

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Step:
    """One step of a solution."""

    action: str
    """The axiom and where it is applied."""
    state: str
    """The state that it leads to."""
    text: str
    """The state as people write it."""
    latex: str = field(repr=False)
    explanation: str
    """The step in words."""
    axioms: Sequence["Step"] = ()
    """The axioms that the step is made of, if they were asked for."""
    axioms_domain: Domain | None = None
    """The domain of the axioms; None if there are none."""
    axioms_note: str = ""
    """Why there are none, if they were asked for."""
    why: Sequence[str] = ()
    """Why the step is allowed, in at most three lines; none where the domain has no such reasons."""
    mathml: str = field(default="", repr=False)
    """The line for browsers, with the parts that the step changed in elements of the class `changed`."""
    speech: str = field(default="", repr=False)
    """The line in words, for ears."""
    svg: str = field(default="", repr=False)
    """The line as a picture; empty where there is none."""

    def __str__(self) -> str:
        return f"{self.text}    {self.explanation}"

    def _repr_latex_(self) -> str:
        return f"$${self.latex} \\qquad {latex_words(self.explanation)}$$"

    def _repr_html_(self) -> str:
        return as_html([(self.svg or self.mathml, self.explanation)])


@dataclass(frozen=True)
class Solution:
    """A problem and the steps to its answer. Notebooks show it as a table."""

    domain: Domain
    problem: str
    """The problem as canonical text."""
    reading: str
    """The problem as it was understood."""
    latex: str = field(repr=False)
    steps: Sequence[Step]
    status: str
    """solved, unsolved, or why an equation has no single answer: no_solution, every_number or several_solutions."""
    answer: str | None
    """The answer as people write it; of several solutions all, unless one is irrational."""
    verified: bool | None
    """Whether the status is known by other means than the axioms. None for an answer of which that cannot be told, as in a
    domain written in Python."""
    exceptions: Sequence[str]
    """Of every_number: the numbers that do not solve the equation. Irrational ones are left out."""
    message: str
    """The status in a sentence."""
    outcome: str
    """How the search ended: solved, exhausted or out of budget."""
    expanded: int
    """States that the search expanded."""
    mathml: str = field(default="", repr=False)
    """The problem for browsers."""
    speech: str = field(default="", repr=False)
    """The problem in words, for ears."""
    svg: str = field(default="", repr=False)
    """The problem as a picture; empty where there is none."""

    @property
    def solved(self) -> bool:
        return self.status == "solved"

    def draw(self, *, balance: bool = False) -> Picture | None:
        """The whole solution as one picture: both sides of an equation as curves that meet at the answer, the solutions of an inequality on
        a line, or fractions as bars; with `balance`, a linear equation as a balance, line by line. None if there is nothing to draw."""
        drawn = _native.draw_lines(self.domain, [self.problem, *(step.state for step in self.steps)], balance)
        return None if drawn is None else Picture(drawn)

    @property
    def _note(self) -> str:
        return "" if self.solved and self.verified else self.message

    def __str__(self) -> str:
        lines = [self.reading, *(str(step) for step in self.steps)]
        return "\n".join(lines + [self._note] * bool(self._note))

    def _repr_latex_(self) -> str:
        lines = [f"& {self.latex}"]
        lines += [f"& {step.latex} && {latex_words(step.action.split()[0])}" for step in self.steps]
        return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"

    def _repr_html_(self) -> str:
        note = self._note
        if not note:
            note = f"{self.answer} (verified)" if not self.svg else "Solved (verified)"
        rows = [(self.svg or self.mathml, ""), *((step.svg or step.mathml, step.explanation) for step in self.steps)]
        return as_html(rows, note)


@dataclass(frozen=True)
class Hint:
    """What to do next."""

    text: str
    """A sentence for the learner."""
    status: str
    """Of the line that the hint is for, as of a solution."""
    step: Step | None
    """The step that the hint is about; None if the line is an answer, or has no solution with steps."""
    level: int = 1
    """How much the hint says: from 3 on also the line that the step leads to."""
    mistake: str | None = None
    """The typical mistake in the line that was tried, if there is one; the hint has it in mind."""

    def __str__(self) -> str:
        return self.text

    @property
    def _line(self) -> Step | None:
        return self.step if self.level >= 3 else None

    def _repr_latex_(self) -> str:
        if self._line is None:
            return f"${latex_words(self.text)}$"
        return f"$${latex_words(self._line.explanation)} \\qquad {self._line.latex}$$"

    def _repr_html_(self) -> str:
        if self._line is None:
            return as_html([], self.text)
        return as_html([(self._line.svg or self._line.mathml, "")], self._line.explanation)


@dataclass(frozen=True)
class NextStep:
    """A step that can be done next."""

    step: Step
    probability: float
    """That the policy takes it; of all next steps they add up to 1."""

    def _repr_html_(self) -> str:
        return NextSteps([self])._repr_html_()


class NextSteps(list[NextStep]):
    """A list that notebooks show as a table, and so is a part of it."""

    @overload
    def __getitem__(self, where: SupportsIndex, /) -> NextStep: ...
    @overload
    def __getitem__(self, where: slice, /) -> "NextSteps": ...
    def __getitem__(self, where: SupportsIndex | slice, /) -> "NextStep | NextSteps":
        return NextSteps(super().__getitem__(where)) if isinstance(where, slice) else super().__getitem__(where)

    def _repr_html_(self) -> str:
        return as_html([(one.step.svg or one.step.mathml, f"{one.probability:.1%}  {one.step.explanation}") for one in self])

    def _repr_latex_(self) -> str:
        return "$$\\begin{aligned}\n" + " \\\\\n".join(f"& {one.step.latex}" for one in self) + "\n\\end{aligned}$$"


def solve(
    problem: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    detail: Literal["school", "axioms"] = "school",
    milliseconds: int = 5_000,
    expansions: int = 1_000_000,
    meaning: Meaning = "log-preference",
    seed: int = 0,
    abstractions: str | os.PathLike[str] | None = None,
    threads: int = 0,
    **search_options: "Unpack[AlgorithmKeywords]",
) -> Solution:
    """Solves one problem, as people write it: 2x+3=7, 1/2 + 1/3, LaTeX. What is shown as an answer was verified, unless that
    cannot be done, as in a domain written in Python: the solution then says so.

    The policy is followed greedily, then by beams that grow until the budget is spent; with an option of a search (algorithm,
    beam, max_steps and so on: see `search`), by that search alone.

    Args:
        problem: in free notation, or a state; for domains written in Python, what they parse
        domain: by default the one that the problem looks like; algebra for equations and numbers
        scorer: what guides the search; by default the domain's heuristic, if it suffices, or the model that comes with conpole
        language: of the explanations, of words inside lines and of the decimal sign: en, de, es, fr and so on
        detail: school, or axioms for steps that have the axioms that they are made of
        milliseconds: to search at the most
        expansions: states to expand at the most
        meaning: of a function's scores, as in `search`
        seed: of the random scorer
        abstractions: a file of them, or of a model that was trained with some; "none" for axioms alone; by default those of the
            scorer, if it is such a model
        threads: 0 for one per core
        search_options: for one search with these instead
    """
    found = _domain_of(problem, domain, language)
    tutor = _tutor(found, scorer, language, milliseconds, expansions, threads, meaning, seed, detail, abstractions)
    state, reading = _native.read_notation(found, problem, language)
    solution = tutor.solve(state, SearchOptions(**search_options) if search_options else None)
    line = _native.markup(found, solution.problem, language)
    return Solution(
        domain=found,
        problem=solution.problem,
        reading=reading,
        latex=_native.write_latex(found, solution.problem),
        steps=[_step(found, step, language) for step in solution.steps],
        status=solution.status,
        answer=solution.answer_notation or None,
        verified=solution.verified,
        exceptions=solution.exceptions,
        message=solution.message,
        outcome=solution.outcome,
        expanded=solution.expanded,
        mathml=line.mathml,
        speech=line.speech,
        svg=picture(found, solution.problem),
    )


def hint(
    line: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    level: int = 1,
    tried: str = "",
    language: str = "en",
    milliseconds: int = 5_000,
    expansions: int = 1_000_000,
    threads: int = 0,
) -> Hint:
    """Says what to do next, from any line of a solution.

    `tried` is what the learner wrote after that line: if it is right, the hint goes on from there; if not, it reminds of the mistake.
    Level 1 says what kind of step it is, 2 which one and where, 3 the line that it leads to. The rest is as for `solve`.
    """
    found = _domain_of(line, domain, language)
    tutor = _tutor(found, scorer, language, milliseconds, expansions, threads)
    given = tutor.hint(_native.read_notation(found, line, language)[0], level, tried)
    step = None if given.step is None else _step(found, given.step, language)
    return Hint(given.text, given.status, step, level, given.mistake)


def next_steps(
    line: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    threads: int = 0,
) -> NextSteps:
    """Everything that can be done with a line, the likeliest first."""
    found = _domain_of(line, domain, language)
    tutor = _tutor(found, scorer, language, threads=threads)
    listed = tutor.next_steps(_native.read_notation(found, line, language)[0])
    return NextSteps(NextStep(_step(found, one.step, language), one.probability) for one in listed)


def check(
    current: str,
    line: str,
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    milliseconds: int = 5_000,
    expansions: int = 1_000_000,
    threads: int = 0,
) -> StepCheck:
    """Judges a learner's next line: is it right, and is it closer to the answer? Both lines are in free notation.

    It is closer if a shorter solution is found from there. Each of the two lines gets the budget; the rest is as for `solve`.
    """
    found = _domain_of(current, domain, language)
    tutor = _tutor(found, scorer, language, milliseconds, expansions, threads)
    return tutor.check(_native.read_notation(found, current, language, True)[0], line)


def check_lines(
    problem: str,
    lines: Sequence[str],
    domain: Domain | str | None = None,
    scorer: Scorer | None = None,
    *,
    language: str = "en",
    milliseconds: int = 5_000,
    expansions: int = 1_000_000,
    threads: int = 0,
) -> StepChecks:
    """Judges a whole solution, each line against the one before it; the rest is as for `check`.

    A line after a wrong one is right if it follows from that one (`after_mistake`), or if it is right again. There is a result
    for every line, of which one text may hold several.
    """
    guessed = _native.guess_domain_of_lines(problem, language) if domain is None else domain
    found = _domain_of(problem, guessed, language)
    tutor = _tutor(found, scorer, language, milliseconds, expansions, threads)
    first, *rest = _native.lines_of(found, [problem, *lines])
    return StepChecks(tutor.check_lines(_native.read_notation(found, first, language, True)[0], rest))


def exercise(domain: Domain | str, level: int = 1, *, seed: int = 0, scorer: Scorer | None = None, threads: int = 0) -> str:
    """A problem, as people write it, whose solution has about three steps per level: the first that fits from `seed` on."""
    found = domain if isinstance(domain, Domain) else Domain(domain)
    return _native.write_notation(found, _tutor(found, scorer, threads=threads).exercise(level, seed))


def skill_exercise(skill: str, level: int = 1, *, seed: int = 0) -> str:
    """An exercise of a skill (`skills` lists them), as people write it. It depends on nothing but these three."""
    return _native.skill_exercise(skill, level, seed)


def skills() -> dict[str, int]:
    """The skills that can be practised, each with its number of levels."""
    return _native.skills()


def _domain_of(problem: str, domain: Domain | str | None, language: str) -> Domain:
    if isinstance(domain, Domain):
        return domain
    return Domain(_native.guess_domain(problem, language) if domain is None else domain)


def _tutor(
    domain: Domain,
    scorer: Scorer | None,
    language: str = "en",
    milliseconds: int = 5_000,
    expansions: int = 1_000_000,
    threads: int = 0,
    meaning: str = "log-preference",
    seed: int = 0,
    detail: str = "school",
    abstractions: str | os.PathLike[str] | None = None,
) -> Tutor:
    return Tutor(
        domain,
        default_scorer(domain) if scorer is None else scorer,
        meaning=meaning,
        seed=seed,
        language=language,
        detail=detail,
        abstractions="" if abstractions is None else os.fspath(abstractions),
        milliseconds=milliseconds,
        expansions=expansions,
        threads=threads,
    )


def _step(domain: Domain, step: _native.TutorStep, language: str) -> Step:
    line = _native.markup_step(domain, step.before, step.after, language)
    axioms_domain = Domain(step.axioms_domain) if step.axioms_domain else None
    return Step(
        action=step.label,
        state=step.after,
        text=_native.write_notation(domain, step.after),
        latex=_native.write_latex(domain, step.after),
        explanation=step.text,
        axioms=[_step(axioms_domain, axiom, language) for axiom in step.axioms] if axioms_domain else [],
        axioms_domain=axioms_domain,
        axioms_note=step.axioms_note,
        why=step.why,
        mathml=line.mathml,
        speech=line.speech,
        svg=picture(domain, step.after),
    )
