#!/usr/bin/env python3
"""Puts lines of real learners through `check` and counts what is said of them, label by label.

usage: learner_lines.py SERVICE_TOOL MODELS LINES [--show LABEL] [--kind KIND] [--json FILE]

SERVICE_TOOL is build/tests/service_tool, MODELS the folder of models. LINES has a JSON object per line with `before`, `after` and
`label`, the 19 labels of CogTutorBugs (Cognitive Tutor). All lines are asked for in one process.
"""
import argparse
import collections
import json
import subprocess
import sys

# Labels of lines that are wrong; the others are true and do not help, or may be written later.
WRONG = {
    "EXPRESSION_NOT_EQUIVALENT", "DIVIDE_MULTIPLY_OPP_SIGNS", "CHECK_SIGN", "WRONG_OPERATION", "FORGOT_NEGATIVE",
    "REVERSED_SIDES", "FORGOT_VARIABLE",
}
KINDS = ["answer", "towards", "fine", "no nearer", "away", "named", "slip", "unnamed", "unreadable"]


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
    return "slip" if mistake == "miscalculated" else "named"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("service_tool")
    parser.add_argument("models")
    parser.add_argument("lines")
    parser.add_argument("--show", help="list the lines of a label, or of all")
    parser.add_argument("--kind", help="with --show: only those of a column")
    arguments = parser.parse_args()
    with open(arguments.lines, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    requests = "".join(
        "check\t" + json.dumps({"domain": "algebra", "problem": line["before"], "lines": [line["after"]]}) + "\n"
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
        if arguments.show in ("all", line["label"]) and arguments.kind in (None, kind):
            said = answer.get("text") or answer.get("error")
            print(line["label"], line["before"], "->", line["after"], f"[{kind}: {answer.get('mistake')}]", said)
    print("| label | lines | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 2) + "|")
    total = collections.Counter()
    for label in sorted(table, key=lambda name: (name in WRONG, -table[name].total())):
        counts = table[label]
        total += counts
        print(f"| {label} | {counts.total()} | " + " | ".join(str(counts[kind]) for kind in KINDS) + " |")
    print(f"| all | {total.total()} | " + " | ".join(str(total[kind]) for kind in KINDS) + " |")
    times.sort()
    print(f"milliseconds: median {times[len(times) // 2]:.2f}, 99% {times[len(times) * 99 // 100]:.2f}", file=sys.stderr)


if __name__ == "__main__":
    main()
