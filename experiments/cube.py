#!/usr/bin/env python3
"""How many moves models need for a list of Rubik's cubes, against the states that they are asked about, beside what others published.

  experiments/cube.py --cubes FILE --out DIR              --help lists the options

1. Every model solves all cubes by every search in every width, by `conpole eval`; what has a record already is left out.
2. Table and curve are made of all records.

Whatever ends the program, the same command goes on. With --from only step 2 is done. The folder has

  data/MODEL-SEARCH-WIDTH.json   the records; the cubes themselves are not in them
  cube.md, cube.svg
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys

import common
from common import Wrong

# The 100 cubes of DeepCubeA's test: as states, and as the turns that they are published as.
HUNDRED_CUBES = ("724e18ab031cef61", "e9f89cd2d7193bdb")
OPTIMUM_OF_HUNDRED = 20.62

# Method, width, moves, states per cube in words and as a number (none where they cannot be compared), trained on.
PUBLISHED = [("ConPoLe, the paper", "", "39.4", "3M nodes", 3e6, "1e7 steps"),
             ("DeepCubeA", "", "21.35", "8.2M nodes", 8.2e6, "a day and more"),
             ("EfficientCube, beam", "1,024", "23.30", "21k", 21e3, "52e9 states"),
             ("EfficientCube, beam", "16,384", "21.97", "295k", 295e3, "52e9 states"),
             ("EfficientCube, beam", "65,536", "21.55", "1.10M", 1.1e6, "52e9 states"),
             ("EfficientCube, beam", "262,144", "21.26", "4.2M", 4.2e6, "52e9 states"),
             ("CayleyPy, value network of 4M weights, beam", "262,144", "21.14", "every neighbour", None,
              "8e9 states, 4.7 h of an A100"),
             ("JAxtar, Q-beam of 14.7M weights", "10,000", "21.73", "145k", 145e3, "21e9 states"),
             ("JAxtar, Q-beam of 14.7M weights", "262,144", "21.01", "3M", 3e6, "21e9 states")]

RANK = int(os.environ.get("RANK", os.environ.get("SLURM_PROCID", "0")))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_common_options(parser)
    parser.add_argument("--from", dest="records", help="only make table and curve of the records in this folder")
    parser.add_argument("--cubes", help="a file of cubes: a JSON list of texts, or one per line")
    parser.add_argument("--first", type=int, default=0, help="solve only this many cubes, from the beginning of the file")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FILE", help="a model to measure; by default the shipped one")
    parser.add_argument("--search", default="beam", help="beam, bwas or beam,bwas")
    parser.add_argument("--widths", help="of the beam, and how many states bwas expands per round; by default what takes minutes")
    parser.add_argument("--weight", type=float, default=1, help="of the steps so far in bwas")
    parser.add_argument("--max-expanded", type=int, default=10_000_000, help="the most states that bwas expands per cube")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    args = parser.parse_args()
    if not args.records and not args.cubes:
        raise Wrong("--cubes is needed, a file with a list of cubes, or --from")
    for search in args.search.split(","):
        if search not in ("beam", "bwas"):
            raise Wrong(f"--search: there is no '{search}'; there are: beam, bwas")
    usual = "64,256,1024,4096" + ("" if args.device == "cpu" else ",16384,65536,262144")
    for width in (args.widths or usual).split(","):
        if not width.isdigit() or int(width) < 1:
            raise Wrong(f"--widths must be whole numbers from 1, not '{width}'")
    args.widths = [int(width) for width in (args.widths or usual).split(",")]
    return args


# 1. The searches.

def content_id(pieces):
    """The same for the same bytes everywhere (Fowler, Noll and Vo)."""
    number = 0xCBF29CE484222325
    for piece in pieces:
        for byte in piece:
            number = (number ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{number:016x}"


def read_cubes(args):
    text = common.read(args.cubes)
    cubes = json.loads(text) if text.lstrip().startswith('["') or text.lstrip().startswith("[\n") else text.splitlines()
    cubes = [cube for cube in cubes if cube.strip()]
    return cubes[:args.first] if args.first else cubes


def models_of(args):
    models = {}
    for text in args.model or [f"shipped={os.path.join(common.SOURCE, 'models', 'rubiks-cube.safetensors')}"]:
        name, equals, path = text.partition("=")
        if not equals or not re.fullmatch(r"\w+", name):
            name, path = re.sub(r"\W", "_", os.path.splitext(os.path.basename(text))[0]), text
        if name in models:
            raise Wrong(f"--model: two models are called {name}")
        models[name] = path
    return models


def describe(name, path):
    """What is known of a model before it is used."""
    try:
        with open(path, "rb") as file:
            header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
            file.seek(-min(4096, os.path.getsize(path)), os.SEEK_END)
            end = file.read()
    except (OSError, ValueError, struct.error) as problem:
        raise Wrong(f"{path} cannot be read: {problem}") from problem
    known = header.pop("__metadata__")
    weights = 0
    for tensor in header.values():
        size = 1
        for length in tensor["shape"]:
            size *= length
        weights += size
    size_of = {key.removeprefix("conpole."): value for key, value in known.items()}
    network = known["conpole.kind"]
    if network == "residual":
        network = "{}-{}-{}, {} blocks".format(int(size_of["cells"]) * int(size_of["colours"]), size_of["wide"], size_of["hidden"],
                                               size_of["blocks"])
    seconds = 0
    metrics = os.path.join(os.path.dirname(path), "metrics.jsonl")  # a model in the folder of its run
    if os.path.exists(metrics):
        lines = common.read(metrics).splitlines()
        seconds = json.loads(lines[-1])["seconds"] if lines else 0
    return {"version": 1, "model": name, "model_id": content_id([json.dumps(known).encode(), end]), "network": network,
            "weights": weights, "agent": known.get("agent", ""), "trained_on": int(known.get("steps", 0)),
            "trained_seconds": round(seconds, 3)}


def measure(args, program, record, path, problems):
    """Adds what came of one search in one width. Of several ranks, which solve some of the cubes each, the first one is told."""
    arguments = ["eval", "rubiks-cube", "--problems", problems, "--model", path, "--search", record["search"], "--beam-value",
                 "log-probability", "--max-steps", "60", "--device", args.device, "--threads", str(args.threads), "--json"]
    if record["search"] == "beam":
        arguments += ["--beam", str(record["width"])]
    else:
        arguments += ["--batch", str(record["width"]), "--weight", str(args.weight), "--max-expanded", str(args.max_expanded)]
    output = common.run_logged([program, *arguments], os.path.join(args.out, f"eval-{RANK}.log"))
    if RANK != 0:
        return None
    report = json.loads(output)
    return {**record, "solved": report["solved"], "verified": report["verified"],
            "moves": round(report["mean_length"] * report["solved"]), "states": report["expanded"],
            "seconds": round(report["seconds"], 3), "longest": round(report["length_max"])}


def solve_all(args, program):
    cubes, data = read_cubes(args), os.path.join(args.out, "data")
    os.makedirs(data, exist_ok=True)
    problems = os.path.join(args.out, f"cubes-{RANK}.json")
    common.write(problems, json.dumps(cubes))
    cubes_id = content_id(cube.encode() + b"\n" for cube in cubes)
    for name, path in models_of(args).items():
        model = describe(name, path)
        for search in args.search.split(","):
            for width in args.widths:
                record = {**model, "search": search, "width": width, "step_weight": args.weight if search == "bwas" else 0,
                          "device": args.device, "cubes": len(cubes), "cubes_id": cubes_id}
                file = os.path.join(data, f"{name}-{search}-{width}.json")
                if os.path.exists(file):
                    before = json.loads(common.read(file))
                    for part, what in (("model_id", "another model of this name"), ("cubes_id", "other cubes"),
                                       ("step_weight", "another weight")):
                        if before[part] != record[part]:
                            raise Wrong(f"{file} is of {what}; choose another --out, or remove it")
                    continue
                print(f"{name}, {search} {width}", file=sys.stderr)
                record = measure(args, program, record, path, problems)
                if record is None:
                    continue
                common.write(file, common.format_record(record))
                if record["verified"] != record["solved"]:
                    raise Wrong(f"{file}: of {record['solved']} solutions only {record['verified']} could be verified")


# 2. The table.

def check(record):
    if record["version"] != 1:
        raise ValueError("it is of another version")
    if not record["verified"] <= record["solved"] <= record["cubes"]:
        raise ValueError("more is solved than there is")
    for name in ("model", "network", "weights", "agent", "trained_on", "trained_seconds", "search", "width", "step_weight", "device",
                 "cubes_id", "moves", "states", "seconds", "longest"):
        record[name]  # pylint: disable=pointless-statement


def read_records(folder):
    records = common.read_records(folder, check)
    if not records:
        raise Wrong(f"{folder} has no records of solved cubes")
    return sorted(records, key=lambda one: (one["weights"], one["model"], one["search"], one["step_weight"], one["width"], one["cubes_id"]))


def mean_moves(record):
    return record["moves"] / record["solved"] if record["solved"] else 0


def rounded(number):
    """4407.3 as 4.4k, 730791 as 731k, 2616386 as 2.62M."""
    if number < 1e3:
        return f"{number:.0f}"
    if number < 1e4:
        return f"{number / 1e3:.1f}k"
    return f"{number / 1e3:.0f}k" if number < 999.5e3 else f"{number / 1e6:.2f}M"


def trained_on(record):
    number = record["trained_on"]
    if not number:
        return ""
    amount = f"{number / 1e9:.1f}e9" if number >= 1e9 else rounded(number)
    seconds = f", {record['trained_seconds']:.0f} s" if record["trained_seconds"] > 0 else ""
    return f"{amount} {'states' if record['agent'] == 'walks' else 'steps'}{seconds}"


def method_of(record):
    weight = f" of weight {record['step_weight']:g}" if record["search"] == "bwas" and record["step_weight"] != 1 else ""
    return f"{record['model']}, {record['search']}{weight}"


def table_of(records):
    rows = [["method", "width", "moves", "longest", "states per cube", "seconds per cube", "solved", "trained on"]]
    rows += [[method, width, moves, "", states, "", "", trained] for method, width, moves, states, _, trained in PUBLISHED]
    notes = ("\nMoves are quarter turns. States are those that the network was asked about, or as the source counts them. Seconds are the\n"
             "program's own, without its start. Solved are those whose solution was replayed and verified.\n")
    lists, described = [], set()
    for one in records:
        processor = "GPU" if one["device"].startswith("cuda") else "CPU"
        rows.append([method_of(one), f"{one['width']:,}", f"{mean_moves(one):.2f}", str(one["longest"]),
                     rounded(one["states"] / one["cubes"]), f"{one['seconds'] / one['cubes']:.2f} {processor}",
                     f"{one['verified']} of {one['cubes']}", trained_on(one)])
        if one["model"] not in described:
            described.add(one["model"])
            notes += f"{one['model']}: {one['network']}; {one['weights'] / 1e6:.1f}M weights.\n"
        of_list = f"{one['cubes']} cubes (list {one['cubes_id']})"
        if one["cubes_id"] in HUNDRED_CUBES:
            of_list = f"the {one['cubes']} cubes of DeepCubeA's, whose optimum is {OPTIMUM_OF_HUNDRED} on average"
        if of_list not in lists:
            lists.append(of_list)
    notes += f"Measured here on {', '.join(lists)}.\nThe others' figures are theirs, on cubes of the same source.\n"
    return common.markdown_table(rows) + notes


def draw_curves(records):
    """Mean moves against states per cube, a curve for each model and search."""
    curves = {}
    for one in records:
        if one["solved"] and one["states"]:
            curves.setdefault(method_of(one), []).append((one["states"] / one["cubes"], mean_moves(one)))
    if not curves:
        raise Wrong("no record has a solved cube")
    ours, highest = len(curves), max(22.0, *(moves for points in curves.values() for _, moves in points))
    for method, _, moves, _, states, _ in PUBLISHED:
        if states and float(moves) <= highest + 1:  # what is far above all others would press them together
            curves.setdefault(method, []).append((states, float(moves)))
    script = [*common.chart_script("svg", "960,600"), "set logscale x 10",
              "set xtics ('1k' 1000, '10k' 10000, '100k' 100000, '1M' 1000000, '10M' 10000000)",
              "set xlabel 'states evaluated per cube'", "set ylabel 'mean quarter turns'"]
    all_states = [states for points in curves.values() for states, _ in points]
    script.append(f"set xrange [{min(all_states) / 1.5}:{max(all_states) * 1.5}]")
    if records[0]["cubes_id"] in HUNDRED_CUBES:
        best = OPTIMUM_OF_HUNDRED
        script += [f"set arrow from graph 0, first {best} to graph 1, first {best} nohead linecolor '#999999' dashtype 3",
                   f"set label 'optimum {best}' at graph 0.01, first {best} offset 0,0.6 textcolor '#666666'", f"set yrange [{best - 0.3}:]"]
    plots = []
    for i, (label, points) in enumerate(curves.items()):
        script += [f"$series{i} << end_of_data", *(f"{states} {moves}" for states, moves in sorted(points)), "end_of_data"]
        line = "pointtype 7 pointsize 0.8 linewidth 2.5 dashtype 1" if i < ours else "pointtype 6 pointsize 0.8 linewidth 1.5 dashtype 2"
        plots.append(f"$series{i} using 1:2 with linespoints {line} linecolor '{common.COLOURS[i % len(common.COLOURS)]}' "
                     f"title {common.gnuplot_quoted(label)}")
    return common.draw([*script, "plot " + ", ".join(plots)])


def main():
    args = parse_arguments()
    if not args.records:
        solve_all(args, common.find_program(args.program))
        if RANK != 0:
            return 0
    records = read_records(args.records or os.path.join(args.out, "data"))
    common.show_table(args, "cube", table_of(records))
    try:
        common.write(os.path.join(args.out, "cube.svg"), draw_curves(records))
    except Wrong as problem:
        print(f"cube.py: no curve was drawn: {problem}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    common.run(main)
