"""Asks the Python package the table of questions that tests/doors_test.cc puts through the other doors, and compares what the
answers have in common with those of the service.

Usage: python_door.py SERVICE_TOOL MODELS QUESTIONS
Skipped (77) where the package is not built; PYTHONPATH says where it is.
"""

import json
import os
import subprocess
import sys

TOOL, MODELS, QUESTIONS = sys.argv[1:]
os.environ["CONPOLE_MODELS"] = MODELS
try:
    import conpole
    from conpole import _native
except ImportError as error:
    print(f"left out: the Python package is not built ({error})")
    sys.exit(77)


def service_answers(questions):
    """(status, answer) of each."""
    lines = "".join(f"{one['operation']}\t{json.dumps(one['request'])}\n" for one in questions)
    printed = subprocess.run([TOOL, MODELS], input=lines, capture_output=True, text=True, check=True).stdout
    for line in printed.splitlines():
        status, _, body = line.split("\t", 2)
        yield int(status), json.loads(body)


def options_of(request, *names):
    return {name: request[name] for name in names if name in request}


def solve(request):
    options = options_of(request, "domain", "language", "detail", "milliseconds", "expansions")
    solution = conpole.solve(request["problem"], threads=1, **options)
    return {
        "problem": solution.problem,
        "status": solution.status,
        "answer": solution.answer,
        "expanded": solution.expanded,
        "steps": [{"after": step.state, "text": step.explanation, "why": list(step.why)} for step in solution.steps],
    }


def hint(request):
    options = options_of(request, "domain", "language", "level", "tried", "milliseconds", "expansions")
    given = conpole.hint(request["line"], threads=1, **options)
    line = given.step.state if given.step and given.level >= 3 else None
    return {"text": given.text, "status": given.status, "line": line, "mistake": given.mistake}


def next_steps(request):
    listed = conpole.next_steps(request["line"], threads=1, **options_of(request, "domain", "language"))
    return {"steps": [{"after": one.step.state, "text": one.step.explanation} for one in listed]}


def check(request):
    options = options_of(request, "domain", "language", "milliseconds", "expansions")
    lines = conpole.check_lines(request["problem"], request["lines"], threads=1, **options)
    fields = ("correct", "changes_solutions", "side", "mistake", "also", "reminder", "after_mistake")
    fields += ("is_true", "is_step", "helps", "operation", "operand", "detour")
    return {
        "lines": [
            {name: getattr(line, name) for name in fields}
            | {"line": line.state or None, "verdict": line.kind.replace(" ", "_"), "text": line.message}
            for line in lines
        ]
    }


def read(request):
    language = request.get("language", "en")
    domain = conpole.Domain(request.get("domain") or _native.guess_domain(request["text"], language))
    return {"state": _native.read_notation(domain, request["text"], language)[0]}


ASK = {"solve": solve, "hint": hint, "next": next_steps, "check": check, "read": read}


def part_of(answer, like):
    """What an answer says of the fields that another has."""
    if isinstance(like, dict):
        return {name: part_of(answer.get(name), value) for name, value in like.items()}
    if isinstance(like, list) and isinstance(answer, list) and len(like) == len(answer):
        return [part_of(*pair) for pair in zip(answer, like, strict=True)]
    return answer


def can_be_asked(question):
    """Half turns, methods and the choice of the policy are options of the other doors, and sentences for people alone are translated."""
    request = question["request"]
    unknown = request.get("language", "en") not in ("en", "de")
    return "moves" not in request and "method" not in request and "policy" not in request and not (unknown and question["operation"] == "read")


def main():
    with open(QUESTIONS, encoding="utf-8") as file:
        questions = [question for question in json.load(file) if can_be_asked(question)]
    failures = 0
    for question, (status, expected) in zip(questions, service_answers(questions), strict=True):
        try:
            answer = ASK[question["operation"]](question["request"])
            right = status == 200 and part_of(expected, answer) == answer
        except conpole.MalformedError as error:
            answer = {"detail": error.message, "position": error.position}
            right = status == 422 and part_of(expected, answer) == answer
        except conpole.Error as error:
            answer = {"detail": str(error)}
            right = status in (400, 404) and (question["request"].get("language") == "de" or part_of(expected, answer) == answer)
        if not right:
            failures += 1
            print(f"{question}\n  service {status}: {json.dumps(expected)}\n  Python: {json.dumps(answer)}")
    print(f"{len(questions)} questions, {failures} answered differently")
    sys.exit(1 if failures else 0)


main()
