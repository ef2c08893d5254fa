#!/usr/bin/env python3
"""Judges generated exercises of school algebra with FLINT, which shares no code with the solver.

    scripts/judge_exercises.py [--program build/conpole] [--family exercises] [--seed 0] [--count 1000] [--jobs 1] [--show]

Generates exercises (`conpole generate algebra:family=...`), solves them with `conpole solve --batch`, and looks at every line:
expressions must be worth the same at exact points, equations, systems and inequalities must have the solutions of the line
before, with what a line marked with "check" asks for besides. Answers to questions about numbers are worked out again. Numbers
are fractions, or balls of 384 bits that hold them. What this cannot decide is counted apart, never as right. Needs
python-flint; no test runs this.
"""
import argparse
import collections
import itertools
import json
import math
import multiprocessing
import re
import subprocess
import sys

import flint
from flint import acb, fmpq

flint.ctx.prec = 384
TOKEN = re.compile(r"sqrt|cbrt|root|abs|log|ln|pi|[a-zA-Z]|\d+(?:\.\d+)?|[-+*/^(),%]")
PIECE = 500  # exercises that one process judges at a time
FUNCTIONS = ("sqrt", "cbrt", "root", "abs", "log", "ln")
CONSTANTS = {"e": acb(1).exp(), "i": acb(0, 1), "pi": acb.pi()}
TINY = 1e-25  # what is smaller at 384 bits is zero


class Undecided(Exception):  # noqa: N818
    pass


def decimal(text):
    whole, _, digits = text.partition(".")
    return fmpq(int(whole + digits), 10 ** len(digits))


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
        node = ("-", ("n", fmpq(0)), self.product()) if self.eat("-") else self.product()
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
            node = ("/", node, ("n", fmpq(100)))
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
                return ("^", parts[0], ("n", fmpq(1, 2)))
            if token == "cbrt":
                return ("^", parts[0], ("n", fmpq(1, 3)))
            if token == "root":
                return ("^", parts[1], ("/", ("n", fmpq(1)), parts[0]))
            if token == "ln":
                return ("log", parts[0], ("v", "e"))
            if token == "log" and len(parts) == 1:
                return ("log", parts[0], ("n", fmpq(10)))
            if token == "log":
                return ("log", parts[1], parts[0])
            return ("abs", parts[0])
        if re.match(r"\d", token):
            return ("n", decimal(token))
        if re.match(r"[a-zA-Z]", token):
            return ("v", token)
        raise Undecided(f"unexpected {token}")


def letters_of(node, found=None):
    found = set() if found is None else found
    if node[0] == "v":
        if node[1] not in CONSTANTS:
            found.add(node[1])
    elif node[0] != "n":
        for part in node[1:]:
            letters_of(part, found)
    return found


def zero(x):
    if isinstance(x, fmpq):
        return x == 0
    size = abs(x)
    if size.upper() < TINY:
        return True
    if size.lower() > 0:
        return False
    raise Undecided("too near to zero")


def real(x):
    return isinstance(x, fmpq) or abs(x.imag).upper() < TINY * max(1, float(abs(x).upper()))


def sign(x):
    if isinstance(x, fmpq):
        return 1 if x > 0 else -1 if x < 0 else 0
    if zero(x):
        return 0
    return 1 if x.real > 0 else -1


def power(a, b):
    if zero(a):
        return None if sign(b) <= 0 else fmpq(0)
    exact = isinstance(b, fmpq)
    if exact and b.q == 1 and abs(b.p) < 400:
        return a ** int(b.p)
    if exact and b.q % 2 == 1 and b.q > 1 and real(a) and sign(a) < 0:
        size = acb(-a) ** b
        return -size if b.p % 2 else size
    return acb(a) ** b


def value(node, at):
    """A fraction or a ball; None where it is not defined. Odd roots of negative numbers are negative, even ones imaginary."""
    kind = node[0]
    if kind == "n":
        return node[1]
    if kind == "v":
        return at[node[1]] if node[1] in at else CONSTANTS[node[1]]
    a, b = value(node[1], at), value(node[-1], at)
    if a is None or b is None:
        return None
    if kind == "+":
        return a + b
    if kind == "-":
        return a - b
    if kind == "*":
        return a * b
    if kind == "/":
        return None if zero(b) else a / b
    if kind == "abs":
        return abs(a) if isinstance(a, fmpq) else acb(abs(a))
    if kind == "log":
        if not real(a) or not real(b) or sign(a) <= 0 or sign(b) <= 0 or zero(b - 1):
            return None
        return acb(a).log() / acb(b).log()
    return power(a, b)


POINTS = [fmpq(7, 3), fmpq(11, 5), fmpq(13, 7), fmpq(17, 11), fmpq(29, 9), fmpq(5, 13)]


def odd_below_roots(node, at):
    """Whether a letter with a negative value stands below an even root to an odd power: it is taken to be positive."""
    if node[0] in ("n", "v"):
        return False
    if any(odd_below_roots(part, at) for part in node[1:]):
        return True
    if node[0] != "^" or letters_of(node[2]):
        return False
    exponent = value(node[2], {})
    if not isinstance(exponent, fmpq) or exponent.q % 2:
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
        below = any(x < 0 for x in at.values())
        if below and (positive or odd_below_roots(before, at)):
            continue
        a, b = value(before, at), value(after, at)
        if a is None or (below and not real(a)):
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


def fraction_of(node, letter, at):
    """Above and below as polynomials in a letter, the latter with all that may not be zero; None if it is none."""
    kind = node[0]
    if kind == "n" or (kind == "v" and node[1] != letter):
        x = node[1] if kind == "n" else at.get(node[1])
        return (flint.fmpq_poly([x]), flint.fmpq_poly([1])) if isinstance(x, fmpq) else None
    if kind == "v":
        return flint.fmpq_poly([0, 1]), flint.fmpq_poly([1])
    if kind in ("abs", "log"):
        return None
    left = fraction_of(node[1], letter, at)
    if left is None:
        return None
    if kind == "^":
        exponent = None if letters_of(node[2]) else value(node[2], {})
        if not isinstance(exponent, fmpq) or exponent.q != 1 or abs(exponent) > 40:
            return None
        n = int(exponent.p)
        return (left[0] ** n, left[1] ** max(n, 1)) if n >= 0 else (left[1] ** -n, left[1] * left[0] ** -n)
    right = fraction_of(node[2], letter, at)
    if right is None:
        return None
    below = left[1] * right[1]
    if kind in ("+", "-"):
        a, b = left[0] * right[1], right[0] * left[1]
        return (a + b if kind == "+" else a - b), below
    if kind == "*":
        return left[0] * right[0], below
    return (left[0] * right[1], below * right[0]) if right[0] != 0 else None


def real_roots(relation, letter, at):
    """All real solutions of an equation of polynomials and their quotients, in balls; None if it is none."""
    both = fraction_of(("-", relation[0], relation[2]), letter, at)
    if both is None or both[0] == 0:
        return None
    above, below = both
    common = above.gcd(below)
    while common.degree() > 0:
        above = above // common
        common = above.gcd(below)
    if above.degree() < 1:
        return []
    return [acb(root.real) for root, _ in above.numer().complex_roots() if root.imag == 0]


def float_of(node):
    """The source of a function of floats."""
    kind = node[0]
    if kind == "n":
        return f"({int(node[1].p)}/{int(node[1].q)})"
    if kind == "v":
        return {"e": "math.e", "pi": "math.pi"}.get(node[1], f"at['{node[1]}']")
    parts = [float_of(part) for part in node[1:]]
    if kind == "abs":
        return f"abs({parts[0]})"
    if kind == "log":
        return f"math.log({parts[0]}, {parts[1]})"
    if kind == "^":
        exponent = None if letters_of(node[2]) else value(node[2], {})
        odd = isinstance(exponent, fmpq) and exponent.q % 2 == 1
        return f"signed({parts[0]}, {int(exponent.p)}, {int(exponent.q)})" if odd else f"positive({parts[0]}, {parts[1]})"
    return f"({parts[0]} {kind} {parts[1]})"


def signed(a, p, q):
    size = abs(a) ** (p / q)
    return -size if a < 0 and p % 2 else size


def positive(a, b):
    if a < 0:
        raise ValueError
    return a**b


def numeric_roots(relation, letter, at):
    """Real zeros of left less right that a fine scan finds, with other letters at values."""
    names = {"at": {c: float(x.p) / float(x.q) for c, x in at.items()}, "math": math, "signed": signed, "positive": positive}
    code = compile(float_of(("-", relation[0], relation[2])), "line", "eval")

    def g(t):
        names["at"][letter] = t
        try:
            return eval(code, names)  # made of numbers, letters and signs alone
        except (ZeroDivisionError, ValueError, OverflowError):
            return math.nan

    found = []
    before, previous = None, None
    for k in range(-110, 111):
        t = math.sinh(k / 16) * 0.7 + 0.000371
        y = g(t)
        if math.isnan(y):
            before = None
            continue
        if before is not None and before * y < 0:
            low, high = previous, t
            for _ in range(60):
                middle = (low + high) / 2
                z = g(middle)
                if math.isnan(z):
                    break
                low, high = (middle, high) if z * before > 0 else (low, middle)
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


def solutions(alternatives, letter, at):
    """The real numbers that solve one of several equations: balls, and floats where a scan found them."""
    roots = []
    for together in alternatives:
        if not together:
            raise Undecided("every number")
        if len(together) > 1:
            raise Undecided("several equations together")
        given = explicit(together, [letter])
        if given is not None and letter in given:
            root = value(given[letter], at)
            if root is not None and real(root):
                roots.append(root)
            continue
        exact = real_roots(together[0], letter, at)
        roots += numeric_roots(together[0], letter, at) if exact is None else exact
    return roots


def solves(alternatives, conditions, letter, at, x):
    if not isinstance(x, float):
        return true_at(alternatives, conditions, {**at, letter: x})
    at = {**at, letter: acb(x)}

    def close(relation):
        a, b = value(relation[0], at), value(relation[2], at)
        if a is None or b is None:
            return False
        a, b = acb(a), acb(b)
        if abs(a.imag).upper() > 1e-6 or abs(b.imag).upper() > 1e-6:
            return False
        a, b = float(a.real.mid()), float(b.real.mid())
        return abs(a - b) < 1e-6 * max(1, abs(a), abs(b))
    return all(close(r) for r in conditions) and any(all(close(r) for r in together) for together in alternatives)


def same_solving(letters, before, after):
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
        if lists == [[]] or then == [[]]:
            for x in POINTS:
                if true_at(lists, checks, {**at, letter: x}) != true_at(then, then_checks, {**at, letter: x}):
                    return False
            continue
        first, second = solutions(lists, letter, at), solutions(then, letter, at)
        if not all(solves(then, then_checks, letter, at, x) for x in first if solves(lists, checks, letter, at, x)):
            return False
        if not all(solves(lists, checks, letter, at, x) for x in second if solves(then, then_checks, letter, at, x)):
            return False
    return True


def same_ranges(letter, lists, checks, then, then_checks):
    points = {fmpq(k, 3) for k in range(-60, 61)} | {fmpq(k) for k in (-1000, -333, -77, 77, 333, 1000)}
    points = list(points)
    for together in lists + then:
        for left, _, right in together:
            for side in (left, right):
                if not letters_of(side):
                    bound = value(side, {})
                    if bound is not None and real(bound):
                        points += [bound, bound + fmpq(1, 1000), bound - fmpq(1, 1000)]
    return all(true_at(lists, checks, {letter: x}) == true_at(then, then_checks, {letter: x}) for x in points)


def linear_form(node, letters):
    """The factors of the letters and the rest, as a list; None if it is not linear with fractions."""
    kind = node[0]
    if kind in ("n", "v"):
        form = [fmpq(0)] * (len(letters) + 1)
        if kind == "n":
            form[-1] = node[1]
        elif node[1] in letters:
            form[letters.index(node[1])] = fmpq(1)
        else:
            return None
        return form
    if kind not in ("+", "-", "*", "/"):
        return None
    a, b = linear_form(node[1], letters), linear_form(node[2], letters)
    if a is None or b is None:
        return None
    if kind in ("+", "-"):
        return [x + y if kind == "+" else x - y for x, y in zip(a, b, strict=True)]
    if kind == "*" and not any(a[:-1]):
        a, b = b, a
    if any(b[:-1]) or (kind == "/" and b[-1] == 0):
        return None
    return [x * b[-1] if kind == "*" else x / b[-1] for x in a]


def plane(letters, lists):
    """The solutions of a linear system as rows that are the same for the same solutions; None if it is not one."""
    if not lists:
        return []
    if len(lists) > 1:
        return None
    rows = [linear_form(("-", left, right), letters) for left, _, right in lists[0]]
    if any(row is None for row in rows):
        return None
    reduced, rank = flint.fmpq_mat(len(rows), len(letters) + 1, [x for row in rows for x in row]).rref()
    rows = [[reduced[i, j] for j in range(len(letters) + 1)] for i in range(rank)]
    return [] if rows and not any(rows[-1][:-1]) else [rows]


def fraction_in(node, ring):
    """Above and below as polynomials in all letters."""
    kind = node[0]
    one = ring.constant(1)
    if kind == "n":
        return ring.constant(node[1]), one
    if kind == "v":
        if node[1] in CONSTANTS:
            raise Undecided("a constant in a polynomial")
        return ring.gen(ring.names().index(node[1])), one
    if kind not in ("+", "-", "*", "/", "^"):
        raise Undecided("not a polynomial")
    a, b = fraction_in(node[1], ring)
    if kind == "^":
        n = None if letters_of(node[2]) else value(node[2], {})
        if not isinstance(n, fmpq) or n.q != 1 or abs(n) > 60 or (n < 0 and a == 0):
            raise Undecided("not a polynomial")
        n = int(n.p)
        return (a**n, b**n) if n >= 0 else (b**-n, a**-n)
    c, d = fraction_in(node[2], ring)
    if kind in ("+", "-"):
        return (a * d + c * b if kind == "+" else a * d - c * b), b * d
    if kind == "/" and c == 0:
        raise Undecided("a division by zero")
    return (a * c, b * d) if kind == "*" else (a * d, b * c)


def polynomial(node, ring):
    above, below = fraction_in(node, ring)
    if not below.is_constant():
        raise Undecided("not a polynomial")
    return above / below.coeffs()[0]


def real_roots_of(p, place):
    """Of a polynomial in one of two letters."""
    factors = {}
    for exponents, c in p.to_dict().items():
        factors[exponents[place]] = c
    roots = flint.fmpq_poly([factors.get(k, 0) for k in range(max(factors) + 1)]).numer().complex_roots()
    return [acb(root.real) for root, _ in roots if root.imag == 0]


def curve_points(letters, together):
    """The real points that solve equations in two letters; Undecided if there may be infinitely many."""
    at, missing = {}, list(together)
    while missing:
        found = next((r for r in missing if r[0][0] == "v" and r[0][1] not in at and letters_of(r[2]) <= at.keys()), None)
        if found is None:
            break
        x = value(found[2], at)
        if x is None or not real(x):
            return []
        at[found[0][1]] = x
        missing.remove(found)
    if len(at) == len(letters):
        return [at] if all(holds(r, at) for r in missing) else []
    if len(letters) != 2 or len(together) != 2:
        raise Undecided("not two curves")
    ring = flint.fmpq_mpoly_ctx.get(letters)
    first, second = (fraction_in(("-", left, right), ring)[0] for left, _, right in together)
    sides = []
    for place in (0, 1):
        eliminated = first.resultant(second, 1 - place)
        if eliminated == 0:
            raise Undecided("curves with a common part")
        sides.append(real_roots_of(eliminated, place) if not eliminated.is_constant() else [])
    points = [dict(zip(letters, (x, y), strict=True)) for x in sides[0] for y in sides[1]]
    return [point for point in points if all(holds(r, point) for r in together)]


def same_points(letters, lists, then):
    first, second = ([p for together in part for p in curve_points(letters, together)] for part in (lists, then))

    def among(p, points):
        return any(all(zero(p[c] - q[c]) for c in letters) for q in points)
    return all(among(p, second) for p in first) and all(among(q, first) for q in second)


def same_system(letters, lists, then):
    first, second = plane(letters, lists), plane(letters, then)
    if first is not None and second is not None:
        return first == second
    return same_points(letters, lists, then)


def polynomials(texts):
    trees = [Tree(text).root for text in texts]
    names = sorted(set().union(*map(letters_of, trees)) or {"x"})
    ring = flint.fmpq_mpoly_ctx.get(names)
    return [polynomial(tree, ring) for tree in trees]


def whole(p):
    """With whole coefficients; Undecided if it has others."""
    if any(fmpq(c).q != 1 for c in p.coeffs()):
        raise Undecided("not whole")
    ring = flint.fmpz_mpoly_ctx.get(p.context().names())
    return ring.from_dict({k: int(c.p) for k, c in p.to_dict().items()})


def exact(text):
    x = value(Tree(text).root, {})
    if not isinstance(x, fmpq):
        raise Undecided("not rational")
    return x


def same_numbers(task, letters, body, result):
    if task == "round":
        unit, rounded, x = exact(letters[0]), exact(result), value(Tree(body).root, {})
        return (rounded / unit).q == 1 and sign(abs(acb(rounded - x)).real * 2 - acb(unit)) <= 0
    if task in ("gcf", "lcm"):
        *parts, found = map(whole, polynomials([*body.split(", "), result]))
        wanted = parts[0]
        for part in parts[1:]:
            common = wanted.gcd(part)
            wanted = common if task == "gcf" else wanted * part / common
        return found in (wanted, -wanted)
    if task == "primes":
        factors = [part.split("^") for part in result.split(" * ")]
        product = math.prod(int(base) ** int(power[0] if power else 1) for base, *power in factors)
        return product == exact(body) and all(flint.fmpz(int(base)).is_prime() for base, *_ in factors)
    if task == "compare":
        left, right = (value(Tree(part).root, {}) for part in body.split(" ? "))
        if re.sub("[<>=]", "?", result) != body:
            return False
        return sign(left - right) == "<=>".index(re.search("[<>=]", result).group()) - 1
    if task in ("logarithmic", "exponential"):
        first, second = sides_of(body)[0], sides_of(result)[0]
        power_side, log = (first, second) if task == "logarithmic" else (second, first)
        p = next(side for side in (power_side[0], power_side[2]) if side[0] == "^")
        q = next(side for side in (log[0], log[2]) if side[0] == "log")
        equals = power_side[2] if p is power_side[0] else power_side[0]
        exponent = log[2] if q is log[0] else log[0]
        return same_expression(p[1], q[2]) and same_expression(equals, q[1]) and same_expression(p[2], exponent)
    if task == "place":
        digits = body[::-1]
        names = "ones,tens,hundreds,thousands,ten thousands,hundred thousands,millions".split(",")
        return digits.count(letters[0]) == 1 and names[digits.index(letters[0])] == result
    return same_expression(body, result)


def factors_of(node):
    if node[0] == "*":
        return factors_of(node[1]) + factors_of(node[2])
    if node[0] == "-" and node[1] == ("n", fmpq(0)):
        return factors_of(node[2])
    if node[0] == "/" and not letters_of(node[2]):
        return factors_of(node[1])
    return [node[1]] if node[0] == "^" else [node]


def is_product(text):
    """Whether every factor of an answer to "factor" is irreducible over the rationals."""
    for factor in factors_of(Tree(text).root):
        names = sorted(letters_of(factor))
        if not names:
            continue
        _, found = polynomial(factor, flint.fmpq_mpoly_ctx.get(names)).factor()
        if len(found) != 1 or found[0][1] != 1:
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
        return same_solving(letters, body, next_body)
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
        first, second = polynomials([body, next_body])
        return (second - first).is_constant()
    # Books take letters in logarithms to be positive.
    return same_expression(body, next_body, positive=task in ("spread", "condense"))


def judge(piece):
    """Judges some exercises from a seed on: the counts by task, and what to say."""
    options, seed, many = piece
    generate = [options.program, "generate", f"algebra:family={options.family}", "--seed", str(seed), "--count",
                str(many)]
    generated = subprocess.run(generate, capture_output=True, text=True, check=True).stdout
    problems = [json.loads(line)["problem"] for line in generated.splitlines()]
    batch = "".join(json.dumps({"problem": problem}) + "\n" for problem in problems)
    solve = [options.program, "solve", "--batch", "-", "--threads", "1"]
    run = subprocess.run(solve, input=batch, capture_output=True, text=True, check=False)
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
        pairs = [(a, b, "line") for a, b in itertools.pairwise(result["lines"])]
        if pairs:
            pairs.append((result["lines"][0], result["lines"][-1], "answer"))
        for before, after, kind in pairs:
            count[kind + "s"] += 1
            try:
                verdict = same(before, after)
                if kind == "answer" and verdict and problem.startswith("factor:"):
                    verdict = is_product(parted(after)[2])
            except (Undecided, KeyError, RecursionError) as reason:
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
