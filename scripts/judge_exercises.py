#!/usr/bin/env python3
"""Judges generated exercises of school algebra with SymPy, which shares no code with the solver.

    scripts/judge_exercises.py [--program build/conpole] [--family exercises] [--seed 0] [--count 1000] [--jobs 1] [--show]

Generates exercises (`conpole generate algebra:family=...`), solves them with `conpole solve --batch`, and looks at every line:
expressions must be worth the same at exact points, equations, systems and inequalities must have the solutions of the line
before, where a line marked with "check" only promises that none is lost. Answers to questions about numbers are worked out
again. What SymPy cannot decide is counted apart, never as right. Needs SymPy; no test runs this.
"""
import argparse
import collections
import fractions
import json
import math
import multiprocessing
import re
import subprocess
import sys

import sympy
from sympy import Rational, S

TOKEN = re.compile(r"sqrt|cbrt|root|abs|log|ln|pi|[a-zA-Z]|\d+(?:\.\d+)?|[-+*/^(),%]")
PIECE = 500  # exercises that one process judges at a time
FUNCTIONS = ("sqrt", "cbrt", "root", "abs", "log", "ln")
SYMBOLS = {c: sympy.Symbol(c) for c in "abcdfghjklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}


class Undecided(Exception):
    pass


class Tree:
    """An expression as nested tuples, with values at points by other means than the solver's."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise Undecided(f"unreadable: {text}")
        self.at = 0
        self.root = self.sum()
        if self.at != len(self.tokens):
            raise Undecided(f"unreadable: {text}")

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def eat(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def sum(self):
        node = ("-", ("n", S(0)), self.product()) if self.eat("-") else self.product()
        while self.peek() in ("+", "-"):
            sign = self.tokens[self.at]
            self.at += 1
            node = (sign, node, self.product())
        return node

    def product(self):
        node = self.chunk()
        while self.eat("*"):
            node = ("*", node, self.chunk())
        return node

    def chunk(self):
        node = self.factor()
        while True:
            if self.eat("/"):
                node = ("/", node, self.factor())
            elif re.match(r"[a-zA-Z(]", self.peek()):
                node = ("*", node, self.factor())
            else:
                return node

    def factor(self):
        node = self.atom()
        if self.eat("%"):
            node = ("/", node, ("n", S(100)))
        return ("^", node, self.atom()) if self.eat("^") else node

    def arguments(self):
        parts = [self.sum()]
        while self.eat(","):
            parts.append(self.sum())
        if not self.eat(")"):
            raise Undecided("a bracket does not close")
        return parts

    def atom(self):
        token = self.peek()
        self.at += 1
        if token == "(":
            return self.arguments()[0]
        if token in FUNCTIONS and self.eat("("):
            parts = self.arguments()
            if token == "sqrt":
                return ("^", parts[0], ("n", Rational(1, 2)))
            if token == "cbrt":
                return ("^", parts[0], ("n", Rational(1, 3)))
            if token == "root":
                return ("^", parts[1], ("/", ("n", S(1)), parts[0]))
            if token == "ln":
                return ("log", parts[0], ("v", "e"))
            if token == "log" and len(parts) == 1:
                return ("log", parts[0], ("n", S(10)))
            if token == "log":
                return ("log", parts[1], parts[0])
            return ("abs", parts[0])
        if re.match(r"\d", token):
            return ("n", Rational(token))
        if re.match(r"[a-zA-Z]", token):
            return ("v", token)
        raise Undecided(f"unexpected {token}")


def letters_of(node, found=None):
    found = set() if found is None else found
    if node[0] == "v":
        if node[1] not in ("e", "i", "pi"):
            found.add(node[1])
    elif node[0] != "n":
        for part in node[1:]:
            letters_of(part, found)
    return found


def value(node, at):
    """A SymPy number; None where it is not defined. Odd roots of negative numbers are negative, even ones imaginary."""
    kind = node[0]
    if kind == "n":
        return node[1]
    if kind == "v":
        return {"e": sympy.E, "i": sympy.I, "pi": sympy.pi}.get(node[1]) if node[1] not in at else at[node[1]]
    parts = [value(part, at) for part in node[1:]]
    if any(part is None for part in parts):
        return None
    a, b = parts[0], parts[-1]
    if kind == "+":
        return a + b
    if kind == "-":
        return a - b
    if kind == "*":
        return a * b
    if kind == "/":
        return None if zero(b) else a / b
    if kind == "abs":
        return sympy.Abs(a)
    if kind == "log":
        if not real(a) or not real(b) or sign(a) <= 0 or sign(b) <= 0 or zero(b - 1):
            return None
        return sympy.log(a) / sympy.log(b)
    if zero(a):
        return None if sign(b) <= 0 else S(0)
    if b.is_Rational and b.q % 2 == 1 and b.q > 1 and real(a) and sign(a) < 0:
        size = (-a) ** b
        return -size if b.p % 2 else size
    return a**b


def number(x):
    return complex(sympy.N(x, 40))


def zero(x):
    if x.is_Rational:
        return x == 0
    return abs(sympy.N(x, 40)) < 1e-25


def real(x):
    return x.is_Rational or abs(number(x).imag) < 1e-25 * max(1, abs(number(x)))


def sign(x):
    if x.is_Rational:
        return 1 if x > 0 else -1 if x < 0 else 0
    size = sympy.re(sympy.N(x, 40))
    return 0 if abs(size) < 1e-25 else (1 if size > 0 else -1)


POINTS = [Rational(7, 3), Rational(11, 5), Rational(13, 7), Rational(17, 11), Rational(29, 9), Rational(5, 13)]


def odd_below_roots(node, at):
    """Whether a letter with a negative value stands below an even root to an odd power: it is taken to be positive."""
    if node[0] in ("n", "v"):
        return False
    if any(odd_below_roots(part, at) for part in node[1:]):
        return True
    if node[0] != "^":
        return False
    exponent = value(node[2], {})
    if exponent is None or not exponent.is_Rational or exponent.q % 2:
        return False
    here = value(node[1], at)
    for letter, x in at.items():
        if x < 0 and here is not None and real(here):
            there = value(node[1], {**at, letter: -x})
            if there is not None and real(there) and sign(there) * sign(here) < 0:
                return True
    return False


def same_expression(before, after, positive=False):
    before, after = (Tree(text).root if isinstance(text, str) else text for text in (before, after))
    letters = sorted(letters_of(before) | letters_of(after))
    agreed = 0
    for turn in range(6):
        at = {letter: POINTS[(turn + k) % 6] * (-1 if turn >= 3 and (k + turn) % 2 else 1) for k, letter in enumerate(letters)}
        if any(x < 0 for x in at.values()) and (positive or odd_below_roots(before, at)):
            continue
        a, b = value(before, at), value(after, at)
        if a is None or (any(x < 0 for x in at.values()) and not real(a)):
            continue
        if b is None or not zero(a - b):
            return False
        agreed += 1
        if not letters:
            return True
    if agreed == 0:
        raise Undecided("no point to compare at")
    return True


def sides_of(text):
    """a < b <= c as two relations."""
    parts = re.split(r"(<=|>=|!=|<|>|=)", text)
    trees = [Tree(part).root for part in parts[::2]]
    return [(trees[i], parts[2 * i + 1], trees[i + 1]) for i in range(len(trees) - 1)]


def statement(body):
    """Lists of which one holds, each of relations that hold together, and what must hold besides."""
    body, _, check = body.partition("; check ")
    checks = sides_of(check) if check else []
    if body == "no solution":
        return [], checks
    if body == "every number":
        return [[]], checks
    alternatives = [[r for piece in re.split("; | and ", part) for r in sides_of(piece)] for part in body.split(" or ")]
    return alternatives, checks


def holds(relation, at):
    left, sign_text, right = relation
    a, b = value(left, at), value(right, at)
    if a is None or b is None or not real(a) or not real(b):
        return False
    order = sign(a - b)
    return {"=": order == 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0, "!=": order != 0}[sign_text]


def true_at(lists, checks, at):
    return all(holds(r, at) for r in checks) and any(all(holds(r, at) for r in together) for together in lists)


def to_sympy(node, letters):
    at = {c: letters.get(c, SYMBOLS.get(c)) for c in SYMBOLS}

    def build(n):
        if n[0] == "n":
            return n[1]
        if n[0] == "v":
            return {"e": sympy.E, "i": sympy.I, "pi": sympy.pi}.get(n[1], at.get(n[1]))
        parts = [build(part) for part in n[1:]]
        a, b = parts[0], parts[-1]
        if n[0] == "abs":
            return sympy.Abs(a)
        if n[0] == "log":
            return sympy.log(a) / sympy.log(b)
        if n[0] == "^" and b.is_Rational and b.q % 2 and b.q > 1:
            root = sympy.sign(a) * sympy.Abs(a) ** Rational(1, b.q)
            return root**b.p
        return {"+": a + b, "-": a - b, "*": a * b, "/": a / b, "^": a**b}[n[0]]

    return build(node)


def numeric_roots(relation, letter, at):
    """Real zeros of left less right that a fine scan finds, with other letters at values."""
    left, _, right = relation
    difference = ("-", left, right)
    free = letters_of(difference) - {letter}
    x = sympy.Symbol("x", real=True)
    expression = to_sympy(difference, {**{c: at[c] for c in free}, letter: x})
    f = sympy.lambdify(x, expression, "mpmath")
    import mpmath  # noqa: PLC0415: comes with SymPy

    def g(t):
        try:
            y = f(mpmath.mpf(t))
            y = mpmath.mpmathify(y)
            return mpmath.nan if abs(mpmath.im(y)) > 1e-12 else mpmath.re(y)
        except (ZeroDivisionError, ValueError, OverflowError, TypeError):
            return mpmath.nan

    found = []
    grid = [math.sinh(k / 16) * 0.7 + 0.000371 for k in range(-110, 111)]
    before, previous = None, None
    for t in grid:
        y = g(t)
        if mpmath.isnan(y):
            before = None
            continue
        if before is not None and before * y < 0:
            low, high = previous, t
            for _ in range(70):
                middle = (low + high) / 2
                z = g(middle)
                if mpmath.isnan(z):
                    break
                if z * before > 0:
                    low = middle
                else:
                    high = middle
            if abs(g(low)) < 1e-6 * max(1, abs(before)):
                found.append((low + high) / 2)
        before, previous = y, t
    return found


def explicit(together, letters):
    given = {}
    for left, sign_text, right in together:
        if left[0] != "v" or sign_text != "=" or left[1] in given:
            return None
        given[left[1]] = right
    if any(letters_of(right) & given.keys() for right in given.values()):
        return None
    return given


def near(x, y):
    return abs(x - y) < 1e-6 * max(1, abs(x), abs(y))


def same_solving(letters, before, after, conditional):
    lists, checks = statement(before)
    then, then_checks = statement(after)
    relations = [r for together in lists + then for r in together] + checks + then_checks
    if any(r[1] not in ("=", "!=") for r in relations):
        return same_ranges(letters[0], lists, checks, then, then_checks)
    used = set().union(*(letters_of(r[0]) | letters_of(r[2]) for r in relations)) if relations else set()
    if len(letters) > 1:
        return same_system(letters, lists, then)
    letter = letters[0]
    others = sorted(used - {letter})
    for turn in range(2 if others else 1):
        at = {c: POINTS[(k + 2 * turn) % 6] + turn for k, c in enumerate(others)}

        def solutions(alternatives):
            roots = []
            for together in alternatives:
                given = explicit(together, [letter]) if together else None
                if not together:
                    raise Undecided("every number")
                if given is not None and letter in given:
                    root = value(given[letter], at)
                    if root is None:
                        continue
                    if not real(root):
                        continue
                    roots.append(root)
                else:
                    roots += [sympy.Float(root, 30) for root in numeric_roots(together[0], letter, at)]
            return roots

        if lists == [[]] or then == [[]]:
            for x in POINTS:
                if true_at(lists, checks, {**at, letter: x}) != true_at(then, then_checks, {**at, letter: x}):
                    return False
            continue
        first, second = solutions(lists), solutions(then)

        def solves(alternatives, conditions, x):
            def close(relation):
                a, b = value(relation[0], {**at, letter: x}), value(relation[2], {**at, letter: x})
                if a is None or b is None or not real(a) or not real(b):
                    return False
                a, b = number(a).real, number(b).real
                return abs(a - b) < 1e-6 * max(1, abs(a), abs(b))
            return all(close(r) for r in conditions) and any(all(close(r) for r in together) for together in alternatives)

        if not all(solves(then, then_checks, x) for x in first if solves(lists, checks, x)):
            return False
        if not conditional and not all(solves(lists, checks, x) for x in second if solves(then, then_checks, x)):
            return False
    return True


def same_ranges(letter, lists, checks, then, then_checks):
    points = {Rational(k, 3) for k in range(-60, 61)} | {Rational(k) for k in (-1000, -333, -77, 77, 333, 1000)}
    for together in lists + then:
        for left, _, right in together:
            for side in (left, right):
                if not letters_of(side):
                    bound = value(side, {})
                    if bound is not None and real(bound):
                        points |= {bound, bound + Rational(1, 1000), bound - Rational(1, 1000)}
    return all(true_at(lists, checks, {letter: x}) == true_at(then, then_checks, {letter: x}) for x in points)


def points_of(letters, lists):
    """The real solutions of lists of equations of which one holds; free letters stay as they are."""
    symbols = [SYMBOLS[c] for c in letters]
    points = set()
    for together in lists:
        system = [to_sympy(("-", left, right), {}) for left, _, right in together]
        polynomials = [sympy.together(equation).as_numer_denom()[0] for equation in system]
        for solution in sympy.solve(polynomials, symbols, dict=True):
            point = [solution.get(x, x) for x in symbols]
            if all(c.free_symbols or real(c) for c in point):
                points.add(tuple(str(sympy.expand(c)) if c.free_symbols else round(number(c).real, 8) for c in point))
    return points


def same_system(letters, lists, then):
    return points_of(letters, lists) == points_of(letters, then)


def exact(text):
    node = value(Tree(text).root, {})
    if node is None or not node.is_Rational:
        raise Undecided("not rational")
    return fractions.Fraction(int(node.p), int(node.q))


def same_numbers(task, letters, body, result):
    if task == "round":
        unit, rounded, x = exact(letters[0]), exact(result), value(Tree(body).root, {})
        return (rounded / unit).denominator == 1 and abs(Rational(rounded.numerator, rounded.denominator) - x) * 2 <= Rational(
            unit.numerator, unit.denominator)
    if task in ("gcf", "lcm"):
        parts = [sympy.sympify(to_sympy(Tree(part).root, {})) for part in body.split(", ")]
        wanted = parts[0]
        for part in parts[1:]:
            wanted = (sympy.gcd if task == "gcf" else sympy.lcm)(wanted, part)
        return sympy.expand(wanted - to_sympy(Tree(result).root, {})) == 0 or sympy.expand(
            wanted + to_sympy(Tree(result).root, {})) == 0
    if task == "primes":
        factors = [part.split("^") for part in result.split(" * ")]
        product = math.prod(int(base) ** int(power[0] if power else 1) for base, *power in factors)
        return product == int(exact(body)) and all(sympy.isprime(int(base)) for base, *_ in factors)
    if task == "compare":
        left, right = (value(Tree(part).root, {}) for part in body.split(" ? "))
        return {"<": sign(left - right) < 0, ">": sign(left - right) > 0, "=": zero(left - right)}[re.search("[<>=]", result).group()]
    if task in ("logarithmic", "exponential"):
        first, second = sides_of(body)[0], sides_of(result)[0]
        power, log = (first, second) if task == "logarithmic" else (second, first)
        p = next(side for side in (power[0], power[2]) if side[0] == "^")
        q = next(side for side in (log[0], log[2]) if side[0] == "log")
        equals = power[2] if p is power[0] else power[0]
        exponent = log[2] if q is log[0] else log[0]
        return same_expression(p[1], q[2]) and same_expression(equals, q[1]) and same_expression(p[2], exponent)
    if task == "place":
        digits = body[::-1]
        names = "ones,tens,hundreds,thousands,ten thousands,hundred thousands,millions".split(",")
        return digits.count(letters[0]) == 1 and names[digits.index(letters[0])] == result
    return same_expression(body, result)


def is_product(text):
    """Whether every factor of an answer to "factor" is irreducible over the rationals."""
    factors = sympy.Mul.make_args(to_sympy(Tree(text).root, {}))
    for factor in factors:
        base = factor.base if factor.is_Pow else factor
        if base.free_symbols and not base.is_Symbol and not sympy.Poly(base).is_irreducible:
            return False
    return True


def parted(line):
    """The task, its letters and what it is done to. What has no task is solved or worked out by the domain itself."""
    head, colon, body = line.partition(": ")
    if not colon:
        letters = sorted(set(re.findall(r"(?<![a-z])[a-zA-Z](?![a-z])", line)) or {"x"})
        return ("solve", letters[:1], line) if "=" in line else ("simplify", [], line)
    task, _, rest = head.partition(" ")
    return task, [name for name in rest.split(", ") if name], body


def same(before, after):
    task, letters, body = parted(before)
    next_task, _, next_body = parted(after)
    if task == "solve":
        return same_solving(letters, body, next_body, "; check " in next_body and "; check " not in body)
    if task == "evaluate":
        text, _, settings = body.partition("; ")
        at = dict(setting.split(" = ") for setting in settings.split(", "))
        node = Tree(text).root

        def put(n):
            if n[0] == "v":
                return Tree(at[n[1]]).root if n[1] in at else n
            return n if n[0] == "n" else (n[0], *(put(part) for part in n[1:]))
        return same_expression(put(node), Tree(next_body).root)
    if next_task == "result":
        return same_numbers(task, letters, body, next_body)
    if task == "square":
        difference = sympy.expand(to_sympy(Tree(next_body).root, {}) - to_sympy(Tree(body).root, {}))
        return not difference.free_symbols
    # Books take letters in logarithms to be positive.
    return same_expression(body, next_body, positive=task in ("spread", "condense"))


def judge(piece):
    """Judges some exercises from a seed on: the counts by task, and what to say."""
    options, seed, many = piece
    generate = [options.program, "generate", f"algebra:family={options.family}", "--seed", str(seed), "--count",
                str(many)]
    problems = [json.loads(line)["problem"] for line in subprocess.run(generate, capture_output=True, text=True,
                                                                     check=True).stdout.splitlines()]
    batch = "".join(json.dumps({"problem": problem}) + "\n" for problem in problems)
    run = subprocess.run([options.program, "solve", "--batch", "-", "--threads", "1"], input=batch, capture_output=True, text=True,
                         check=False)
    counts = collections.defaultdict(collections.Counter)
    said = []
    for problem, line in zip(problems, run.stdout.splitlines(), strict=True):
        result = json.loads(line)
        count = counts[problem.partition(":")[0].split(" ")[0]]
        count["problems"] += 1
        if "error" in result or result["status"] == "unsolved":
            count["refused"] += 1
            said.append(f"refused: {problem}: {result.get('error', 'unsolved')}")
            continue
        pairs = [(a, b, "line") for a, b in zip(result["lines"], result["lines"][1:])]
        if pairs:
            pairs.append((result["lines"][0], result["lines"][-1], "answer"))
        for before, after, kind in pairs:
            count[kind + "s"] += 1
            try:
                verdict = same(before, after)
                if kind == "answer" and verdict and problem.startswith("factor:"):
                    verdict = is_product(parted(after)[2])
            except (Undecided, NotImplementedError, TypeError, ValueError, sympy.PolynomialError, RecursionError) as reason:
                verdict = None
                if options.show:
                    said.append(f"undecided: {before} -> {after}: {reason!r}")
            if verdict is False:
                said.append(f"WRONG {kind}: {before} -> {after}  (of {problem})")
            if verdict is None:
                count["undecided " + kind + "s"] += 1
            else:
                count["wrong " + kind + "s"] += not verdict
    return counts, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/conpole")
    parser.add_argument("--family", default="exercises")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work")
    parser.add_argument("--show", action="store_true", help="list what is not decided, too")
    options = parser.parse_args()
    pieces = [(options, seed, min(PIECE, options.seed + options.count - seed))
              for seed in range(options.seed, options.seed + options.count, PIECE)]
    counts = collections.defaultdict(collections.Counter)
    with multiprocessing.Pool(options.jobs) as pool:
        for found, said in pool.imap(judge, pieces):
            for line in said:
                print(line, flush=True)
            for task, count in found.items():
                counts[task].update(count)
    for task, count in sorted(counts.items()):
        print(f"{task}: " + ", ".join(f"{n} {name}" for name, n in sorted(count.items())))
    total = sum(counts.values(), collections.Counter())
    total = {"wrong answers": 0, "wrong lines": 0, **total}
    print("all: " + ", ".join(f"{n} {name}" for name, n in sorted(total.items())))
    return 1 if total["wrong lines"] or total["wrong answers"] else 0


if __name__ == "__main__":
    sys.exit(main())
