#!/usr/bin/env python3
"""Puts lines of real learners through `check` and counts what is said of them, label by label.

usage: learner_lines.py SERVICE_TOOL MODELS LINES [--show LABEL] [--kind KIND] [--differ]

SERVICE_TOOL is build/tests/service_tool, MODELS the folder of models. LINES has a JSON object per line with `before`, `after` and
`label`, the 19 labels of CogTutorBugs (Cognitive Tutor). All lines are asked for in one process.

The collection writes what is done to a side behind it without brackets: `8+x` multiplied by 3 is `8+x*3`. Where `action` and `input`
say that both sides were multiplied or divided, the brackets that are meant are put in, and such lines are counted.
"""
import argparse
import collections
import json
import re
import subprocess
import sys

# Labels of lines that are wrong; the others are true and do not help, or may be written later.
WRONG = {
    "EXPRESSION_NOT_EQUIVALENT", "DIVIDE_MULTIPLY_OPP_SIGNS", "CHECK_SIGN", "WRONG_OPERATION", "FORGOT_NEGATIVE",
    "REVERSED_SIDES", "FORGOT_VARIABLE",
}
# What a name of ours says in the words of the labels: of a mistake in a wrong line, or of a detour of a true one.
# EXPRESSION_NOT_EQUIVALENT says no more than that a line is wrong, so every name of a mistake agrees with it; to take 3 - 2 for
# 3 + 2 is a sign for one and the operation for the other.
SIGNS = ["CHECK_SIGN", "FORGOT_NEGATIVE", "DIVIDE_MULTIPLY_OPP_SIGNS", "REVERSED_SIDES", "WRONG_OPERATION"]
OTHER_VALUE = ["WRONG_OPERATION", "REVERSED_SIDES"]
TIDY = ["COMBINE_LIKE_TERMS", "SIMPLIFY_FRACTION", "MULTIPLY_TO_SIMPLIFY", "SIMPLIFY_LATER"]
LABELS = {
    "opposite_needed": ["ADD_TO_REMOVE", "SUBTRACT_TO_REMOVE"],
    "other_side": ["FOCUS_ON_VARIABLE"],
    "unknown_below": ["REMOVE_VARIABLE_DENOMINATOR"],
    "simplify_first": TIDY,
    "factor_as_term": ["ISOLATE_HINT"],
    "denominator_as_term": ["ISOLATE_HINT", "SIMPLIFY_FRACTION"],
    "factor_again": ["DIVIDE_TO_SIMPLIFY"],
    "denominator_again": ["DIVIDE_TO_SIMPLIFY", "REMOVE_VARIABLE_DENOMINATOR"],
    "sign_left": ["DIVIDE_NEGATIVE_BETTER"],
    "divided_by_unknown": ["DIVIDE_TO_ISOLATE"],
    "repeats": TIDY,
    "neutral": TIDY + ["FOCUS_ON_VARIABLE"],
    "sign": SIGNS, "opposite": SIGNS, "sign_moved": SIGNS, "product_sign": SIGNS, "divided_sign": SIGNS, "minus_bracket": SIGNS, "bracket_sign": SIGNS,
    "two_minuses_in_sum": SIGNS, "minus_too_far": SIGNS, "power_sign": SIGNS,
    "subtracted_backwards": ["REVERSED_SIDES"], "divided_upside_down": ["REVERSED_SIDES"],
    "upside_down": ["REVERSED_SIDES", "WRONG_OPERATION"],  # 4 for 1/4 is also 1 * 4
    "lost_unknown": ["FORGOT_VARIABLE", "SIMPLIFY_LATER"],
    "like_terms": ["FORGOT_VARIABLE", "COMBINE_LIKE_TERMS"],
    "fractions_added": ["COMBINE_LIKE_TERMS"],
    "unlike_terms": ["COMBINE_LIKE_TERMS", "REVERSED_SIDES"],
    "rounded": ["SIMPLIFY_LATER"],
    "dropped_term": ["WRONG_OPERATION", "SIMPLIFY_LATER"],
}
KINDS = ["answer", "towards", "fine", "no nearer", "away", "named", "slip", "unnamed", "unreadable"]


def in_brackets(text):
    """A text in brackets, if it has several terms."""
    outside, count = text, 1
    while count:
        outside, count = re.subn(r"\([^()]*\)", "x", outside)
    return "(" + text + ")" if re.search(r"(?<=\w)[+-]", outside) else text


def as_meant(line):
    """The line that the learner's action made, with brackets around the sides of several terms."""
    sign = {"MUL_SIDE": "*", "DIV_SIDE": "/"}.get(line.get("action"))
    if sign is None:
        return line["after"]
    behind = sign + line["input"]
    if line["after"] != "=".join(side + behind for side in line["before"].split("=")):
        return line["after"]
    return "=".join(in_brackets(side) + sign + in_brackets(line["input"]) for side in line["before"].split("="))


def kind_of(answer):
    """In which column of the table an answer is counted."""
    verdict = answer.get("verdict")
    if verdict is None or verdict == "unreadable":
        return "unreadable"
    if verdict == "solved":
        return "answer"
    if verdict == "progress":
        return "towards"
    if verdict == "correct":
        return "fine"
    if verdict == "not_closer":
        return "away" if answer.get("helps") == "away" else "no nearer"
    mistake = answer.get("mistake")
    if mistake is None:
        return "unnamed"
    # Which operation went wrong is known, and why is not.
    return "slip" if mistake.endswith("_slip") else "named"


def agrees(label, kind, answer):
    """Whether what was said is what the label says; None if there is nothing to compare."""
    if kind == "unreadable":
        return None
    if label == "SIMPLIFY_LATER" and kind in ("answer", "towards", "fine"):
        return True
    name = answer.get("mistake") or answer.get("detour")
    if answer.get("mistake") and label == "EXPRESSION_NOT_EQUIVALENT":
        return True
    return label in LABELS.get(name, OTHER_VALUE if answer.get("mistake") else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("service_tool")
    parser.add_argument("models")
    parser.add_argument("lines")
    parser.add_argument("--show", help="list the lines of a label, or of all")
    parser.add_argument("--kind", help="with --show: only those of a column")
    parser.add_argument("--differ", action="store_true", help="with --show: only those that the label does not agree with")
    arguments = parser.parse_args()
    with open(arguments.lines, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    requests = "".join(
        "check\t" + json.dumps({"domain": "algebra", "problem": line["before"], "lines": [as_meant(line)]}) + "\n"
        for line in lines)
    output = subprocess.run([arguments.service_tool, arguments.models], input=requests, capture_output=True, text=True,
                            check=True).stdout.splitlines()
    table = collections.defaultdict(collections.Counter)
    times = []
    for line, row in zip(lines, output, strict=True):
        _, milliseconds, body = row.split("\t", 2)
        times.append(float(milliseconds))
        answer = json.loads(body)
        answer = answer.get("lines", [answer])[0]
        kind = kind_of(answer)
        table[line["label"]][kind] += 1
        agreement = agrees(line["label"], kind, answer)
        table[line["label"]]["agrees"] += agreement is True
        table[line["label"]]["read"] += agreement is not None
        if arguments.differ and agreement is not False:
            continue
        if arguments.show in ("all", line["label"]) and arguments.kind in (None, kind):
            said = answer.get("text") or answer.get("error")
            print(line["label"], line["before"], "->", as_meant(line), f"[{kind}: {answer.get('mistake') or answer.get('detour')}]", said)
    print("| label | lines | " + " | ".join(KINDS) + " | agrees |")
    print("|---" * (len(KINDS) + 3) + "|")
    total = collections.Counter()

    def print_row(label, counts):
        cells = [str(counts[kind]) for kind in KINDS]
        share = f"{100 * counts['agrees'] / max(1, counts['read']):.1f}%"
        print(f"| {label} | {sum(counts[kind] for kind in KINDS)} | " + " | ".join(cells) + f" | {share} |")

    for label in sorted(table, key=lambda name: (name in WRONG, -table[name].total())):
        total += table[label]
        print_row(label, table[label])
    print_row("all", total)
    print(f"brackets put in: {sum(as_meant(line) != line['after'] for line in lines)} lines", file=sys.stderr)
    times.sort()
    print(f"milliseconds: median {times[len(times) // 2]:.2f}, 99% {times[len(times) * 99 // 100]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
