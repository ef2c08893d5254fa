#!/usr/bin/env python3
"""Are wrong rules refused? Damages the gallery's files, one rule at a time, and compares what conpole says with a judge of its own.

    scripts/mutant_domains.py PROGRAM [--count 1000] [--seed 1] [--jobs 16] [--show]

A mutant is a file of gallery/ that keeps something, in which one rule has swapped sides, lacks a condition, or has another
operator, number or variable. The judge here shares nothing with the program but the steps: it makes states for the rule, lets a copy
of the mutant that keeps nothing list their successors, and works out both with fractions, in mpmath where there are functions. It says
that a mutant breaks its promise only if it has seen so. Printed are how many of these the program refuses, and how many of
its counterexamples are none. Ends with 1 if a run crashes or does not end, if fewer than 99% are refused, or if a
counterexample is none. Needs Python 3.10 and mpmath."""
import argparse
import collections
import concurrent.futures
import fractions
import glob
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import mpmath

Fraction = fractions.Fraction
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DEFAULT = ["infix =", "infix left + -", "infix left * /", "prefix -", "infix right tight ^", "coefficient *"]
SECONDS = 120  # after which a run hangs
mpmath.mp.dps = 40


class Unreadable(Exception):
    pass


# --- Files: their notation, and terms as tuples (kind, what, operands...) ---


class File:
    def __init__(self, text):
        self.text = text
        clean = re.sub(r"#.*", "", text)
        lines = [line.strip() for line in clean.splitlines() if line and not line[0].isspace()]
        words = {line.split()[0]: line for line in reversed(lines)}
        self.is_list = words["state"].startswith("state list")
        self.keeps = words.get("keeps", "keeps nothing").split()[1]
        self.unknowns = re.findall(r"[a-zA-Z]", words["keeps"].split(" of ")[1]) if self.keeps == "solutions" else []
        self.levels, self.functions, self.constants, self.meanings, self.letters = {}, {}, set(), {}, None
        operators = [line for line in lines if re.match(r"(infix|prefix|postfix|coefficient)\b", line)]
        for level, line in enumerate(operators if operators or self.is_list else DEFAULT):
            kind, *rest = line.split()
            side = next((word for word in rest if word in ("left", "right")), "none")
            for sign in rest:
                if sign not in ("left", "right", "tight", "bracketed"):
                    self.levels[(kind, sign)] = (level, side)
        for line in lines:
            if line.startswith("function"):
                for name, names, _, shown in re.findall(r"([^\s(]+)\(([^)]*)\)( as \"([^\"]*)\")?", line[8:]):
                    arguments = [word.strip() for word in names.split(",")]
                    self.functions[name] = (arguments, re.split(r"\{(?:%s)\}" % "|".join(arguments), shown) if shown else None)
            if line.startswith("constant"):
                self.constants.update(line.split()[1:])
            if line.startswith("letter"):
                self.letters = line.split()[1:]
            if line.startswith("meaning"):
                left, right = line[8:].split("=", 1)
                self.meanings[left.strip().split("(")[0]] = right.strip()
        self.numbers = words.get("numbers", "numbers plain").split()[1]
        self.variables = {}
        for line in lines:
            if line.startswith("var "):
                for part in line[4:].split(";"):
                    names, kind = part.split(":", 1)
                    for name in names.split():
                        self.variables[name] = kind.split(" where ")[0].strip()
        form = re.search(r'state list "([^"]*)" "([^"]*)" "([^"]*)"', text)
        self.list = form.groups() if form else ("", " ", "")

    def parse(self, text, pattern=False):
        return Parser(self, text, pattern).whole()

    def elements(self, state):
        opening, separator, closing = self.list
        inside = state[len(opening):len(state) - len(closing)]
        return [element.strip() for element in inside.split(separator)] if inside.strip() else []


class Parser:
    def __init__(self, file, text, pattern):
        self.file, self.text, self.at, self.pattern = file, text, 0, pattern
        self.signs = sorted({sign for _, sign in file.levels}, key=len, reverse=True)

    def whole(self):
        node = self.expression(0)
        if self.blank() != len(self.text):
            raise Unreadable(self.text)
        return node

    def blank(self):
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return self.at

    def takes(self, text):
        self.blank()
        if not self.text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def needs(self, text):
        if not self.takes(text):
            raise Unreadable(self.text)

    def sign(self, kind):
        self.blank()
        return next((sign for sign in self.signs if (kind, sign) in self.file.levels and self.text.startswith(sign, self.at)), None)

    def expression(self, least):
        left = self.operand()
        while True:
            sign = self.sign("postfix")
            if sign:
                self.at += len(sign)
                left = ("op", sign, left)
                continue
            sign = self.sign("infix")
            if sign is None:
                return left
            level, side = self.file.levels[("infix", sign)]
            if level < least:
                return left
            self.at += len(sign)
            right = self.expression(level if side == "right" else level + 1)
            left = ("op", sign, left, right)

    def operand(self):
        self.blank()
        number = re.compile(r"-?\d+(e\d+)?" if self.file.numbers == "decimal" else r"-?\d+").match(self.text, self.at)
        if number:
            self.at = number.end()
            mantissa, _, power = number[0].partition("e")
            value = Fraction(int(mantissa)) * 10 ** int(power or 0)
            return self.with_coefficient(("number", value))
        fraction = re.compile(r"\[(-?\d+)/(\d+)\]").match(self.text, self.at)
        if fraction and self.file.numbers in ("plain", "bracketed"):
            self.at = fraction.end()
            return self.with_coefficient(("number", Fraction(int(fraction[1]), int(fraction[2]))))
        for name, (names, shown) in self.file.functions.items():
            if shown and self.text.startswith(shown[0], self.at):
                values = []
                for after in shown[1:]:
                    self.at += len(shown[0]) if not values else 0
                    values.append(self.expression(0))
                    self.needs(after.strip())
                return ("op", name, *values)
        if self.takes("("):
            inside = self.expression(0)
            self.needs(")")
            return self.with_coefficient(("brackets", "", inside) if self.pattern else inside, inside[0] == "number")
        sign = self.sign("prefix")
        if sign:
            self.at += len(sign)
            return ("op", sign, self.expression(self.file.levels[("prefix", sign)][0] + 1))
        constant = next((word for word in sorted(self.file.constants, key=len, reverse=True) if self.text.startswith(word, self.at)), None)
        word = re.compile(r"[A-Za-z_]\w*").match(self.text, self.at)
        if word and word[0] in self.file.functions and self.text.startswith("(", word.end()):
            self.at = word.end() + 1
            values = [self.expression(0)]
            while self.takes(","):
                values.append(self.expression(0))
            self.needs(")")
            return ("op", word[0], *values)
        if self.pattern and word and word[0] in self.file.variables:
            self.at = word.end()
            return ("variable", word[0])
        if constant:
            self.at += len(constant)
            return ("constant", constant)
        if word and (len(word[0]) == 1 or not self.pattern):
            self.at += 1
            return ("letter", word[0][0])
        raise Unreadable(self.text)

    def with_coefficient(self, number, is_number=True):
        """A number before a letter is its factor: 2x, (-3)x."""
        sign = next((sign for kind, sign in self.file.levels if kind == "coefficient"), None)
        if not is_number or sign is None or not re.match(r"[A-Za-z]", self.text[self.at:self.at + 1]):
            return number
        return ("op", sign, number, self.operand())


# --- Meaning ---


def evaluate(file, node, point, bound=None):
    """A Fraction, an mpf or a truth value; None if it is not defined."""
    kind, what, *rest = node
    if kind == "brackets":
        return evaluate(file, rest[0], point, bound)
    if kind == "number":
        return what if file.keeps != "truth" else {0: False, 1: True}.get(what)
    if kind == "letter":
        return bound[what] if bound and what in bound else point.get(what)
    if kind == "constant" or (kind == "op" and what in file.meanings):
        if what in file.meanings:
            if what == "d":
                return slope(file, rest[0], point)
            names = file.functions[what][0] if what in file.functions else []
            values = [evaluate(file, operand, point, bound) for operand in rest]
            if None in values:
                return None
            standard = File("state term\nkeeps value\n" + "\n".join(DEFAULT).replace("* /", "* / mod"))
            meaning = standard.parse(file.meanings[what])
            letters = re.search(r"meaning %s\(([^)]*)\)" % re.escape(what), file.text)
            names = [name.strip() for name in letters[1].split(",")] if letters else names
            return evaluate(standard, meaning, {}, dict(zip(names, values)))
        fixed = {"⊤": True, "U": True, "⊥": False, "∅": False}
        return fixed[what] if file.keeps == "truth" and what in fixed else point.get(what)
    values = [evaluate(file, operand, point, bound) for operand in rest]
    if None in values:
        return None
    if file.keeps == "truth":
        return TRUTH[what](*values)
    try:
        return arithmetic(what, *values)
    except (ZeroDivisionError, ValueError, OverflowError):
        return None


TRUTH = {
    "∧": lambda a, b: a and b, "∩": lambda a, b: a and b, "∨": lambda a, b: a or b, "∪": lambda a, b: a or b,
    "→": lambda a, b: not a or b, "\\": lambda a, b: a and not b, "¬": lambda a: not a, "'": lambda a: not a,
}


def arithmetic(sign, a, b=None):
    if sign in ("or", "and"):
        return (a or b if sign == "or" else a and b) if isinstance(a, bool) and isinstance(b, bool) else None
    if sign == "abs":
        return abs(a)
    if b is None and sign != "-":
        value = {"sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "exp": mpmath.exp}[sign](real(a))
        return value if abs(value) < 1e30 else None
    if sign == "-" and b is None:
        return -a
    if sign == "mod":
        return a % b if isinstance(a, Fraction) and isinstance(b, Fraction) and a.denominator == b.denominator == 1 else None
    if sign == "log":
        return mpmath.log(real(b)) / mpmath.log(real(a)) if a > 0 and b > 0 and a != 1 else None
    if sign == "^":
        if a == 0 and b <= 0:
            return None
        if isinstance(a, Fraction) and isinstance(b, Fraction) and b.denominator == 1:
            return a ** int(b) if abs(b) < 60 else None
        is_whole = abs(b - round(real(b))) < 1e-25
        return None if a < 0 and not is_whole else mpmath.power(real(a), round(real(b)) if is_whole else real(b))
    if not (isinstance(a, Fraction) and isinstance(b, Fraction)):
        a, b = real(a), real(b)
    if sign in ("=", "<", ">", "<=", ">="):
        near = a == b if isinstance(a, Fraction) else abs(a - b) < mpmath.mpf(10) ** -20 * (1 + abs(a))
        return {"=": near, "<": a < b and not near, ">": a > b and not near, "<=": a < b or near, ">=": a > b or near}[sign]
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b}[sign]()


def real(value):
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else mpmath.mpf(value)


def slope(file, node, point):
    h = mpmath.mpf(10) ** -8
    values = [evaluate(file, node, {**point, "x": real(point["x"]) + k * h}) for k in (-2, -1, 1, 2)]
    if None in values:
        return None
    a, b, c, d = (real(value) for value in values)
    return (a - 8 * b + 8 * c - d) / (12 * h)


def differ(a, b):
    if a is None or b is None:
        return (a is None) != (b is None)
    if isinstance(a, (bool, tuple)) or isinstance(b, (bool, tuple)) or (isinstance(a, Fraction) and isinstance(b, Fraction)):
        return a != b
    return abs(real(a) - real(b)) > 1e-9 * (1 + abs(real(a)))


def value_of(file, state, point):
    if not file.is_list:
        return evaluate(file, file.parse(state), point)
    if file.keeps == "multiset":
        return tuple(sorted(file.elements(state)))
    if file.keeps == "truth":
        values = [evaluate(file, file.parse(element), point) for element in file.elements(state)]
        return None if None in values else all(values)
    total = Fraction(0)
    for element in file.elements(state):
        digit = re.fullmatch(r"([a-c])(.)", element) if "element digit" in file.text else None
        if digit:
            total += (ord(digit[1]) - ord("a")) * Fraction(3) ** (ord(digit[2]) - ord("0"))
        else:
            value = evaluate(file, file.parse(element), point)
            if value is None:
                return None
            total += value
    return total


def points_for(file, before, after, rng):
    """Points at which two states are compared."""
    if file.is_list and file.keeps != "truth":
        return [{}]
    letters = sorted(set(re.findall(r"[A-Za-z]", before + after)) - file.constants - set("".join(file.functions)) | {"x"})
    letters = [letter for letter in letters if file.letters is None or letter in file.letters or letter == "x"]
    if file.keeps == "truth":
        letters = sorted(set(re.findall(r"[A-Za-z]", before + after)) - file.constants)
        return [dict(zip(letters, values)) for values in itertools.product((False, True), repeat=min(len(letters), 6))]
    numbers = [Fraction(n) for n in (0, 1, 2, 3, -1, -2, 5, 7, -4)] + [Fraction(1, 2), Fraction(-3, 2), Fraction(2, 3)]
    if "d" in file.meanings:
        numbers = [n / 8 for n in numbers]
    points = [{letter: rng.choice(numbers) for letter in letters} for _ in range(10)]
    points += [{letter: number for letter in letters} for number in (Fraction(0), Fraction(1))]
    if file.keeps == "solutions":
        if len(file.unknowns) > 1:
            return [dict(zip(file.unknowns, map(Fraction, values))) for values in itertools.product(range(-12, 13), repeat=len(file.unknowns))]
        points += [{file.unknowns[0]: Fraction(k, 2)} for k in range(-24, 25)]
        for state in (before, after):
            points += [{file.unknowns[0]: root} for root in roots(file, state)]
    if file.numbers == "whole":  # so are letters
        points = [point for point in points if all(isinstance(n, Fraction) and n.denominator == 1 for n in point.values())]
    return points


def roots(file, state):
    """Where the sides of a linear equation are the same, and where those of others are that change slowly."""
    node = file.parse(state)
    if node[0] != "op" or len(node) != 4:
        return

    def gap(x):
        left, right = (evaluate(file, side, {file.unknowns[0]: x}) for side in node[2:])
        return None if left is None or right is None else (left - right if isinstance(left, Fraction) and isinstance(right, Fraction)
                                                           else real(left) - real(right))

    for a, b in ((2, 3), (7, 11), (-2, -5), (1, 100)):
        low, high = gap(Fraction(a)), gap(Fraction(b))
        if isinstance(low, Fraction) and isinstance(high, Fraction) and low != high:
            yield a - low * (b - a) / (high - low)
        elif low is not None and high is not None and low * high < 0:
            try:
                yield mpmath.findroot(gap, (mpmath.mpf(a), mpmath.mpf(b)), solver="anderson")
            except (ValueError, ZeroDivisionError, TypeError):
                pass


def broken(file, before, after, rng, holds=lambda point: True, points=None):
    """A point at which two states differ in what is kept, or None."""
    for point in points if points is not None else points_for(file, before, after, rng):
        try:
            if not holds(point):
                continue
            was, now = value_of(file, before, point), value_of(file, after, point)
            if file.keeps == "solutions" and (isinstance(was, bool) or isinstance(now, bool)):
                was, now = bool(was), bool(now)
            if differ(was, now):
                return point
        except (Unreadable, KeyError, TypeError, RecursionError, mpmath.libmp.ComplexResult):
            continue
    return None


# --- Mutants ---

Rule = collections.namedtuple("Rule", "begin end name forms tail")


def rules_of(text):
    """Where rules stand, in pieces: their forms, and conditions and the rest."""
    for found in re.finditer(r"^ *rule (\S+) ", text, re.M):
        indent = len(found[0]) - len(found[0].lstrip())
        end = found.end()
        end = text.find("\n", end)
        while end + 1 < len(text):
            line = text[end + 1:text.find("\n", end + 1)]
            if len(line) - len(line.lstrip()) <= indent and line.strip() or line.lstrip().startswith("rule ") or not line.strip():
                break
            end += len(line) + 1
        body = text[found.end():end]
        tail = re.search(r"\s(if|assuming|for|label|hint|[a-z][a-z](?= \")) ", blanked(body))
        tail = tail.start() if tail else len(body)
        yield Rule(found.start(), end, found[1], body[:tail], body[tail:])


def blanked(text):
    return re.sub(r'"[^"]*"', lambda found: '"' + "." * (len(found[0]) - 2) + '"', text)


def mutate(text, rng):
    """(what was done, the rule's name, forms after, tail after, the mutant) or None."""
    rule = rng.choice(list(rules_of(text)))
    forms, tail, kind = rule.forms, rule.tail, rng.choice(("sides", "condition", "operator", "operator", "number", "variable"))
    if kind == "sides":
        pieces = forms.split(";")
        i = rng.randrange(len(pieces))
        sides = re.fullmatch(r"(\s*)(.*?) -> (.*?)(\s+where .*|\s*)", pieces[i], re.S)
        if not sides:
            return None
        pieces[i] = f"{sides[1]}{sides[3]} -> {sides[2]}{sides[4]}"
        forms = ";".join(pieces)
    elif kind == "condition":
        places = [("tail", found) for found in re.finditer(r"\s(if|assuming) (?:(?!\s(?:if|assuming|for|label|hint|[a-z][a-z] \")).)*", blanked(tail), re.S)]
        places += [("forms", found) for found in re.finditer(r"\s+where [^;]*", forms)]
        if not places:
            return None
        where, found = rng.choice(places)
        source = tail if where == "tail" else forms
        source = source[:found.start()] + (" " if where == "forms" else "") + source[found.end():]
        tail, forms = (source, forms) if where == "tail" else (tail, source)
    else:
        groups = {"operator": (["+", "-", "*", "/", "^"], ["∧", "∨", "→"], ["∪", "∩", "\\"], ["<", ">", "<=", ">="]),
                  "number": ([str(n) for n in range(10)],), "variable": (sorted(File(text).variables),)}[kind]
        places = []
        for group in groups:
            for sign in group:
                edge = r"(?<= )%s(?= )" if kind == "operator" else r"(?<![\w.])%s(?![\w.])"
                places += [(found, group) for found in re.finditer(edge % re.escape(sign), forms)]
        if not places:
            return None
        found, group = rng.choice(places)
        forms = forms[:found.start()] + rng.choice([sign for sign in group if sign != found[0]]) + forms[found.end():]
    head = text[rule.begin:text.index(rule.name, rule.begin) + len(rule.name)] + " "
    mutant = text[:rule.begin] + head + forms + tail + text[rule.end:]
    return kind, rule.name, forms, tail, mutant


# --- States for a rule ---


class Instances:
    def __init__(self, file, rng):
        self.file, self.rng = file, rng
        self.letters = file.letters or (["p", "q", "r"] if file.keeps == "truth" else ["x", "y"])
        if file.keeps == "solutions":
            self.letters = file.unknowns
        self.signs = [sign for kind, sign in file.levels if kind == "infix" and sign in "+-*∧∨→∪∩\\"]

    def number(self):
        n = self.rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 10, 12, -1, -2, -3, -5))
        if self.file.numbers == "decimal":
            return f"{abs(n)}e{self.rng.choice((0, 0, 1))}"
        return f"({n})" if n < 0 else str(n)

    def term(self, kind, depth):
        if kind in ("number", "integer"):
            return self.number()
        if kind == "letter":
            return self.rng.choice(self.letters)
        if depth == 0 or not self.signs or self.rng.random() < 0.5:
            atoms = [self.rng.choice(self.letters)] * 2
            atoms += [self.number()] if self.file.keeps != "truth" else sorted(self.file.constants)
            return self.rng.choice(atoms)
        return f"({self.term('term', depth - 1)} {self.rng.choice(self.signs)} {self.term('term', depth - 1)})"

    def write(self, node, values, depth, is_root=True):
        kind, what, *rest = node
        if kind == "number":
            text = str(what.numerator) if self.file.numbers != "decimal" else f"{what.numerator}e0"
            return f"({text})" if what < 0 else text
        if kind == "variable":
            if what not in values:
                values[what] = self.term(self.file.variables[what], depth)
            return values[what] if len(values[what]) == 1 else f"({values[what]})"
        if kind == "brackets":
            return f"({self.write(rest[0], values, depth)})"
        if kind != "op":
            return what
        parts = [self.write(operand, values, depth, False) for operand in rest]
        if what in self.file.functions:
            return self.call(what, parts)
        text = f"{parts[0]} {what} {parts[1]}" if len(parts) == 2 else \
            f"{what}{parts[0]}" if ("prefix", what) in self.file.levels else f"{parts[0]}{what}"
        return text if is_root else f"({text})"

    def call(self, what, parts):
        shown = self.file.functions[what][1]
        return shown[0] + "".join(part + after for part, after in zip(parts, shown[1:])) if shown else f"{what}({', '.join(parts)})"

    def states(self, form, is_simple):
        """[(state, values of the variables)] that look like the left side."""
        try:
            left = self.file.parse(form, pattern=True)
        except Unreadable:
            return
        inner = left[2] if left[0] == "brackets" else left
        relations = [name for name, meaning in self.file.meanings.items() if "=" in meaning]
        is_equation = inner[0] == "op" and inner[1] in ("=", "<", ">", "<=", ">=", *relations)
        for i in range(240):
            values = {}
            text = self.write(left, values, 0 if is_simple or i < 80 else 1 + i % 2)
            if self.file.keeps == "solutions" and not is_equation:
                signs = [sign for kind, sign in self.file.levels if kind == "infix" and sign in ("=", "<", ">")]
                if not signs:
                    yield self.call(relations[0], [text, self.number(), str(self.rng.randrange(2, 13))]), values
                    continue
                sign = self.rng.choice(signs)
                text = f"({text}) {sign} {self.number()}" if left[0] != "brackets" else f"{text} {sign} {self.number()}"
            elif i % 3 == 2 and self.signs and not is_simple and not is_equation:
                outside = f"({text}) {self.rng.choice(self.signs)} {self.term('term', 0)}"
                text = f"({outside})" if "bracketed" in self.file.text else outside
            yield text, values


def assumption(file, tail, values, label):
    """Whether what a rule assumes holds at a point; values are those of its variables."""
    found = re.search(r"\sassuming ((?:(?!\s(?:if|for|label|hint|[a-z][a-z] \")).)*)", blanked(tail), re.S)
    if not found:
        return lambda point: True
    conditions = [re.split(r"\s*(<=|>=|!=|<|>|=)\s*", condition.strip()) for condition in found[1].split(",")]
    if any(len(condition) != 3 for condition in conditions):
        return None
    values = dict(values)
    for name in {word for condition in conditions for word in re.findall(r"[a-z]", condition[0])} - set(values):
        values[name] = label.split(" ", 1)[-1]  # what `for` has chosen stands in the label

    def holds(point):
        for left, sign, right in conditions:
            known = {name: evaluate(file, file.parse(values[name]), point) for name in values if re.search(rf"\b{name}\b", f"{left} {right}")}
            standard = File("state term\nkeeps value\n")
            a, b = (evaluate(standard, standard.parse(side), point, known) for side in (left, right))
            if a is None or b is None:
                continue
            if not {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b, "!=": a != b}[sign]:
                return False
        return True

    return holds


# --- The program ---


def run(*command, text=""):
    try:
        answer = subprocess.run(command, input=text, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, "", "does not end"
    return answer.returncode, answer.stdout, answer.stderr


def steps(path, states):
    status, out, err = run(args.program, "step", path, text="\n".join(states) + "\n")
    return status, [json.loads(line) for line in out.splitlines() if line.startswith("{")], err


def look(number):
    """What becomes of one mutant: (what, details)."""
    rng = random.Random(args.seed * 1_000_003 + number)
    while True:
        path = rng.choice(originals)
        with open(path) as source:
            made = mutate(source.read(), rng)
        if made is not None:
            break
    kind, name, forms, tail, text = made
    file = File(text)
    about = f"{os.path.basename(path)} {kind}: {name} {forms.strip()}"
    free_text = re.sub(r"^keeps .*$", "keeps nothing", re.sub(r"^error .*\n( +.*\n)*", "", text, flags=re.M), flags=re.M)
    free_text = re.sub(r"^test .*$", "", free_text, flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        real_path, free_path = os.path.join(folder, "mutant.domain"), os.path.join(folder, "free.domain")
        for target, content in ((real_path, text), (free_path, free_text)):
            with open(target, "w") as output:
                output.write(content)
        status, out, err = run(args.program, "step", real_path, text="")
        if status is None or status < 0 or status > 2:
            return "crash", f"{about}: {status} {err}"
        refused = "does not keep" in err
        if status != 0 and not refused:
            return "unreadable", about
        if refused:
            found = re.search(r"'(.*?)' does not keep [a-z ]+: '(.*?)' becomes '(.*?)', (?:and for (.*?) it is (.*?) before|(.*?) before)", err, re.S)
            if not found:
                return "no counterexample", f"{about}: {err}"
            before, after = found[2], found[3]
            point = {}
            for letter, value in re.findall(r"(\S+) = (true|false|-?\d+(?:/\d+)?)", found[4] or ""):
                point[letter] = value == "true" if value in ("true", "false") else Fraction(value)
            _, listed, _ = steps(free_path, [before])
            is_step = any(label.split(" ")[0] == found[1] and result == after for state in listed for label, result in state.get("actions", []))
            is_different = broken(file, before, after, rng, points=[point]) is not None
            # Solved states have no steps, and of a family only the first form that fits is one.
            is_hidden = any(state.get("solved") for state in listed) or re.search(r"^first of\n(?: +.*\n)* +rule %s " % found[1], text, re.M)
            return ("refused" if is_different and (is_step or is_hidden) else "no counterexample"), f"{about}: {err}"
        # Accepted: is there a fault after all?
        cases = []
        if file.is_list:
            _, out, _ = run(args.program, "generate", path, "--seed", str(rng.randrange(10 ** 6)), "--count", "150")
            cases = [(json.loads(line)["problem"], {}) for line in out.splitlines()]
        else:
            instances = Instances(file, rng)
            for form in forms.split(";"):
                left = re.split(r" <?-> ", form)[0].strip()
                cases += instances.states(left, " assuming " in tail)
                if "<->" in form:
                    cases += instances.states(form.split(" <-> ")[1].strip(), " assuming " in tail)
        status, listed, err = steps(free_path, [state for state, _ in cases])
        if status is None or status < 0 or status > 2:
            return "crash", f"{about}: {err}"
        rounds = 3 if file.is_list else 1
        for _ in range(rounds):
            following = []
            for (_, values), state in zip(cases, listed):
                for label, result in state.get("actions", []):
                    following.append(result)
                    if label.split(" ")[0] != name:
                        continue
                    holds = assumption(file, tail, values, label)
                    if holds is None:
                        continue
                    point = broken(file, state["state"], result, rng, holds)
                    if point is not None:
                        shown = {letter: str(value) for letter, value in point.items()}
                        return "missed", f"{about}: '{state['state']}' becomes '{result}', at {shown}"
            if rounds > 1 and following:
                cases = [(state, {}) for state in rng.sample(following, min(150, len(following)))]
                _, listed, _ = steps(free_path, [state for state, _ in cases])
        return "kept", about


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--count", type=int, default=1000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--jobs", type=int, default=os.cpu_count())
parser.add_argument("--show", action="store_true", help="every mutant and what became of it")
args = parser.parse_args()
originals = []
for candidate in sorted(glob.glob(os.path.join(ROOT, "gallery", "*.domain"))):
    with open(candidate) as opened:
        content = opened.read()
    if re.search(r"^keeps (?!nothing)", content, re.M):
        originals.append(candidate)
counts = collections.Counter()
with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
    for done, (verdict, details) in enumerate(pool.map(look, range(args.count)), 1):
        counts[verdict] += 1
        if done % 100 == 0:
            print(f"{done} done: {dict(counts)}", flush=True)
        if args.show or verdict in ("crash", "missed", "no counterexample"):
            print(f"{verdict}: {details}", flush=True)
wrong = counts["refused"] + counts["missed"]
print(f"{args.count} mutants of {len(originals)} files: {counts['refused']} refused with a counterexample, {counts['missed']} missed, "
      f"{counts['no counterexample']} refused without a counterexample, {counts['kept']} not known to break anything, "
      f"{counts['unreadable']} refused for other reasons, {counts['crash']} crashes or hangs")
print(f"{100 * counts['refused'] / max(1, wrong):.2f}% of those that break what is kept are refused")
sys.exit(counts["crash"] + counts["no counterexample"] > 0 or counts["refused"] < 0.99 * wrong)
