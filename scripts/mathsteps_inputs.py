#!/usr/bin/env python3
"""Solves the inputs of MathSteps' own tests and compares the answers with those that its tests expect.

    npm pack mathsteps && tar xzf mathsteps-*.tgz
    scripts/mathsteps_inputs.py package [--program build/conpole] [--show]

Reads the test files of the package: equations, inequalities, statements about numbers, factoring and simplifying. Answers are
compared by value with SymPy, as in textbook.py. Inputs for which MathSteps itself expects no steps are only counted. Needs
SymPy; no test runs this.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess

import textbook

FILES = {
    "solveEquation/solveEquation.test.js": "",
    "factor/factor.test.js": "Factor: ",
    "factor/factorQuadratic.test.js": "Factor: ",
    "simplifyExpression/simplify.test.js": "Simplify: ",
}
CASE = re.compile(r"^\s*\['([^']+)',\s*(?:'([^']*)'|(NO_STEPS|ChangeTypes\.\w+))\s*[,\]]")


def roots(text):
    """nthRoot(x, 3) as root(3, x), and nthRoot(x) as sqrt(x)."""
    while (start := text.find("nthRoot(")) >= 0:
        depth, comma, at = 0, None, start + len("nthRoot")
        while True:
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 1 and text[at] == ",":
                comma = at
            if depth == 0:
                break
            at += 1
        begin = start + len("nthRoot(")
        inner = f"sqrt({text[begin:at]})" if comma is None else f"root({text[comma + 1:at].strip()}, {text[begin:comma]})"
        text = text[:start] + inner + text[at + 1:]
    return text


def cases(folder):
    for name, words in FILES.items():
        for line in (folder / "test" / name).read_text(encoding="utf-8").splitlines():
            found = CASE.match(line)
            if found:
                family = name.split("/")[-1].split(".")[0]
                if "TRUE" in (found[3] or "") or "FALSE" in (found[3] or ""):
                    family = "statements"
                elif re.search("[<>]", found[1]):
                    family = "inequalities"
                yield family, words + roots(found[1]), found[2] if found[2] is not None else found[3]


def same(problem, ours, theirs):
    if theirs.startswith("ChangeTypes"):
        holds = theirs.endswith("TRUE")
        asked, found = (re.search("[<>]?=?", text.lstrip("()0123456789/ ")).group() for text in (problem, ours))
        if found:  # numbers are compared: what is asked must be what is found
            return (found == asked or (asked[1:] == "=" and found in asked)) == holds
        return (ours == "true" or ours.startswith("every number")) == holds
    sides = theirs.split("=")
    if len(sides) == 2 and not re.search("[<>]", theirs) and re.fullmatch(r"[\d\s./-]+", sides[0]):
        return ours.startswith("every number") == textbook.same_value(*sides)
    values = re.fullmatch(r"(\w) = \[(.*)\]", theirs)
    if values:
        wanted = {part.strip() for part in values[2].split(",")}
        found = [part.split("=")[-1] for part in ours.split(" or ")]
        return all(any(textbook.same_value(a, b) for b in wanted) for a in found) and all(
            any(textbook.same_value(a, b) for a in found) for b in wanted)
    if re.search("[<>]", theirs):
        low, high = (re.split("[<>]=?", text)[1] for text in (ours, theirs))
        close = abs(complex(textbook.expression(low)).real - complex(textbook.expression(high)).real) < 1e-4
        return close and re.search("[<>]=?", ours).group() == re.search("[<>]=?", theirs).group()
    return textbook.agrees(ours, roots(theirs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--program", default="build/conpole")
    parser.add_argument("--show", action="store_true", help="list what does not agree")
    options = parser.parse_args()
    items = list(dict.fromkeys(cases(options.package)))
    batch = "".join(json.dumps({"problem": item[1]}) + "\n" for item in items)
    run = subprocess.run([options.program, "solve", "--batch", "-"], input=batch, capture_output=True, text=True, check=False)
    counts = collections.defaultdict(collections.Counter)
    for (family, problem, theirs), line in zip(items, run.stdout.splitlines(), strict=True):
        result = json.loads(line)
        refused = "error" in result or result["status"] == "unsolved"
        ours = result.get("error", "") if refused else result["answer"] or result["answer_notation"]
        if theirs == "NO_STEPS":
            verdict = "no steps there"
        elif refused:
            verdict = "refused"
        else:
            try:
                verdict = "right" if same(problem, ours, theirs) else "differs"
            except Exception:  # noqa: BLE001: whatever SymPy throws, nothing was compared
                verdict = "not compared"
        if options.show and verdict not in ("right", "no steps there"):
            print(f"{verdict}: {problem}\n  ours: {ours}\n  theirs: {theirs}")
        counts[family][verdict] += 1
    names = ("right", "differs", "not compared", "refused", "no steps there")
    print(f"{'family':20}" + "".join(f"{name:>16}" for name in names))
    counts["all"] = sum(counts.values(), collections.Counter())
    for family, count in counts.items():
        print(f"{family:20}" + "".join(f"{count[name]:16}" for name in names))


if __name__ == "__main__":
    main()
