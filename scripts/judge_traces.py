#!/usr/bin/env python3
"""Judges the labels of a file of traces (conpole traces algebra --format jsonl) with sympy, which shares nothing with conpole.

    scripts/judge_traces.py FILE... [--most LABELS] [--jobs N]

A line is true if it has the solutions, or the value, of the line before it. Prints how many labels were judged, how many are wrong, and
how well the first line that is not true was found (F1 over traces). Ends with status 1 if a label is wrong. Needs sympy.
A million labels take about half an hour of one core; --jobs 0 uses all cores.
"""

import argparse
import contextlib
import itertools
import json
import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import sympy
from sympy import Poly, Rational, Symbol

_MIXED = re.compile(r"(?<![\w.)])(\d+) (\d+)/(\d+)")
_TOKEN = re.compile(r"\s*(\d+\.\d+|\d+|[A-Za-z]+|[-+*/^(),])")


class NotRead(Exception):
    """The line is nothing that this script can read."""


_divisors: list[sympy.Expr] = []  # of what was read last; sympy cancels them at once


def expression(text: str) -> sympy.Expr:
    """Products, with and without their sign, and quotients are worked out from left to right."""
    text = _MIXED.sub(r"(\1+\2/\3)", text.strip())
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotRead(text)
        tokens.append(found[1])
        at = found.end()
    value, rest = _sum(tokens)
    if rest:
        raise NotRead(text)
    return value


def _sum(tokens: list[str]) -> tuple[sympy.Expr, list[str]]:
    negative = tokens[:1] == ["-"]
    value, tokens = _product(tokens[1:] if negative else tokens)
    value = -value if negative else value
    while tokens[:1] in (["+"], ["-"]):
        sign = tokens[0]
        other, tokens = _product(tokens[1:])
        value = value + other if sign == "+" else value - other
    return value, tokens


def _product(tokens: list[str]) -> tuple[sympy.Expr, list[str]]:
    value, tokens = _power(tokens)
    while tokens and tokens[0] not in ("+", "-", ")", ","):
        sign = tokens[0] if tokens[0] in ("*", "/") else ""
        other, tokens = _power(tokens[1:] if sign else tokens)
        if sign == "/" and other == 0:
            raise NotRead("division by zero")
        if sign == "/" and other.free_symbols:
            _divisors.append(other)
        value = value / other if sign == "/" else value * other
    return value, tokens


def _power(tokens: list[str]) -> tuple[sympy.Expr, list[str]]:
    if not tokens:
        raise NotRead("ends too early")
    first, tokens = tokens[0], tokens[1:]
    if first == "-":
        value, tokens = _power(tokens)
        return -value, tokens
    if first == "(":
        value, tokens = _sum(tokens)
        if tokens[:1] != [")"]:
            raise NotRead("a bracket is open")
        tokens = tokens[1:]
    elif first in ("sqrt", "cbrt"):
        value, tokens = _power(tokens)
        value = sympy.real_root(value, 2 if first == "sqrt" else 3)
    elif first[0].isdigit():
        value = Rational(first)
    elif len(first) == 1:
        value = Symbol(first, real=True)
    else:
        raise NotRead(first)
    while tokens[:1] == ["^"]:
        exponent, tokens = _power(tokens[1:])
        value = value**exponent
    return value, tokens


def _real_factors(polynomial: sympy.Expr, unknown: Symbol) -> frozenset[sympy.Expr]:
    """The factors over the rational numbers that have real roots."""
    _, factors = sympy.factor_list(polynomial, unknown)
    polynomials = [Poly(factor, unknown) for factor, _ in factors]
    return frozenset(p.monic().as_expr() for p in polynomials if p.degree() > 0 and p.count_roots() > 0)


@lru_cache(maxsize=1 << 18)
def meaning(line: str) -> tuple:
    """("value", number); ("roots", factors); or ("all", factors of what is excluded)."""
    line, *conditions = line.split(";")
    parts = line.split(" or ")
    if line.strip() == "no solution":
        return ("roots", frozenset())
    if "=" not in line and not line.strip().startswith("every number"):
        value = sympy.nsimplify(expression(line))
        if value.free_symbols:
            raise NotRead(line)
        return ("value", value)
    excluded: frozenset = frozenset()
    for condition in ",".join(conditions).split(","):
        if not condition.strip():
            continue
        if condition.count("!=") != 1:
            raise NotRead(condition)
        left, right = condition.split("!=")
        difference = expression(left) - expression(right)
        (unknown,) = difference.free_symbols
        excluded |= _real_factors(sympy.numer(sympy.together(difference)), unknown)
    if line.strip().startswith("every number"):
        return ("all", excluded)
    roots: frozenset = frozenset()
    for part in parts:
        if part.count("=") != 1:
            raise NotRead(part)
        _divisors.clear()
        left, right = (expression(side) for side in part.split("="))
        if any(not power.exp.is_integer for side in (left, right) for power in side.atoms(sympy.Pow)):
            raise NotRead("a root")
        above, below = sympy.fraction(sympy.together(left - right))
        poles: frozenset = frozenset()
        for divisor in _divisors:
            poles |= _real_factors(sympy.numer(sympy.together(divisor)), next(iter(divisor.free_symbols)))
        above = sympy.expand(above)
        unknowns = above.free_symbols | below.free_symbols | (left - right).free_symbols
        if len(unknowns) > 1:
            raise NotRead(part)
        if above == 0:
            return ("all", excluded | poles)
        if not above.free_symbols:
            continue
        (unknown,) = above.free_symbols
        roots |= _real_factors(above, unknown) - poles
    return ("roots", roots - excluded)


@dataclass
class Counts:
    """What came of some traces."""

    judged: int = 0
    wrong: int = 0
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


def judge(rows: list[str]) -> Counts:
    """Judges the labels of some lines of the file."""
    begin = time.process_time()
    counts = Counts()
    for row in rows:
        trace = json.loads(row)
        before, first_here, first_there = trace["problem"], None, None
        for index, step in enumerate(trace["steps"]):
            for line in (step, *step.get("alternatives", ())):
                label = line.get("same_solutions", line["right"])
                if label is None:
                    counts.unknown += 1
                    continue
                try:
                    truth = meaning(before) == meaning(line["state"])
                except (NotRead, ValueError, ZeroDivisionError, sympy.polys.polyerrors.BasePolynomialError):
                    counts.unread += 1
                    continue
                counts.judged += 1
                if truth != label:
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
    options.add_argument("--every", type=float, default=60, help="seconds between two lines about how far it is, on stderr")
    given = options.parse_args()
    total = Counts()
    begin = told = time.monotonic()
    with multiprocessing.Pool(given.jobs or None) if given.jobs != 1 else contextlib.nullcontext() as pool:
        run = map if pool is None else pool.imap_unordered
        for counts in run(judge, blocks(given.files)):
            total.add(counts)
            for complaint in counts.complaints:
                print(complaint, flush=True)
            if time.monotonic() - told >= given.every:
                told = time.monotonic()
                print(f"{total.judged:,} labels judged in {told - begin:.0f} s, {total.wrong} wrong", file=sys.stderr, flush=True)
            if total.judged >= given.most:
                break
        if pool is not None:
            pool.terminate()
    score = 2 * total.found / max(1, 2 * total.found + total.missed + total.raised)
    print(
        f"{total.judged} labels judged, {total.wrong} wrong; {total.unread} lines not read here, {total.unknown} without a label; "
        f"first error: F1 {score:.4f}; {total.seconds:.0f} CPU-seconds"
    )
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
