"""The tutor: solutions, hints, next steps, checks and exercises."""

import signal
import threading

import pytest

import conpole


def shorter(parents: list[str], candidates: list[str]) -> list[float]:
    return [1 / len(candidate) for candidate in candidates]


def test_solutions() -> None:
    assert conpole.solve("x+3=7").domain.name == "algebra"
    solution = conpole.solve("x+3=7", "equations")
    assert solution.domain.name == "equations"
    assert solution.solved and solution.verified and solution.answer == "x = 4" and solution.outcome == "solved"
    assert solution.problem == "(x + 3) = 7" and solution.reading == "x + 3 = 7"
    assert str(solution).splitlines()[0] == "x + 3 = 7"
    assert all(step.action and step.explanation for step in solution.steps)
    latex = solution._repr_latex_()
    assert latex.startswith("$$\\begin{aligned}\n& x + 3 = 7") and latex.endswith("\\end{aligned}$$")
    assert latex.count("\\\\\n") == len(solution.steps)
    page = solution._repr_html_()
    assert page.count("<tr>") == len(solution.steps) + 1
    german = conpole.solve("x+3=7", "equations", language="de")
    assert german.steps[0].explanation != solution.steps[0].explanation


def test_steps_opened_into_axioms() -> None:
    solution = conpole.solve("2x + 3 = 7", "algebra", "lines", detail="axioms")
    first = solution.steps[0]
    assert first.axioms_domain is not None and first.axioms_domain.name == "equations"
    assert [axiom.action.split()[0] for axiom in first.axioms] == ["sub", "assoc", "sub_self", "add0", "eval"]
    assert first.axioms[-1].text == "2x = 4"
    quadratic = conpole.solve("x^2 - 5x + 6 = 0", "algebra", "lines", detail="axioms").steps[0]
    assert quadratic.axioms_domain is None and not quadratic.axioms and quadratic.axioms_note
    assert not conpole.solve("2x + 3 = 7", "algebra", "lines").steps[0].axioms
    with pytest.raises(conpole.Error, match="school, why, axioms, both"):
        conpole.solve("2x + 3 = 7", "algebra", "lines", detail="all")  # type: ignore[arg-type]


def test_what_people_write() -> None:
    assert conpole.solve("(3x+8)/5=(x-2)/4").answer == "x = -6"
    assert conpole.solve("Solve for x: 2/3x = 4").answer == "x = 6"
    assert conpole.solve("12e1 * 3e1").answer == "3600"
    german = conpole.solve("x^2 = 2,25", language="de")
    assert german.answer == "x = 1,5 oder x = -1,5" and german.status == "several_solutions"
    assert conpole.solve("x = x + 1", language="de").answer == "keine Lösung"
    with pytest.raises(conpole.MalformedError, match="erwartet wird"):
        conpole.solve("2x + = 3", language="de")


def test_solutions_by_one_search() -> None:
    solution = conpole.solve("x = 7 - 3", algorithm="bfs")
    assert solution.answer == "x = 4" and solution.verified and len(solution.steps) == 1
    assert conpole.solve("x+3=7", "equations", algorithm="bfs", max_edges=100).outcome == "out of budget"
    with pytest.raises(TypeError):
        conpole.solve("x+3=7", width=7)  # type: ignore[call-arg]
    with pytest.raises(conpole.Error, match="^the beam must be at least 1$"):
        conpole.solve("x+3=7", beam=0)


@pytest.mark.parametrize("scorer", ["random", shorter, conpole.load_model("equations")])
def test_every_scorer_guides_the_tutor(scorer: conpole.Scorer) -> None:
    assert conpole.solve("x = 7 - 3", "equations", scorer=scorer).answer == "x = 4"


def test_equations_without_a_single_answer() -> None:
    solution = conpole.solve("x = x + 1", "equations")
    assert (solution.status, solution.verified, solution.answer) == ("no_solution", True, "no solution")
    assert str(solution).splitlines() == ["x = x + 1", solution.message]
    assert conpole.solve("x + 1 = 1 + x").status == "every_number"
    several = conpole.solve("x * x = 4", "equations")
    assert several.status == "several_solutions" and several.answer == "x = -2, x = 2"


def test_solutions_that_there_are_not() -> None:
    solution = conpole.solve("R U F", algorithm="greedy", scorer="random", max_steps=1)
    assert not solution.solved and solution.answer is None and not solution.verified
    assert solution.message in str(solution) and solution.outcome == "out of budget"
    assert f"<p>{solution.message}</p>" in solution._repr_html_()
    with pytest.raises(conpole.MalformedError) as raised:
        conpole.solve("x^2 = 4", "equations")
    assert raised.value.position == 1
    with pytest.raises(conpole.Error, match="language"):
        conpole.solve("x+3=7", language="xx")


def test_hints() -> None:
    levels = [conpole.hint("2x + 3 = 7", level=level) for level in (1, 2, 3)]
    solution = conpole.solve("2x + 3 = 7")
    assert len({hint.text for hint in levels}) == 3
    assert all(hint.status == "solved" and hint.step == solution.steps[0] for hint in levels)
    assert solution.steps[0].text not in str(levels[0]) and solution.steps[0].text in str(levels[2])
    done = conpole.hint("x = 4")
    assert done.text and done.step is None and done.status == "solved"
    assert conpole.hint("x = x + 1").status == "no_solution"
    assert conpole.hint("x+3=7", language="de").text != conpole.hint("x+3=7").text
    with pytest.raises(conpole.Error, match="^the level of a hint is 1 to 3, not 4$"):
        conpole.hint("x+3=7", level=4)
    with pytest.raises(conpole.MalformedError):
        conpole.hint("x+", "equations")


def test_next_steps() -> None:
    steps = conpole.next_steps("x + 3 = 7", "equations")
    domain = conpole.Domain("equations")
    assert sorted(one.step.state for one in steps) == sorted(domain.step(["(x + 3) = 7"])[0][2])
    probabilities = [one.probability for one in steps]
    assert sum(probabilities) == pytest.approx(1) and probabilities == sorted(probabilities, reverse=True)
    assert steps[0].step.action == "sub 3" and steps[0].step.explanation == "Subtract 3 from both sides."
    assert conpole.next_steps("x = 4") == []


def test_checks() -> None:
    assert conpole.check("x+3=7", "x=4").kind == "solved"
    assert conpole.check("x+3=7", "x = 7 - 3", "equations").kind == "progress"
    wrong = conpole.check("x+3=7", "x=5")
    assert wrong.kind == "not equivalent" and not wrong.correct and wrong.message
    assert conpole.check("x+3=7", "x=").kind == "unreadable"
    assert conpole.check("2x+3=7", "2x + 3 - 3 = 7 - 3", "equations", expansions=1).kind == "correct"
    assert conpole.check("2x+3=7", "2x=10", "algebra").mistake == "sign_moved"
    assert conpole.check("2x+3=7", "2x=4", "algebra").mistake is None
    checks = conpole.check_lines("2x+3=7", ["2x=10 | :2", "x=5", "x=2"], "algebra")
    assert [one.correct for one in checks] == [False, True, True]
    assert [one.after_mistake for one in checks] == [False, True, False]


def test_exercises() -> None:
    # Of a domain that is solved fast: what takes too long is not searched for.
    problem = conpole.exercise("fractions", 2, seed=3)
    assert problem == conpole.exercise(conpole.Domain("fractions"), 2, seed=3)
    assert 3 < len(conpole.solve(problem, "fractions").steps) <= 6


def test_skills() -> None:
    assert conpole.skills()["brackets"] == 5
    assert conpole.skill_exercise("one-step", seed=1) == "x + 9 = 15"
    with pytest.raises(conpole.Error, match="there is no skill 'nonsense'"):
        conpole.skill_exercise("nonsense")


def test_a_tutor_can_be_interrupted() -> None:
    cube = conpole.Domain("rubiks-cube", min_moves=19)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        conpole.solve(cube.generate(1), cube, "stickers", milliseconds=60_000, expansions=10**9)
    timer.join()


def test_a_scorer_that_fails_ends_the_tutor() -> None:
    def fails(parents: list[str], candidates: list[str]) -> list[float]:
        return [1 / 0]

    with pytest.raises(ZeroDivisionError):
        conpole.hint("x + 3 = 7", "equations", scorer=fails)
