#!/usr/bin/env python3
"""Solves a collection of problems with `conpole solve --batch` and counts, family by family, what is right, wrong and refused.

    scripts/textbook.py COLLECTION.jsonl [--program build/conpole] [--field problem] [--show] [--mathsteps FOLDER]

A line of the collection is an object with "problem", "answer" and perhaps "family". Answers are compared as texts without
blanks and, where they differ, with SymPy: as expressions, as sets of solutions or as intervals. What SymPy cannot read counts
as not compared, never as right. With --mathsteps, a folder where `npm install --prefix FOLDER mathsteps@0.2.0` was run, MathSteps
gets what conpole read: the bare formula and whether to solve, factor or simplify it. Needs SymPy; no test runs this.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess

import sympy

FUNCTIONS = ("sqrt", "cbrt", "root", "abs", "log", "exp", "ln")
LETTERS = {c: sympy.Symbol(c, positive=True) for c in "abcdfghjklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}
NAMES = {
    **LETTERS, "e": sympy.E, "i": sympy.I, "pi": sympy.pi, "oo": sympy.oo, "sqrt": sympy.sqrt, "abs": sympy.Abs,
    "ln": sympy.log, "exp": sympy.exp, "cbrt": lambda x: real_root(3, x), "root": lambda n, x: real_root(n, x),
    "log": lambda *a: sympy.log(a[0], 10) if len(a) == 1 else sympy.log(a[1]) / sympy.log(a[0]),
}


def real_root(n, x):
    """Of letters, which are positive, or of numbers: those below zero have odd roots only."""
    return -((-x) ** (sympy.Integer(1) / n)) if x.is_negative and n % 2 == 1 else x ** (sympy.Integer(1) / n)


def expression(text):
    text = re.sub(r"\|([^|]*)\|", r"(abs(\1))", text.replace("**", "^"))
    text = re.sub(r"log_\(?([0-9a-z/]+)\)?\(", r"log(\1,", text)
    tokens = re.findall(r"sqrt|cbrt|root|abs|log|exp|ln|pi|oo|[a-zA-Z]|\d+(?:\.\d+)?|[-+*/^(),]", text)
    out = []
    for token in tokens:
        before = out[-1] if out else "("
        if (re.match(r"[\w(]", token) and re.match(r"[\w)]", before) and before not in FUNCTIONS):
            out.append("*")
        out.append("**" if token == "^" else token)
    exact = (f"Rational('{t}')" if re.match(r"\d", t) else t for t in out)
    return sympy.parse_expr("".join(exact), local_dict=NAMES)


def same_value(a, b):
    a, b = expression(a), expression(b)
    symbols = sorted(a.free_symbols | b.free_symbols, key=str)
    for k in range(3):
        at = {s: sympy.Rational(7 + 3 * n + 5 * k, 3 + k) for n, s in enumerate(symbols)}
        size, other = complex(sympy.N(a.subs(at), 30)), complex(sympy.N(b.subs(at), 30))
        if abs(size - other) > 1e-9 * max(1, abs(size)):
            return False
    return True


def without_brackets(text):
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and i + 1 < len(text):
            return text
    return text[1:-1]


def numbers(text):
    parts = [part.split("=")[-1] for part in re.split(r" or |; |,(?![^()]*\))", without_brackets(text.strip()))]
    return sorted((round(z.real, 7), round(z.imag, 7)) for z in (complex(sympy.N(expression(part))) for part in parts))


def intervals(text):
    """What an inequality, a set in SymPy's words or intervals with brackets hold."""
    if "Interval" in text or "Union" in text or text.startswith("FiniteSet"):
        return sympy.sympify(text)
    if re.match(r"^[\[(]", text.strip()) and not re.search(r"[<>]", text):
        parts = []
        for left, low, high, right in re.findall(r"([\[(])([^,\[\]()]*(?:\([^()]*\))?[^,]*),([^\[\]()]*(?:\([^()]*\))?[^\[\]()]*)([\])])", text):
            low, high = (expression(t.replace("infinity", "oo").replace("inf", "oo")) for t in (low, high))
            parts.append(sympy.Interval(low, high, left == "(", right == ")"))
        return sympy.Union(*parts)
    union = sympy.S.EmptySet
    for part in text.split(" or "):
        inside = sympy.S.Reals
        for piece in part.split(" and "):
            sides = re.split(r"(<=|>=|<|>|!=|=)", piece)
            for left, sign, right in zip(sides[::2], sides[1::2], sides[2::2]):
                if re.fullmatch(r"\s*[a-zA-Z]\s*", right):
                    left, right, sign = right, left, sign.translate(str.maketrans("<>", "><"))
                value = expression(right)
                inside = inside & {
                    "<": sympy.Interval.open(-sympy.oo, value), "<=": sympy.Interval(-sympy.oo, value),
                    ">": sympy.Interval.open(value, sympy.oo), ">=": sympy.Interval(value, sympy.oo),
                    "!=": sympy.S.Reals - sympy.FiniteSet(value), "=": sympy.FiniteSet(value)}[sign]
        union = union | inside
    return union


def pairs(text):
    """Solutions of a system: "x = 1; y = 2 or ...", or points in brackets."""
    if "=" in text:
        parts = [dict(re.split(r"\s*=\s*", piece, maxsplit=1) for piece in part.split("; ")) for part in text.split(" or ")]
        points = [[part[letter] for letter in sorted(part)] for part in parts]
    else:
        points = [without_brackets(group) for group in re.findall(r"\((?:[^()]|\([^()]*\))*\)", text)]
        points = [re.split(r",(?![^()]*\))", point) for point in points]
    return sorted(tuple(round(complex(sympy.N(expression(z))).real, 7) for z in point) for point in points)


def agrees(ours, theirs):
    if re.fullmatch(r"\$?\d{1,3}(,\d{3})+(\.\d+)?", theirs.strip()):
        theirs = theirs.replace(",", "").replace("$", "")
    if ";" in ours and re.match(r"\(.*\)[ ,and]*\(", theirs):
        return pairs(ours) == pairs(theirs)
    if "log" in ours and ours.count("=") == 1 and theirs.count("=") == 1:
        (a, b), (c, d) = (text.split("=") for text in (ours, theirs))
        return (same_value(a, c) and same_value(b, d)) or (same_value(a, d) and same_value(b, c))
    theirs = theirs.replace(";", ",") if "=" not in theirs else theirs
    plain = [re.sub(r"\s", "", text).lower() for text in (ours, theirs)]
    if plain[0] == plain[1]:
        return True
    if ours == "no solution":
        return plain[1] in ("nosolution", "dne", "none", "emptyset")
    if ours == "every number":
        return plain[1] in ("reals", "interval(-oo,oo)", "(-oo,oo)", "allrealnumbers")
    if plain[1] in ("<", ">", "="):
        return re.search(r"[<>=]", ours).group() == plain[1]
    if re.search(r"[<>]", ours):
        return intervals(ours) == intervals(theirs)
    literal = [re.fullmatch(r"([a-zA-Z])=([^=;,]*)", text.replace(" ", "")) for text in (ours, theirs)]
    if literal[0] and " or " not in ours and (literal[1] or "=" not in theirs) and not re.search(r",(?![^()]*\))", theirs):
        return same_value(literal[0].group(2), literal[1].group(2) if literal[1] else theirs)
    if "=" in ours or re.search(r",(?![^()]*\))", without_brackets(theirs)):
        return numbers(ours) == numbers(theirs)
    return same_value(ours.rstrip("%"), theirs.rstrip("%").lstrip("$"))


def for_mathsteps(result):
    """What was read, as MathSteps reads it; nothing if it has no such task."""
    found = re.fullmatch(r"(?:(solve [a-z]|factor|simplify|expand|divide): )?([^;:?]*)", result.get("state", ""))
    if not found:
        return None
    body = re.sub(r"sqrt\(", "nthRoot(", found[2])
    body = re.sub(r"(?<![a-zA-Z])([a-zA-Z]+)(?![a-zA-Z(])", lambda run: "*".join(run[1]), body)
    task = "solve" if re.search("[<>=]", body) else "factor" if found[1] == "factor" else "simplify"
    return f"{task}: {body}"


def mathsteps_answers(folder, results):
    """What MathSteps answers, in our notation; empty where it takes no step or does not come to a solution."""
    asked = [for_mathsteps(result) for result in results]
    script = pathlib.Path(__file__).parent.parent / "bench/mathsteps/solve.mjs"
    run = subprocess.run(["node", script, folder], input="\n".join(text or "none: 0" for text in asked), capture_output=True,
                         text=True, check=True)
    answers = []
    for text, line in zip(asked, run.stdout.splitlines(), strict=True):
        result = json.loads(line)
        answer = result["answer"].replace("nthRoot(", "sqrt(") if text and result["steps"] else ""
        solved = not (text or "").startswith("solve") or re.fullmatch(r"[a-z] (=|<|>|<=|>=) [^a-z]*(sqrt[^a-z]*)*", answer)
        several = re.fullmatch(r"([a-z]) = \[(.*)\]", answer)
        if several:
            answer = " or ".join(f"{several[1]} = {part.strip()}" for part in several[2].split(","))
        answers.append(answer if solved or several else "")
    return answers


def verdict_of(ours, theirs):
    try:
        return "right" if agrees(ours, theirs) else "differs"
    except Exception:  # noqa: BLE001: whatever SymPy throws, nothing was compared
        return "not compared"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection")
    parser.add_argument("--program", default="build/conpole")
    parser.add_argument("--field", default="problem", help="the field to solve: problem, text or latex")
    parser.add_argument("--show", action="store_true", help="list what does not agree")
    parser.add_argument("--mathsteps", help="a folder with npm's mathsteps, which is counted, too")
    options = parser.parse_args()
    items = [json.loads(line) for line in open(options.collection, encoding="utf-8")]
    batch = "".join(json.dumps({"problem": item[options.field]}) + "\n" for item in items)
    run = subprocess.run([options.program, "solve", "--batch", "-", "--threads", "1"], input=batch, capture_output=True, text=True, check=False)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    counts = collections.defaultdict(collections.Counter)
    lines, times = collections.defaultdict(list), collections.defaultdict(list)
    for item, result in zip(items, results, strict=True):
        family = item.get("family", "all")
        if "error" in result or result["status"] == "unsolved":
            verdict = "refused"
        else:
            times[family].append(result["milliseconds"])
            lines[family].append(result["steps"])
            ours = result["answer"] or result["answer_notation"]
            verdict = verdict_of(ours, item["answer"])
            if options.show and verdict != "right":
                print(f"{verdict}: {item[options.field]}\n  ours: {ours}\n  theirs: {item['answer']}")
        counts[family][verdict] += 1
    verdicts = ["right", "differs", "not compared", "refused"]
    if options.mathsteps:
        for item, answer in zip(items, mathsteps_answers(options.mathsteps, results), strict=True):
            verdict = verdict_of(answer, item["answer"]) if answer else "refused"
            counts[item.get("family", "all")]["MathSteps: " + verdict] += 1
        verdicts += [f"MathSteps: {verdict}" for verdict in verdicts[:2]]
    print(f"{'family':56}" + "".join(f"{name:>20}" for name in verdicts) + f"{'mean lines':>12}{'p50 ms':>9}")
    for family, count in sorted(counts.items(), key=lambda entry: -sum(entry[1][name] for name in verdicts[:4])):
        mean = statistics.mean(lines[family]) if lines[family] else 0
        median = statistics.median(times[family]) if times[family] else 0
        print(f"{family[:55]:56}" + "".join(f"{count[name]:20}" for name in verdicts) + f"{mean:12.1f}{median:9.2f}")
    total = sum(counts.values(), collections.Counter())
    print(f"{'all':56}" + "".join(f"{total[name]:20}" for name in verdicts))
    every = sorted(time for family in times.values() for time in family)
    if every:
        print(f"milliseconds: p50 {every[len(every) // 2]:.2f}, p99 {every[int(len(every) * 0.99)]:.2f}")


if __name__ == "__main__":
    main()
