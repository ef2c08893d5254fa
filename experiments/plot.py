#!/usr/bin/env python3
"""Draws learning curves of training runs with gnuplot: one metric of their metrics.jsonl against steps or time."""
import argparse
import collections
import json
import math
import os
import re

import common
from common import Wrong

SHARES = ("_success", "_verified", "solved_rate")  # names that end so are drawn in percent
LARGEST = 1e300  # gnuplot refuses larger numbers
MANY_POINTS = 60


def size(text):
    found = re.fullmatch(r"([0-9]{3,5})x([0-9]{3,5})", text)
    if not found or not all(200 <= int(number) <= 10000 for number in found.groups()):
        raise argparse.ArgumentTypeError(f"must be WIDTHxHEIGHT, each from 200 to 10000, not '{text}'")
    return f"{int(found[1])},{int(found[2])}"


def parse_arguments():
    parser = argparse.ArgumentParser(prog="conpole plot", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="the folder of a run; RUN=LABEL names it in the legend")
    parser.add_argument("--out", help="the file of the picture, .png or .svg; by default METRIC.png")
    parser.add_argument("--metric", default="eval_success", help="draw this metric, by its name in metrics.jsonl")
    parser.add_argument("--x", choices=("steps", "seconds"), default="steps", help="what to draw it against")
    parser.add_argument("--title", default="", help="the title above the picture")
    parser.add_argument("--size", type=size, default="960x600", help="the size of the picture, WIDTHxHEIGHT in pixels")
    args = parser.parse_args()
    args.out = args.out or f"{args.metric}.png"
    if os.path.splitext(args.out)[1].lower() not in (".png", ".svg"):
        raise Wrong(f"--out must end in .png or .svg, not '{args.out}'")
    return args


def folder_and_label(argument):
    """RUN or RUN=LABEL, where the folder may have a = in its name, too."""
    places = [at for at, c in enumerate(argument) if c == "="]
    for folder, label in ((argument, ""), *((argument[:at], argument[at + 1:]) for at in places)):
        if os.path.isdir(folder):
            return folder, label
    raise Wrong(f"there is no folder '{argument.split('=')[0]}'")


def labelled(arguments):
    """Runs without a label get the name of their folder, or, where several have that name, the path."""
    runs = [folder_and_label(argument) for argument in arguments]
    names = [label or os.path.basename(os.path.abspath(folder)) for folder, label in runs]
    counts = collections.Counter(name for name, (_, label) in zip(names, runs) if not label)
    return [(folder, label or (folder if counts[name] > 1 else name)) for name, (folder, label) in zip(names, runs)]


def read_lines(path):
    """All whole lines; one without its end is still being written."""
    lines = []
    for number, text in enumerate(common.read(path).split("\n")[:-1], 1):
        try:
            line = json.loads(text)
            {name: value is None or float(value) for name, value in line.items()}
            line["step"], line["seconds"]
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as problem:
            raise Wrong(f"{path}: line {number}: is no line of metrics: {type(problem).__name__} {problem}") from problem
        lines.append(line)
    if not lines:
        raise Wrong(f"{path}: has no lines yet")
    return lines


def read_curve(folder, args):
    path = os.path.join(folder, "metrics.jsonl")
    lines = read_lines(path)
    curve = [(float(line["step" if args.x == "steps" else "seconds"]), line[args.metric]) for line in lines if args.metric in line]
    if not curve:
        names = sorted({name for line in lines for name in line} - {"step", "seconds"})
        raise Wrong(f"{path}: has no metric '{args.metric}'; it has: {', '.join(names) or 'none'}")
    curve = [(x, y if y is not None and abs(y) <= LARGEST else math.nan) for x, y in curve]
    if all(math.isnan(y) for _, y in curve):
        raise Wrong(f"{path}: has no value of '{args.metric}' that can be drawn")
    return curve


def with_prefix(value):
    """1500000 as 1.5M."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:g}{prefix}"
    return f"{value:g}"


def step_tics(high):
    """Gnuplot's own numbers are either long or rounded: at most eight, 1, 2 or 5 times a power of ten apart."""
    distance = 10 ** math.floor(math.log10(high / 8))
    for factor in (2, 2.5, 2):
        if high / distance > 8:
            distance *= factor
    return ", ".join(f"'{with_prefix(i * distance)}' {i * distance}" for i in range(int(high / distance) + 1))


def script_of(runs, curves, args):
    """What gnuplot shall do."""
    high = max(1.0, *(x for curve in curves for x, _ in curve))
    unit, name = 1, "environment steps"
    if args.x == "seconds":
        unit, name = (3600, "hours") if high > 3 * 3600 else (60, "minutes") if high > 3 * 60 else (1, "seconds")
    script = common.chart_script(os.path.splitext(args.out)[1].lower()[1:], args.size)
    script += ["set format '%g'", f"set xlabel '{name}'", f"set xrange [0:{high / unit}]",
               f"set ylabel {common.gnuplot_quoted(args.metric.replace('_', ' '))}"]
    if args.x == "steps":
        script.append(f"set xtics ({step_tics(high)})")
    if args.title:  # a title of the plot would stand below the key
        script.append(f"set key title {common.gnuplot_quoted(args.title)} left font ',15'")
    values = [y for curve in curves for _, y in curve if not math.isnan(y)]
    factor = 1
    if args.metric.endswith(SHARES) and 0 <= min(values) and max(values) <= 1:
        factor = 100
        script += ["set yrange [0:102]", "set ytics 0, 20, 100", "set format y '%g%%'"]  # with room for a line along 100%
    plots = []
    for i, ((_, label), curve) in enumerate(zip(runs, curves)):
        script += [f"$run{i} << end_of_data", *(f"{x / unit} {y * factor}" for x, y in curve), "end_of_data"]
        style = "lines" if len(curve) > MANY_POINTS else "linespoints pointtype 7 pointsize 0.6"
        plots.append(f"$run{i} using 1:2 with {style} linewidth 2.5 dashtype {i // len(common.COLOURS) + 1} "
                     f"linecolor '{common.COLOURS[i % len(common.COLOURS)]}' title {common.gnuplot_quoted(label)}")
    return [*script, "plot " + ", ".join(plots)]


def main():
    args = parse_arguments()
    runs = labelled(args.runs)
    picture = common.draw(script_of(runs, [read_curve(folder, args) for folder, _ in runs], args))
    try:
        common.write(args.out, picture)
    except OSError as problem:
        raise Wrong(f"{args.out}: cannot be written: {problem.strerror}") from problem
    print(f"{args.out}: {args.metric} of {len(runs)} run{'s' if len(runs) > 1 else ''}")
    return 0


if __name__ == "__main__":
    common.run(main)
