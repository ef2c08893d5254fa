#!/usr/bin/env python3
"""Table 3 of the paper: what vectors of problems tell, by nearest neighbours, beside texts and untrained networks.

    table3.py --out DIR ...               measures by `conpole reproduce table3`, which takes all further options, adds the records
                                          to those in DIR/data, and makes the tables of all
    table3.py --out DIR --from RECORDS    only makes the tables
"""
import argparse
import json
import os
import statistics

import common
from common import Wrong
from table2 import AGENTS

MEASURES = {"length": "{:.2f}", "first": "{:.3f}", "axioms": "{:.3f}"}
CANDIDATES = ("all", "alike")
TEXTS = {"counts": "three counts", "characters": "counts of characters", "numbers-as-n": "edit distance, numbers as N",
         "edit-distance": "edit distance", "chance": "chance"}
UNTRAINED, SHIPPED = "untrained", "shipped"
# Equations first, since the exercises are such; then the domains of the paper, the hardest first.
DOMAINS = ("equations", "fractions", "multiplication", "ternary-addition", "sorting")
LABELS = {"school": "solutions of school algebra, without a network", "policy": "solutions of the shipped policy"}
# The paper's share of exercises that are right.
PAPER = {"bc": 0.619, "drrn": 0.642, "adi": 0.619, "davi": 0.619, "cvi": 0.642, "edit-distance": 0.714, "conpole": 0.905, "chance": 0.26}
NOTES = """
Length: the mean difference of the solutions' lengths in steps; less is better. First step: how often the first axiom is the same.
Axioms: what the multisets of axioms share, intersection over union. All: every candidate may be nearest. Alike: only those with the
same three counts and of another shape, where counting is chance. In parentheses the 95% interval (bootstrap over the problems) or, of
several runs, the range over them. A plus marks what is better than every distance of texts, a minus what is worse than one of them,
where the 95% intervals of the differences on the same problems (in the records) do not contain zero; of several runs, if that holds
for each.
"""


def check_record(record):
    if record["version"] != 1:
        raise ValueError("it is of another version of conpole")
    for name, kind in (("domain", str), ("representation", str), ("variant", str), ("seed", int), ("steps", int), ("queries", str),
                       ("references", str)):
        if not isinstance(record[name], kind):
            raise ValueError(f"its {name} is no {kind.__name__}")
    for layer in record["layers"]:
        if layer["sections"] and layer["sections"]["right"] > layer["sections"]["exercises"]:
            raise ValueError("more is right than there is")
        for test in layer["neighbours"]:
            for mean, low, high in (test["score"], *test.get("gains", {}).values()):
                if not low <= high or not isinstance(mean, (int, float)):
                    raise ValueError("an interval ends before it begins")
            if not {"labels", "candidates", "measure", "problems"} <= test.keys():
                raise ValueError("a test does not say what it is of")


def keep(record, folder):
    """In a file of its own, with one line per test."""
    who = [record["domain"], record["representation"]] + ([record["variant"]] if record["variant"] else [])
    if record["representation"] not in TEXTS and record["variant"] != SHIPPED:
        who.append(str(record["seed"]))
    layers = []
    for layer in record["layers"]:
        tests = ",".join("\n    " + json.dumps(test, separators=(",", ":")) for test in layer["neighbours"])
        layers.append(f"\n   {{\"layer\": {json.dumps(layer['layer'])}, \"sections\": {json.dumps(layer['sections'], separators=(',', ':'))}, "
                      f"\"neighbours\": [{tests}]}}")
    head = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in record.items() if name != "layers")
    common.write(os.path.join(folder, "-".join(who) + ".json"), f"{{\n{head}  \"layers\": [{','.join(layers)}]\n}}\n")


def place(record):
    """The place of a record in the tables: models, then what is not trained, then texts."""
    domain, representation, variant = record["domain"], record["representation"], record["variant"]
    if representation in TEXTS:
        row = 1001 + [*TEXTS].index(representation)
    elif representation == UNTRAINED:
        row = 1000
    elif variant == SHIPPED:
        row = 0
    else:
        known = [name == representation and variant in ("", of_agent) for name, of_agent, _ in AGENTS]
        row = 1 + (known.index(True) if True in known else len(known))
    return (DOMAINS.index(domain) if domain in DOMAINS else len(DOMAINS), domain, row, representation, variant, record["seed"])


def read_records(folder):
    records = sorted(common.read_records(folder, check_record), key=place)
    if not records:
        raise Wrong(f"{folder} has no records")
    for first, record in ((first, record) for first in records for record in records if record["domain"] == first["domain"]):
        if (record["queries"], record["references"]) != (first["queries"], first["references"]):
            raise Wrong(f"{folder}: {' '.join(map(str, place(first)[3:]))} and {' '.join(map(str, place(record)[3:]))} of "
                        f"{first['domain']} were not measured on the same problems")
    return records


def title_of(representation, variant):
    if representation == UNTRAINED:
        return "untrained network"
    if representation in TEXTS:
        return TEXTS[representation]
    for name, of_agent, title in AGENTS:
        if name == representation and (of_agent == variant or (variant == SHIPPED and not of_agent)):
            return f"{title}, shipped" if variant == SHIPPED else title
    return f"{representation} {variant}".strip()


class Runs:
    """Records that differ in their seed alone."""

    def __init__(self, records):
        self.records = records
        self.domain, self.representation, self.variant = (records[0][name] for name in ("domain", "representation", "variant"))
        title = title_of(self.representation, self.variant)
        self.title = f"{title} ({len(records)} runs)" if len(records) > 1 else title
        # The vector first, the others from the highest down.
        self.layers = [*dict.fromkeys(layer["layer"] for record in records for layer in record["layers"])]

    def of_layer(self, layer):
        return [scores for record in self.records for scores in record["layers"] if scores["layer"] == layer]

    def sections(self, layer):
        found = [scores["sections"] for scores in self.of_layer(layer) if scores["sections"]]
        if not found:
            return None
        right = [one["right"] / max(1, one["exercises"]) for one in found]
        interval = common.wilson(found[0]["right"], found[0]["exercises"])
        return {"exercises": found[0]["exercises"], "ties_shared": statistics.fmean(one["shared"] for one in found),
                "paper": PAPER.get(self.representation), **summary(right, interval)}

    def neighbours(self, layer, labels, candidates, measure):
        found = [test for scores in self.of_layer(layer) for test in scores["neighbours"]
                 if (test["labels"], test["candidates"], test["measure"]) == (labels, candidates, measure)]
        if not found:
            return None
        standings = {standing(test) for test in found}
        return {"problems": found[0]["problems"], "standing": standings.pop() if len(standings) == 1 else "",
                **summary([test["score"][0] for test in found], found[0]["score"][1:])}


def summary(values, interval):
    """The mean over runs with the range or, of a single run, its interval."""
    if len(values) > 1:
        return {"mean": statistics.fmean(values), "range": [min(values), max(values)]}
    return {"mean": values[0], "interval_95": [*interval]}


def ends(of_summary):
    return of_summary.get("range") or of_summary["interval_95"]


def standing(test):
    """Better than every distance of texts, worse than one of them, or neither, as far as the intervals tell."""
    gains = test.get("gains", {}).values()
    if gains and all(low > 0 for _, low, _ in gains):
        return " +"
    return " -" if any(high < 0 for _, _, high in gains) else ""


def runs_of(records):
    groups = {}
    for record in records:
        groups.setdefault((record["domain"], record["representation"], record["variant"]), []).append(record)
    return [Runs(group) for group in groups.values()]


def labels_in(every):
    return [*dict.fromkeys(test["labels"] for runs in every for record in runs.records for layer in record["layers"]
                           for test in layer["neighbours"])]


def section_table(every):
    rows = [["representation", "layer", "right", "interval or range", "ties shared", "the paper"]]
    for runs in every:
        title, paper = runs.title, PAPER.get(runs.representation)
        for layer in runs.layers:
            score = runs.sections(layer)
            if score is None:
                continue
            exercises = score["exercises"]
            rows.append([title, layer, f"{score['mean']:.3f}", "{:.3f} to {:.3f}".format(*ends(score)), f"{score['ties_shared']:.3f}",
                         f"{paper:.3f}" if paper else ""])
            title, paper = "", None
    if len(rows) == 1:
        return ""
    return (f"Sections of {exercises} exercises, by the nearest other exercise:\n\n" + common.markdown_table(rows) +
            "\nThe interval is Wilson's, at 95%, and the range that over runs. Column right: of equally near exercises the first "
            "in the file\ncounts, as in the paper; ties shared: all of them, equally.\n")


def neighbour_table(every, labels):
    names = {"length": "length", "first": "first step", "axioms": "axioms"}
    rows = [["representation", *(f"{name}, {candidates}" for candidates in CANDIDATES for name in names.values())]]
    problems = dict.fromkeys(CANDIDATES, 0)
    for runs in every:
        row = [runs.title]
        for candidates in CANDIDATES:
            for measure, figure in MEASURES.items():
                score = runs.neighbours(runs.layers[0], labels, candidates, measure) if runs.layers else None
                row.append("")
                if score:
                    problems[candidates] = score["problems"]
                    low, high = map(figure.format, ends(score))
                    row[-1] = f"{figure.format(score['mean'])} ({low} to {high}){score['standing']}"
        if any(row[1:]):
            rows.append(row)
            measured = runs.records[0]
    if len(rows) == 1:
        return ""
    return (f"\n**{measured['domain']}**, {LABELS[labels]}: {problems['all']} problems of seeds {measured['queries']}, "
            f"{problems['alike']} of them with others that are alike; candidates of seeds {measured['references']}:\n\n" +
            common.markdown_table(rows))


def layer_table(every):
    """Of the shipped models and of untrained networks; the lowest layer first."""
    every = [runs for runs in every if SHIPPED == runs.variant or UNTRAINED == runs.representation]
    layers = [*dict.fromkeys(layer for runs in every for layer in runs.layers)][::-1]
    rows = [["domain", "representation", "alike", *layers]]
    for runs in every:
        for measure, figure in MEASURES.items():
            scores = [runs.neighbours(layer, "policy", "alike", measure) for layer in layers]
            if any(scores):
                begin = [runs.domain, runs.title, measure] if measure == "length" else ["", "", measure.replace("first", "first step")]
                rows.append(begin + [figure.format(score["mean"]) if score else "" for score in scores])
    if len(layers) < 2 or len(rows) == 1:
        return ""
    return "\nLayers below the vector, among problems that are alike, solutions of the shipped policy:\n\n" + common.markdown_table(rows)


def tables_of(records):
    every = runs_of(records)
    neighbours = ""
    for domain in dict.fromkeys(runs.domain for runs in every):
        of_domain = [runs for runs in every if runs.domain == domain]
        neighbours += "".join(neighbour_table(of_domain, labels) for labels in labels_in(of_domain))
    if neighbours:
        neighbours += layer_table(every) + NOTES
    return (section_table(every) + neighbours).lstrip("\n")


def json_of(records):
    rows = []
    for runs in runs_of(records):
        for layer in runs.layers:
            tests = [{"labels": labels, "candidates": candidates, "measure": measure,
                      **(runs.neighbours(layer, labels, candidates, measure) or {})}
                     for labels in labels_in([runs]) for candidates in CANDIDATES for measure in MEASURES]
            rows.append({"domain": runs.domain, "representation": runs.representation, "variant": runs.variant, "layer": layer,
                         "runs": len(runs.records), "sections": runs.sections(layer),
                         "neighbours": [test for test in tests if "mean" in test]})
    return {"rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_common_options(parser)
    parser.add_argument("--from", dest="records", metavar="RECORDS", help="only make the tables of the records in this folder")
    args, more = parser.parse_known_args()
    if args.records:
        if more:
            parser.error(f"with --from nothing is measured: {' '.join(more)}")
        records = read_records(args.records)
    else:
        data = os.path.join(args.out, "data")
        os.makedirs(data, exist_ok=True)
        measured = common.run_logged([common.find_program(args.program), "reproduce", "table3", "--threads", str(args.threads), *more],
                                     os.path.join(args.out, "table3.log"))
        for line in measured.splitlines():
            keep(json.loads(line), data)
        records = read_records(data)
    common.show_table(args, "table3", tables_of(records))
    common.write(os.path.join(args.out, "table3.json"), json.dumps(json_of(records), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    common.run(main)
