#!/usr/bin/env python3
"""Judges the labels of a file of traces (conpole traces algebra --format jsonl), sharing nothing with conpole.

    scripts/judge_traces.py FILE... [--most LABELS] [--jobs N] [--sympy-every N]

A line is true if it has the solutions, or the value, of the line before it. Lines are worked out exactly: fractions of
polynomials by the arithmetic below; roots, polynomials of a high degree, and one label in --sympy-every once more by sympy.
Prints how many labels were judged, how many are wrong, and how well the first line that is not true was found (F1 over
traces). Ends with status 1 if a label is wrong, or if sympy says otherwise. Needs sympy.
"""

import argparse
import contextlib
import functools
import itertools
import json
import math
import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import sympy

_MIXED = re.compile(r"(?<![\w.)])(\d+) (\d+)/(\d+)")
_TOKEN = re.compile(r"\s*(\d+\.\d+|\d+|[A-Za-z]+|[-+*/^(),])")
_FRACTION_BRACKETS = str.maketrans("[]", "()")  # of equations
_TERM = re.compile(r"(\d+|\[-?\d+/\d+\])([a-z])\b")
Polynomial = tuple[int, ...]  # its coefficients, the constant first, without zeros at the end


class NotRead(Exception):
    """The line is nothing that this script can read."""


class NeedsSympy(Exception):
    """The line has more than fractions of polynomials."""


def _plus(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    sums = [x + sign * y for x, y in itertools.zip_longest(a, b, fillvalue=0)]
    while sums and sums[-1] == 0:
        sums.pop()
    return tuple(sums)


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) == 1 and len(b) == 1:
        return (a[0] * b[0],)
    products = [0] * max(0, len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            products[i + j] += x * y
    return tuple(products) if a and b else ()


class Quotient:
    """One polynomial over another."""

    __slots__ = ("above", "below")

    def __init__(self, above: Polynomial, below: Polynomial = (1,)) -> None:
        if len(above) <= 1 and len(below) == 1 and below[0] != 1:
            shared = math.gcd(above[0] if above else 0, below[0]) * (1 if below[0] > 0 else -1)
            above, below = tuple(a // shared for a in above), (below[0] // shared,)
        self.above = above
        self.below = below

    def __add__(self, other: "Quotient", sign: int = 1) -> "Quotient":
        if self.below == other.below:
            return Quotient(_plus(self.above, other.above, sign), self.below)
        return Quotient(
            _plus(_times(self.above, other.below), _times(other.above, self.below), sign), _times(self.below, other.below)
        )

    def __sub__(self, other: "Quotient") -> "Quotient":
        return self.__add__(other, -1)

    def __neg__(self) -> "Quotient":
        return Quotient(tuple(-a for a in self.above), self.below)

    def __mul__(self, other: "Quotient") -> "Quotient":
        return Quotient(_times(self.above, other.above), _times(self.below, other.below))

    def __truediv__(self, other: "Quotient") -> "Quotient":
        return Quotient(_times(self.above, other.below), _times(self.below, other.above))

    def __pow__(self, exponent: "Quotient") -> "Quotient":
        if len(exponent.above) > 1 or exponent.below != (1,) or (exponent.above and exponent.above[0] < 0):
            raise NeedsSympy
        power = Quotient((1,))
        for _ in range(exponent.above[0] if exponent.above else 0):
            power = power * self
        return power


class Reader:
    """Reads a line as a quotient, or for sympy. Products, with and without sign, and quotients go from left to right."""

    def __init__(self, by_sympy: bool) -> None:
        self.by_sympy = by_sympy
        self.letter = ""
        self.divisors: list[Any] = []  # with the unknown in them; sympy cancels them at once

    def read(self, text: str) -> Any:
        text = _MIXED.sub(r"(\1+\2/\3)", text.strip().translate(_FRACTION_BRACKETS))
        self._tokens: list[str] = _TOKEN.findall(text)
        if sum(map(len, self._tokens)) != len(text) - text.count(" "):
            raise NotRead(text)
        self._tokens.append("")
        self._at = 0
        value = self._sum()
        if self._tokens[self._at]:
            raise NotRead(text)
        return value

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sum(self) -> Any:
        negative = self._tokens[self._at] == "-"
        self._at += negative
        value = self._product()
        value = -value if negative else value
        while self._tokens[self._at] in ("+", "-"):
            value = value + self._product() if self._take() == "+" else value - self._product()
        return value

    def _product(self) -> Any:
        value = self._power()
        while (sign := self._tokens[self._at]) not in ("", "+", "-", ")", ","):
            self._at += sign in ("*", "/")
            other = self._power()
            if sign != "/":
                value = value * other
                continue
            above = _polynomial(other, self.letter)
            if not above:
                raise NotRead("division by zero")
            if len(above) > 1:
                self.divisors.append(above)
            value = value / other
        return value

    def _power(self) -> Any:
        first = self._take()
        if first == "-":
            return -self._power()
        if first == "(":
            value = self._sum()
            if self._take() != ")":
                raise NotRead("a bracket is open")
        elif first in ("sqrt", "cbrt"):
            value = self._root(self._power(), 2 if first == "sqrt" else 3)
        elif first == "root" and self._take() == "(":
            degree = self._take()
            if not degree.isdigit() or self._take() != ",":
                raise NotRead("a root without its degree")
            value = self._root(self._sum(), int(degree))
            if self._take() != ")":
                raise NotRead("a bracket is open")
        elif first[:1].isdigit():
            whole, _, decimals = first.partition(".")
            value = Quotient((int(whole + decimals),) if int(whole + decimals) else (), (10 ** len(decimals),))
            if self.by_sympy:
                value = sympy.Rational(first)
        elif len(first) == 1 and first.isalpha():
            if self.letter not in ("", first):
                raise NotRead("two unknowns")
            self.letter = first
            value = sympy.Symbol(first, real=True) if self.by_sympy else Quotient((0, 1))
        else:
            raise NotRead(first)
        while self._tokens[self._at] == "^":
            self._at += 1
            value = value ** self._power()
        return value

    def _root(self, value: Any, degree: int) -> Any:
        if not self.by_sympy:
            raise NeedsSympy
        return sympy.real_root(value, degree)


def _polynomial(value: Any, letter: str) -> Polynomial:
    """What is zero where the value is, with whole coefficients."""
    if isinstance(value, Quotient):
        return value.above
    if any(not power.exp.is_Integer for power in value.atoms(sympy.Pow) if power.free_symbols):
        raise NotRead("a root of the unknown")
    above = sympy.expand(sympy.numer(sympy.together(value)))
    if not above.free_symbols and not above.is_Rational:
        return () if sympy.simplify(above) == 0 else (1,)
    unknown = sympy.Symbol(letter or "x", real=True)
    polynomial = sympy.Poly(above, unknown)
    if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
        raise NotRead("a root beside the unknown")
    _, whole = polynomial.clear_denoms(convert=True)
    coefficients = tuple(int(c) for c in reversed(whole.all_coeffs()))
    return coefficients if any(coefficients) else ()


Root = tuple[Polynomial, int]  # the n-th real root of a polynomial that is no product


@lru_cache(maxsize=1 << 16)
def _real_roots(polynomial: Polynomial) -> frozenset[Root]:
    if len(polynomial) <= 1:
        return frozenset()
    if polynomial[0] == 0:
        return _real_roots(polynomial[1:]) | {((0, 1), 0)}
    shared = math.gcd(*polynomial) * (1 if polynomial[-1] > 0 else -1)
    if shared != 1:
        return _real_roots(tuple(c // shared for c in polynomial))
    if len(polynomial) == 2:
        return frozenset({(polynomial, 0)})
    if len(polynomial) == 3:
        c, b, a = polynomial
        inside = b * b - 4 * a * c
        root = math.isqrt(max(inside, 0))
        if inside < 0 or root * root != inside:
            return frozenset((polynomial, i) for i in range(2 if inside > 0 else 0))
        return _real_roots((b - root, 2 * a)) | _real_roots((b + root, 2 * a))
    unknown = sympy.Symbol("x", real=True)
    _, factors = sympy.Poly(polynomial[::-1], unknown).factor_list()
    if len(factors) == 1 and factors[0][1] == 1:
        return frozenset((polynomial, i) for i in range(factors[0][0].count_roots()))
    return frozenset().union(*(_real_roots(tuple(int(c) for c in reversed(factor.all_coeffs()))) for factor, _ in factors))


def _root_of_number(number: sympy.Expr) -> frozenset[Root]:
    unknown = sympy.Symbol("x", real=True)
    polynomial = sympy.minimal_polynomial(number, unknown, polys=True)
    coefficients = tuple(int(c) for c in reversed(polynomial.all_coeffs()))
    distances = [abs(root.evalf(40) - number.evalf(40)) for root in polynomial.real_roots()]
    return frozenset({(coefficients, distances.index(min(distances)))})


def _roots_of_equation(part: str, by_sympy: bool) -> tuple[frozenset[Root] | None, frozenset[Root], str]:
    """The real solutions, and where a divisor is zero; nothing for solutions if all numbers are some."""
    if part.count("=") != 1:
        raise NotRead(part)
    reader = Reader(by_sympy)
    left, right = (reader.read(side) for side in part.split("="))
    poles: frozenset[Root] = frozenset().union(*map(_real_roots, reader.divisors))
    if by_sympy and left == sympy.Symbol(reader.letter, real=True) and not right.free_symbols:
        return _root_of_number(right), poles, reader.letter
    above = _polynomial(left - right, reader.letter)
    return (_real_roots(above) - poles if above else None), poles, reader.letter


def _meaning(line: str, by_sympy: bool) -> tuple[object, ...]:
    """("value", number); ("roots", roots, letter); or ("all", what is excluded)."""
    line, *conditions = line.split(";")
    line = line.strip()
    if line == "no solution":
        return ("roots", frozenset())
    is_all = line.startswith("every number")
    if "=" not in line and not is_all:
        value = Reader(by_sympy).read(line)
        if by_sympy:
            value = sympy.nsimplify(value)
            if value.free_symbols:
                raise NotRead(line)
            return ("value", (value.p, value.q) if value.is_Rational else value)
        if len(value.above) > 1 or len(value.below) > 1:
            raise NotRead(line)
        return ("value", (value.above[0] if value.above else 0, value.below[0] if value.above else 1))
    excluded: frozenset[Root] = frozenset()
    for condition in ",".join(conditions).split(","):
        if not condition.strip():
            continue
        if condition.count("!=") != 1:
            raise NotRead(condition)
        found, _, _ = _roots_of_equation(condition.replace("!=", "="), by_sympy)
        if found is None:
            raise NotRead(condition)
        excluded |= found
    if is_all:
        return ("all", excluded)
    roots: frozenset[Root] = frozenset()
    letters = set()
    for part in line.split(" or "):
        found, poles, letter = _roots_of_equation(part, by_sympy)
        if found is None:
            return ("all", excluded | poles)
        roots |= found
        letters |= {letter} if found else set()
    return ("roots", roots - excluded, *sorted(letters if roots - excluded else ()))


_FAILURES = (NotRead, ValueError, ZeroDivisionError, TypeError, sympy.polys.polyerrors.BasePolynomialError)


@lru_cache(maxsize=1 << 16)
def meaning(line: str) -> tuple[object, ...] | None:
    """What the line says, or nothing if it cannot be read."""
    try:
        return _meaning(line, by_sympy=False)
    except NeedsSympy:
        pass
    except _FAILURES:
        return None
    return meaning_by_sympy(line)


@lru_cache(maxsize=1 << 12)
def meaning_by_sympy(line: str) -> tuple[object, ...] | None:
    try:
        return _meaning(line, by_sympy=True)
    except (*_FAILURES, NotImplementedError):
        return None


@dataclass
class Counts:
    """What came of some traces."""

    judged: int = 0
    wrong: int = 0
    again: int = 0  # by sympy alone
    unread: int = 0
    unknown: int = 0  # without a label
    found: int = 0  # first errors
    missed: int = 0
    raised: int = 0
    seconds: float = 0.0
    complaints: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def judge(rows: list[str], sympy_every: int) -> Counts:
    """Judges the labels of some lines of the file."""
    begin = time.process_time()
    counts = Counts()
    for row in rows:
        if '"domain":"equations' in row:  # where 5 / 8x is 5 / (8x), while in algebra it is five eighths of x
            row = _TERM.sub(r"(\1 * \2)", row)
        trace = json.loads(row)
        before, first_here, first_there = trace["problem"], None, None
        for index, step in enumerate(trace["steps"]):
            for line in (step, *step.get("alternatives", ())):
                label = line.get("same_solutions", line["right"])
                if label is None:
                    counts.unknown += 1
                    continue
                current, next_one = meaning(before), meaning(line["state"])
                if current is None or next_one is None:
                    counts.unread += 1
                    continue
                counts.judged += 1
                truth = current == next_one
                doubt = truth != label
                if sympy_every and counts.judged % sympy_every == 0:
                    current, next_one = meaning_by_sympy(before), meaning_by_sympy(line["state"])
                    if current is not None and next_one is not None:
                        counts.again += 1
                        doubt = doubt or (current == next_one) != truth
                if doubt:
                    counts.wrong += 1
                    counts.complaints.append(f"{trace['id']}: {before}  ->  {line['state']}: labelled {label}")
                if line is step:
                    first_there = index if not truth and first_there is None else first_there
                    first_here = index if not label and first_here is None else first_here
            before = step["state"]
        if first_here is not None or first_there is not None:
            counts.found += first_here == first_there
            counts.missed += first_there is not None and first_here != first_there
            counts.raised += first_here is not None and first_here != first_there
    counts.seconds = time.process_time() - begin
    return counts


def blocks(paths: list[str]) -> Iterator[list[str]]:
    """The lines of all files, some hundred at a time."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            while rows := list(itertools.islice(file, 200)):
                yield rows


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", metavar="FILE")
    options.add_argument("--most", type=int, default=1 << 60, help="judge about so many labels at the most")
    options.add_argument("--jobs", type=int, default=1, help="processes; 0 for one per core")
    options.add_argument("--sympy-every", type=int, default=200, metavar="N", help="sympy judges one in N again; 0 for none")
    options.add_argument("--every", type=float, default=60, help="seconds between two lines about how far it is, on stderr")
    given = options.parse_args()
    total = Counts()
    begin = told = time.monotonic()
    task = functools.partial(judge, sympy_every=given.sympy_every)
    with multiprocessing.Pool(given.jobs or None) if given.jobs != 1 else contextlib.nullcontext() as pool:
        run = map if pool is None else pool.imap_unordered
        for counts in run(task, blocks(given.files)):
            total.add(counts)
            for complaint in counts.complaints:
                print(complaint, flush=True)
            if time.monotonic() - told >= given.every:
                told = time.monotonic()
                said = f"{total.judged:,} labels judged in {told - begin:.0f} s, {total.wrong} wrong"
                print(said, file=sys.stderr, flush=True)
            if total.judged >= given.most:
                break
        if pool is not None:
            pool.terminate()
    score = 2 * total.found / max(1, 2 * total.found + total.missed + total.raised)
    print(
        f"{total.judged} labels judged, {total.again} of them again by sympy alone, {total.wrong} wrong; "
        f"{total.unread} lines not read here, {total.unknown} without a label; "
        f"first error: F1 {score:.4f}; {total.seconds:.0f} CPU-seconds"
    )
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
