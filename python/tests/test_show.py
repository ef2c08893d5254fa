"""What notebooks show: lines, solutions and hints as HTML with MathML, and as LaTeX."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import conpole
from conpole._show import table


class Jokes(conpole.PyDomain):
    """A domain whose states and actions look like markup."""

    def generate(self, seed: int) -> str:
        return "<b>1 & 2</b>"

    def successors(self, state: str) -> Iterator[tuple[str, str]]:
        yield "<i>done</i> & $over$", "done"

    def solved(self, state: str) -> bool:
        return state == "done"


def formulas(page: str) -> list[ElementTree.Element]:
    """The formulas of a page that is well-formed."""
    return list(ElementTree.fromstring(page).iter("{http://www.w3.org/1998/Math/MathML}math"))


def words(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def test_lines() -> None:
    shown = conpole.show("x/2=3")
    assert str(shown) == "x/2 = 3"
    assert shown._repr_latex_() == r"$$\frac{x}{2} = 3$$"
    (formula,) = formulas(shown._repr_html_())
    assert words(formula) == "x2=3" and len(list(formula.iter("{http://www.w3.org/1998/Math/MathML}mfrac"))) == 1
    assert words(formulas(conpole.show("x = 1,5 oder x = 2", language="de")._repr_html_())[0]) == "x=1,5\xa0oder\xa0x=2"
    assert str(conpole.show("[3, 1]")) == "[3, 1]"
    assert conpole.show("2/3", "fractions").latex == r"$$\frac{2}{3}$$"
    with pytest.raises(conpole.MalformedError):
        conpole.show("2x + = 3")


def test_solutions() -> None:
    solution = conpole.solve("2x + 3 = 7")
    page = conpole.show(solution)._repr_html_()
    assert page == solution._repr_html_()
    assert [words(formula) for formula in formulas(page)] == ["2\u2062x+3=7", "2\u2062x=4", "x=2"]
    changed = [element for element in formulas(page)[1].iter() if element.get("class") == "changed"]
    assert [words(element) for element in changed] == ["4"]
    assert "Subtract 3 from both sides." in page
    assert solution.speech == "2 x plus 3 equals 7"
    assert [step.speech for step in solution.steps] == ["2 x equals 4", "x equals 2"]
    assert conpole.solve("2x + 3 = 7", language="de").speech == "2 x plus 3 gleich 7"
    assert str(conpole.show(solution)) == str(solution)
    (formula,) = formulas(conpole.show(solution.steps[0])._repr_html_())
    assert words(formula) == "2\u2062x=4"
    axioms = conpole.solve("2x + 3 = 7", "algebra", "lines", detail="axioms").steps[0].axioms
    assert axioms[0].speech == "2 x plus 3 minus 3 equals 7 minus 3"


def test_solutions_are_drawn() -> None:
    curves = conpole.solve("x^2 = 2x + 3").draw()
    assert curves is not None and "x^2 = 2x + 3" in curves and curves._repr_svg_() == curves
    balance = conpole.solve("2x + 3 = 7").draw(balance=True)
    assert balance is not None and balance != conpole.solve("2x + 3 = 7").draw()
    for drawn in (curves, balance, conpole.solve("1/2 + 1/3").draw()):
        assert drawn is not None and ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert conpole.solve("48 * 217").draw(balance=True) is None
    bars = conpole.show("[==|=|===]")._repr_html_()
    assert bars.count("<rect") == 3 and "bars: 2, 1, 3" in bars


def test_a_hint_shows_no_more_than_it_says() -> None:
    for level in (1, 2, 3):
        hint = conpole.hint("2x + 3 = 7", level=level)
        page = conpole.show(hint)._repr_html_()
        assert [words(formula) for formula in formulas(page)] == ["2\u2062x=4"] * (level == 3)
        assert ("2x = 4" in hint._repr_latex_()) == (level == 3)
    assert formulas(conpole.hint("x = 4", level=3)._repr_html_()) == []


def test_what_is_shown_is_escaped() -> None:
    solution = conpole.solve("<b>1 & 2</b>", Jokes(), algorithm="bfs")
    page = solution._repr_html_()
    assert [words(formula) for formula in formulas(page)] == ["<b>1 & 2</b>", "done"]
    assert "<b>" not in page and "&lt;i&gt;done&lt;/i&gt; &amp; $over$" in page
    assert r"\$over\$" in conpole.show(solution.steps[0])._repr_latex_()


def test_next_steps_are_shown_as_lines() -> None:
    steps = conpole.next_steps("x + 3 = 7", "equations")
    first = words(formulas(steps._repr_html_())[0])
    assert [words(formula) for formula in formulas(steps[0]._repr_html_())] == [first]
    assert [words(formula) for formula in formulas(steps[:2]._repr_html_())][0] == first and len(steps[:2]) == 2
    assert "<math" not in repr(steps) and "<math" not in repr(conpole.solve("x + 3 = 7"))


def test_cubes_are_drawn_in_every_result() -> None:
    cube = conpole.Domain("rubiks-cube", max_moves=2)
    problem = cube.generate(2)
    results = conpole.search(cube, [problem])
    turned = cube.step([problem])[0][2][0]
    shown: list[Any] = [conpole.show(problem), results, results[0], conpole.check(problem, turned, cube), cube]
    assert [page._repr_html_().count("<svg") for page in shown] == [1, 2, len(results[0].path), 1, 1]
    impossible = "".join(f"{face}000000000{face.lower()}" for face in "ABCDEF")
    assert impossible in table([[impossible]])


def test_every_result_is_a_table(tmp_path: Path) -> None:
    checks = conpole.check_lines("2x + 3 = 7", ["2x = 10", "x = 5"])
    assert "✗" in checks._repr_html_() and "2x = 10" in checks._repr_html_()
    assert "✓" in conpole.check("x + 3 = 7", "x = 4")._repr_html_()  # type: ignore[attr-defined]
    results = conpole.search("sorting", ["[==|=]"] * 101)
    page = results._repr_html_()  # type: ignore[attr-defined]
    assert page.count("<tr>") == 102 and "101 in all" in page and "[==|=] → [=|==]" in page
    assert "3x + 2 = 8" in conpole.similar("2x + 3 = 7", problems=["3x + 2 = 8"])._repr_html_()
    assert "<td>follows</td><td>1</td><td>1</td><td>0</td>" in conpole.check_batch(["x = 3 - 1"] * 2, ["x = 2", "x = 4"])._repr_html_()
    assert "problem of algebra" in conpole.TaskSet("algebra", size=1)[0]._repr_html_()
    assert "algebra.jsonl" in conpole.export("algebra", tmp_path / "algebra.jsonl", count=2)._repr_html_()
    columns = conpole.TextColumn([f"[{'=' * n}]" for n in range(1, 31)])
    assert columns._repr_html_().count("<tr>") == 22 and "30 in all" in columns._repr_html_()  # type: ignore[attr-defined]
    assert "[=|==|=]" in conpole.Domain("sorting").expand(["[==|=|=]"])._repr_html_()  # type: ignore[attr-defined]
    traced = conpole.search("sorting", ["[==|=|=]"], trace=True)[0]
    assert "[==|=|=] → [=|=|==]" in traced.trace._repr_html_()  # type: ignore[attr-defined]
    buffer = conpole.ReplayBuffer()
    buffer.add_solution(traced.trace)
    assert "<td>[=|=|==]</td><td>1</td>" in buffer.sample(1)._repr_html_()  # type: ignore[attr-defined]
    assert "<td>learning_rate</td>" in conpole.settings()._repr_html_()  # type: ignore[attr-defined]
    assert "the first of 500 tasks of sorting" in conpole.TaskSet("sorting")._repr_html_()
    assert "<td>3x + 2 = 8</td>" in conpole.ProblemIndex(["3x + 2 = 8"])._repr_html_()
    environments = conpole.VectorEnvironment("sorting", 2)
    assert "<td>0</td>" not in environments._repr_html_()
    environments.reset(problems="[==|=]")
    assert environments._repr_html_().count("<td>[==|=]</td>") == 2
    metrics: dict[str, list[float | None]] = {"step": [100, 200, 300], "eval_success": [0.5, None, 1.0]}
    run = conpole.TrainingResult(tmp_path, True, None, None, {"loss": 0.25, "rate": None}, metrics)
    assert 'points="100.0,50.0 300.0,0.0"' in run._repr_html_() and "<td>loss</td><td>0.25</td>" in run._repr_html_()
    summary = {"eval_success": {"mean": 0.75, "deviation": 0.1, "min": 0.5, "max": 1.0}}
    assert "<td>eval_success</td><td>0.75</td>" in conpole.SeedsResult(tmp_path, {1: run}, summary, metrics)._repr_html_()
