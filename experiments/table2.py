#!/usr/bin/env python3
"""The paper's Table 2: all agents in all its domains. Every run is one of `conpole train`, in a process of its own, several at a time.

  experiments/table2.py --out DIR                         --help lists the options

1. The runs are planned; those that have a record are left out.
2. Each is trained until it is done.
3. The model that it chose solves problems that nothing was chosen by, and the record is written.
4. Table and curves are made of all records.

Whatever ends the program, the same command goes on. With --from only step 4 is done. The folder has

  lock            held while a program works here
  runs/NAME       the folders of the runs
  logs/NAME.*     what their processes said
  data/NAME.json  the records
  table2.md, curves-DOMAIN.svg

Of several ranks (RANK and WORLD_SIZE, or Slurm) each takes every n-th run; --from makes the table once all have ended.
"""
import argparse
import fcntl
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import common
from common import Wrong

TEST_SEEDS = (0, 200)  # the paper's test problems
FRESH_SEEDS = (10_000, 11_000)  # others that nobody has chosen anything by

# The lines of the table: agent, variant and title, in the order of the paper, best first; then what is not learned.
AGENTS = [("conpole", "", "ConPoLe"), ("conpole-local", "", "ConPoLe-local"),
          ("cvi", "as-published", "CVI as published"), ("cvi", "repaired", "CVI repaired"),
          ("davi", "as-published", "DAVI as published"), ("davi", "repaired", "DAVI repaired"),
          ("adi", "as-published", "ADI as published"), ("adi", "repaired", "ADI repaired"),
          ("bc", "as-published", "BC as published"), ("bc", "repaired", "BC repaired"),
          ("drrn", "as-published", "DRRN as published"), ("drrn", "repaired", "DRRN repaired"),
          ("mathsteps", "", "MathSteps (rules)")]
RULES = "mathsteps"
LEARN_FROM_BEAMS = ("conpole", "conpole-local", "cvi")

# The paper's domains. Runs of up to this many steps take minutes on a GPU, also several at a time.
DOMAINS = {"sorting": 200_000, "ternary-addition": 5_000_000, "multiplication": 1_500_000, "fractions": 4_000_000,
           "equations": 10_000_000}
# The paper's success in percent, in the order of the domains.
PAPER = {"conpole": (100, 100, 99.5, 96.0, 92.5), "conpole-local": (100, 98.5, 99.5, 86.0, 76.5),
         "cvi": (77.0, 72.0, 100, 84.5, 89.0), "davi": (99.5, 54.0, 18.5, 57.5, 8.0), "adi": (91.0, 63.5, 9.5, 46.5, 5.5),
         "bc": (92.0, 64.5, 10.0, 52.5, 4.5), "drrn": (29.5, 40.0, 10.5, 20.0, 2.5), RULES: (None, None, None, 100, 76.0)}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common.add_common_options(parser, out="table2")
    trained = list(dict.fromkeys(agent for agent, _, _ in AGENTS if agent != RULES))
    parser.add_argument("--from", dest="records", help="only make table and curves of the records in this folder")
    parser.add_argument("--agents", default=",".join(trained), help="the agents to train (%(default)s)")
    parser.add_argument("--variants", default="as-published,repaired", help="of agents that have them (%(default)s)")
    parser.add_argument("--domains", default=",".join(DOMAINS), help="those of the paper, or any other (%(default)s)")
    parser.add_argument("--seeds", default="1", help="of the runs: 1,2,3 or FIRST:END without END")
    parser.add_argument("--steps", default="", help="environment steps of a run: N, or DOMAIN=N,DOMAIN=N")
    parser.add_argument("--templates", help="a file of equation shapes to use instead of the built-in ones: the authors' is "
                        "equations-ct.txt in https://github.com/gpoesia/socratic-tutor")
    parser.add_argument("--preset", choices=("paper", "built-in"), help="all agents as published, ten million steps each, with the "
                        "authors' templates or with the built-in ones")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of conpole train for all runs")
    parser.add_argument("--jobs", type=int, default=1, help="how many runs there are at a time")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long, to go on later")
    parser.add_argument("--plan", action="store_true", help="only say what would run, and how long it may take")
    args = parser.parse_args()
    if args.jobs < 1:
        raise Wrong("--jobs must be at least 1")
    for option, given, known in (("agents", args.agents, trained), ("variants", args.variants, ("as-published", "repaired"))):
        for name in given.split(","):
            if name not in known:
                raise Wrong(f"--{option}: there is no '{name}'; there are: {', '.join(known)}")
    if args.preset:
        args.steps = args.steps or "10000000"
        args.variants = "as-published"
        if args.preset == "paper" and not args.templates:
            raise Wrong("--preset paper needs the authors' templates, equations-ct.txt of https://github.com/gpoesia/socratic-tutor: "
                        "name them with --templates, or take --preset built-in")
    return args


# 1. The plan.

def whole(option, text):
    if not text.isdigit():
        raise Wrong(f"{option} must be a whole number, not '{text}'")
    return int(text)


def seeds_of(text):
    if ":" not in text:
        return [whole("--seeds", part) for part in text.split(",")]
    first, end = (whole("--seeds", part) for part in text.split(":", 1))
    return list(range(first, end))


def steps_for(domain, text):
    steps = DOMAINS.get(domain, DOMAINS["equations"])
    for part in filter(None, text.split(",")):
        name, _, number = part.rpartition("=")
        if name in ("", domain):
            steps = whole("--steps", number)
    return max(1, steps)


def usual_settings(agent, variant, on_gpu):
    """What all runs have in common: problems, depths and steps as in the paper. As published, agents bring their own."""
    settings = {"abstractions": "none"}
    # A processor gains nothing from large networks and batches.
    size = "embedding=64,hidden=128,layers=2" if on_gpu else "embedding=16,hidden=32,layers=1"
    settings["network"] = f"lstm:{size},spaces=read"
    if on_gpu and agent in LEARN_FROM_BEAMS:
        settings["gradient-steps"] = "0.6"
    if variant == "as-published":
        return settings
    settings.update({"curriculum": "short", "max-steps": "30"})
    if agent not in LEARN_FROM_BEAMS:
        settings.update({"gradient-steps": "0.25"} if on_gpu else {"batch": "32"})
    return settings


def name_of(record):
    return "-".join(part for part in (record["agent"], record["variant"], record["domain"], str(record["seed"])) if part)


def on_gpu(record):
    return record["device"].startswith("cuda")


def make_plan(args, program):
    settings = {}
    for setting in args.set:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Wrong(f"--set must be NAME=VALUE, not '{setting}'")
        settings[name] = value
    known = subprocess.run([program, "train", "--help-all"], capture_output=True, text=True, check=False).stdout
    own = ("domain", "agent", "variant", "device", "seed", "steps", "threads", "seconds", "checkpoint-minutes")
    for name in settings:
        if name in own or f"--{name} " not in known:
            raise Wrong(f"--set {name}: there is no such setting for all runs; some have an option, like --steps")
    plan = []
    for seed in seeds_of(args.seeds):
        for spec in args.domains.split(","):
            tried = subprocess.run([program, "generate", spec, "--seed", "0"], capture_output=True, text=True, check=False)
            if tried.returncode != 0:
                raise Wrong(f"--domains: {tried.stderr.strip()}")
            domain = spec.partition(":")[0]
            source = "" if spec == domain else spec
            if domain == "equations" and args.templates:
                source, spec = os.path.basename(args.templates), f"equations:templates={args.templates}"
            for agent, variant, _ in AGENTS:
                if agent not in args.agents.split(",") or (variant and variant not in args.variants.split(",")):
                    continue
                run = {"version": 1, "agent": agent, "variant": variant, "domain": domain, "source": source, "seed": seed,
                       "device": args.device}
                steps = steps_for(domain, args.steps)
                # An evaluation takes about a second on a GPU, and is where a run on a CPU can go on from.
                usual = {**usual_settings(agent, variant, on_gpu(run)), "eval-every": str(max(1, steps // (15 if on_gpu(run) else 25)))}
                plan.append({"record": {**run, "settings": {**usual, **settings}}, "spec": spec, "steps": steps})
    if not plan:
        raise Wrong("there is nothing to run: no agent is left, or no domain")
    return plan


class Estimate:
    """How long runs may take, from what was measured: by the runs that have the most in common with them."""

    def __init__(self, records):
        self.records = [record for record in records if record["steps"] and record["seconds"]]

    def seconds(self, record, steps):
        def likeness(other):
            return (on_gpu(other) == on_gpu(record), other["agent"] == record["agent"], other["variant"] == record["variant"],
                    other["domain"] == record["domain"])

        best = max(map(likeness, self.records), default=None)
        if best is None:
            return steps / 400
        return statistics.median(one["seconds"] / one["steps"] for one in self.records if likeness(one) == best) * steps


# 2. and 3. The runs.

def last_event(log, wanted):
    """The last whole line of a log that is an object of which `wanted` says yes; nothing if there is none."""
    for line in reversed(common.read(log).splitlines()):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and wanted(event):
            return event
    return {}


def place_among_ranks():
    """The number of this process, and how many there are; its children are on their own."""
    place = (0, 1)
    for rank, size in (("RANK", "WORLD_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")):
        if rank in os.environ and size in os.environ:
            place = (int(os.environ[rank]), int(os.environ.pop(size)))
            break
    return place


class Runs:
    def __init__(self, args, program, plan):
        self.args, self.program = args, program
        self.began = time.monotonic()
        self.jobs, self.failures, self.all_done = [], [], True
        self.rank, self.ranks = place_among_ranks()
        self.device = args.device
        if self.ranks > 1 and args.device == "cuda":
            self.device = f"cuda:{os.environ.get('LOCAL_RANK', os.environ.get('SLURM_LOCALID', '0'))}"
        self.threads = args.threads or max(1, (os.cpu_count() or 1) // args.jobs)
        measured = glob.glob(os.path.join(args.out, "data", "*.json")) + glob.glob(os.path.join(common.SOURCE, "docs/data/table2/*.json"))
        self.estimate = Estimate([json.loads(common.read(path)) for path in measured])
        own = plan[self.rank::self.ranks]
        self.planned = len(own)
        self.waiting = [run for run in own if not self.is_recorded(run)]
        # One seed after the other, and the longest first, so that none is left over in the end.
        self.waiting.sort(key=lambda run: (run["record"]["seed"], -self.estimate.seconds(run["record"], run["steps"])))

    def path(self, folder, run, ending=""):
        return os.path.join(self.args.out, folder, name_of(run["record"]) + ending)

    def is_recorded(self, run):
        path = self.path("data", run, ".json")
        if not os.path.exists(path):
            return False
        record = json.loads(common.read(path))
        before, now = ({**one["settings"], "eval-every": ""} for one in (record, run["record"]))  # it goes with the steps
        if before != now or record["source"] != run["record"]["source"]:
            raise Wrong(f"{path} is of a run with other settings; choose another --out, or remove it and its run")
        return record["done"] and record["steps"] >= run["steps"]

    def seconds_left(self):
        each = [self.estimate.seconds(run["record"], run["steps"]) for run in self.waiting]
        each += [max(0, self.estimate.seconds(job["run"]["record"], job["run"]["steps"]) - (time.monotonic() - job["began"]))
                 for job in self.jobs]
        return max(max(each, default=0), sum(each) / self.args.jobs)

    def time_is_up(self):
        """Testing what there is takes some time, too."""
        seconds = self.args.seconds
        return time.monotonic() - self.began > seconds - min(0.1 * seconds, 45)

    def run(self):
        for folder in ("runs", "logs", "data"):
            os.makedirs(os.path.join(self.args.out, folder), exist_ok=True)
        shown = 0.0
        try:
            while self.waiting or self.jobs:
                if self.time_is_up():
                    self.stop_training()
                elif self.waiting and len(self.jobs) < self.args.jobs:
                    self.start_training(self.waiting.pop(0))
                for job in [job for job in self.jobs if job["child"].poll() is not None]:
                    self.jobs.remove(job)
                    self.end(job)
                if time.monotonic() - shown > 10:
                    shown = time.monotonic()
                    running = ", ".join(name_of(job["run"]["record"]) for job in self.jobs)
                    print(f"{len(self.waiting)} waiting, about {common.in_words(self.seconds_left())} left | {running}", file=sys.stderr)
                time.sleep(0.02)
        except KeyboardInterrupt:
            self.stop_training()
            deadline = time.monotonic() + 60
            for job in self.jobs:
                try:
                    job["child"].wait(max(0, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    job["child"].kill()
            raise
        for failure in self.failures:
            print(f"table2.py: {failure}", file=sys.stderr)
        return self.all_done and not self.failures

    def start(self, job, arguments):
        job["log"] = self.path("logs", job["run"], f".{arguments[0]}")
        job["child"] = common.start([self.program, *arguments], job["log"])
        self.jobs.append(job)

    def start_training(self, run):
        folder, record = self.path("runs", run), run["record"]
        # Of a run that is done no checkpoint is left: one of more steps begins anew, since its learning rate falls otherwise.
        if os.path.isdir(folder) and not glob.glob(os.path.join(folder, "checkpoint-*")):
            shutil.rmtree(folder)
        arguments = ["train", "--json", "--resume", "--out", folder, "--domain", run["spec"], "--agent", record["agent"], "--device",
                     self.device, "--seed", str(record["seed"]), "--steps", str(run["steps"]), "--threads", str(self.threads)]
        # On a processor a run goes on as if it had never been stopped. On a GPU no two are equal anyway, and checkpoints are large.
        if not on_gpu(record):
            arguments += ["--checkpoint-minutes", "0"]
        if record["variant"]:
            arguments += ["--variant", record["variant"]]
        for name, value in record["settings"].items():
            arguments += [f"--{name}", value]
        self.start({"run": run, "began": time.monotonic(), "asked_to_end": False, "is_training": True}, arguments)

    def start_test(self, job, seeds):
        models = [os.path.join(self.path("runs", job["run"]), name) for name in ("best.safetensors", "last.safetensors")]
        model = next(filter(os.path.exists, models), None)
        if model is None:
            return
        record = job["run"]["record"]
        published = record["variant"] == "as-published" and record["agent"] != "cvi"
        steps = record["settings"].get("max-steps", "29" if published else "30")
        job["is_training"] = False
        self.start(job, ["eval", job["run"]["spec"], "--model", model, "--search", "greedy", "--max-steps", steps, "--seeds",
                         f"{seeds[0]}:{seeds[1]}", "--device", self.device, "--threads", str(self.threads), "--json"])

    def end(self, job):
        name, status = name_of(job["run"]["record"]), job["child"].returncode
        if job["is_training"]:
            # One that was asked to end before it could listen was ended by that.
            if status not in (0, common.INTERRUPTED) and not job["asked_to_end"]:
                self.failures.append(f"{name}: {common.last_words(job['log'])}")
                return
            job["end"] = last_event(job["log"], lambda event: event.get("event") == "end")
            job["done"] = status == 0 and job["end"].get("done", False)
            self.all_done &= job["done"]
            self.start_test(job, FRESH_SEEDS)
            return
        report = last_event(job["log"], lambda event: "solved" in event)
        if status != 0 or not report:
            self.failures.append(f"{name} was not tested: {common.last_words(job['log'])}")
            return
        score = {part: report[part] for part in ("problems", "solved", "wrong")}
        if "fresh" in job:
            job["test"] = score
        else:
            job["fresh"] = score
            # A run that learned nothing was not evaluated while it did.
            if not self.evaluations(job["run"]):
                self.start_test(job, TEST_SEEDS)
                return
        self.keep(job)

    def evaluations(self, run):
        lines = [json.loads(line) for line in common.read(os.path.join(self.path("runs", run), "metrics.jsonl")).splitlines()]
        return [line for line in lines if line.get("eval_success") is not None and line.get("validation_success") is not None]

    def keep(self, job):
        run, problems = job["run"], TEST_SEEDS[1] - TEST_SEEDS[0]
        evaluations, test, best = [], job.get("test"), -1.0
        for line in self.evaluations(run):
            evaluations.append([line["step"], round(line["eval_success"], 6), round(line["validation_success"], 6)])
            # As training chooses: the last of the best, less what is wrong.
            good = line["validation_success"] - (line.get("validation_wrong") or 0)
            if good >= best:
                best = good
                test = {"problems": problems, "solved": round(line["eval_success"] * problems),
                        "wrong": round((line.get("eval_wrong") or 0) * problems)}
        end, first = job["end"], dict(run["record"])
        settings = first.pop("settings")
        record = {**first, "steps": end.get("step", 0), "done": job["done"], "seconds": round(end.get("seconds", 0.0), 3),
                  "settings": settings, "test": test, "fresh": job["fresh"], "evaluations": evaluations, "jobs": self.args.jobs}
        common.write(self.path("data", run, ".json"), common.format_record(record))
        self.estimate = Estimate([*self.estimate.records, record])
        if job["done"]:
            # They take far more room than all the rest.
            for path in glob.glob(os.path.join(self.path("runs", run), "checkpoint-*")):
                os.remove(path)

    def stop_training(self):
        self.all_done &= not self.waiting
        self.waiting = []
        for job in self.jobs:
            # Once: a second request would end it on the spot.
            if job["is_training"] and not job["asked_to_end"]:
                job["asked_to_end"] = True
                job["child"].terminate()


# 4. The table.

def check(record):
    if record["version"] != 1:
        raise ValueError("it is of another version of conpole")
    for score in (record["test"], record["fresh"]):
        if score and not score["wrong"] <= score["solved"] <= score["problems"]:
            raise ValueError("more is solved than there is")
    for name in ("agent", "variant", "domain", "source", "seed", "device", "steps", "done", "seconds", "settings", "evaluations"):
        record[name]  # pylint: disable=pointless-statement


def read_records(folder):
    records = common.read_records(folder, check)
    if not records:
        raise Wrong(f"{folder} has no records of runs")
    lines, domains = [(agent, variant) for agent, variant, _ in AGENTS], [*DOMAINS]
    return sorted(records, key=lambda record: (lines.index((record["agent"], record["variant"])),
                                               domains.index(record["domain"]) if record["domain"] in domains else len(domains),
                                               record["domain"], record["seed"]))


def share_of(score):
    return score["solved"] / score["problems"] if score and score["problems"] else None


def test_of(record):
    """As in the paper: the best of all evaluations counts. What was evaluated once only counts as that."""
    return max((evaluation[1] for evaluation in record["evaluations"]), default=share_of(record["test"]))


def measures(runs, measure):
    return [value for value in map(measure, runs) if value is not None]


def percent(share):
    return f"{100 * share:.1f}"


def steps_in_words(runs):
    if not runs or not runs[0]["steps"]:
        return ""
    fewest = min(run["steps"] for run in runs)
    text = f"{fewest / 1e6:.1f}M" if fewest >= 1_000_000 else f"{fewest / 1e3:.0f}k"
    return (f"{len(runs)} x " if len(runs) > 1 else "") + text + ("" if all(run["done"] for run in runs) else " *")


def rows_of(agent, variant, title, domains, records):
    """The rows of an agent; none if it has no run."""
    rows = [[title, "the paper"], ["", "{}..{}".format(TEST_SEEDS[0], TEST_SEEDS[1] - 1)],
            ["", "{}..{}".format(FRESH_SEEDS[0], FRESH_SEEDS[1] - 1)], ["", "range over runs"], ["", "steps"]]
    paper, test, fresh, spread, steps = rows
    has_any = False
    for domain in domains:
        runs = [one for one in records if (one["agent"], one["variant"], one["domain"]) == (agent, variant, domain)]
        has_any |= bool(runs)
        known = PAPER[agent][[*DOMAINS].index(domain)] if domain in DOMAINS else None
        paper.append("" if known is None else f"{known:.1f}")
        on_test, on_fresh = measures(runs, test_of), measures(runs, lambda run: share_of(run["fresh"]))
        mean = percent(statistics.fmean(on_test)) if on_test else ""
        test.append(f"{percent(max(on_test))}, mean {mean}" if on_test and len(runs) > 1 else mean)
        scores = [run["fresh"] for run in runs if run["fresh"]]
        if scores:
            low, high = common.wilson(sum(score["solved"] for score in scores), sum(score["problems"] for score in scores))
            fresh.append(f"{percent(statistics.fmean(on_fresh))} ({percent(low)} to {percent(high)})")
        else:
            fresh.append("")
        widest = on_fresh or on_test
        spread.append(f"{percent(min(widest))} to {percent(max(widest))}" if len(runs) > 1 and widest else "")
        steps.append(steps_in_words(runs))
    return [row for row in rows if row[0] or any(row[2:])] if has_any else []


def table_of(records):
    present = {record["domain"]: None for record in records}
    domains = [*filter(present.__contains__, DOMAINS), *(domain for domain in present if domain not in DOMAINS)]
    rows = [["agent", "", *domains]]
    for agent, variant, title in AGENTS:
        rows += rows_of(agent, variant, title, domains, records)
    notes = (f"\nGreedy success in percent. Row {TEST_SEEDS[0]}..{TEST_SEEDS[1] - 1}: the best of all evaluations, as in the paper; of "
             f"several runs that of the best one and the\nmean of all. Row {FRESH_SEEDS[0]}..{FRESH_SEEDS[1] - 1}: the models that did "
             "best on the validation problems (seeds 200..399), the mean of the runs with the\n95% interval (Wilson).")
    if any(record["steps"] and not record["done"] for record in records):
        notes += " A star marks runs that were\nstopped before all their steps were done."
    return common.markdown_table(rows) + notes + "\n"


def success_at(evaluations, step):
    """Between two evaluations along a line; nothing after the last."""
    for before, after in zip([None, *evaluations], evaluations):
        if after[0] >= step:
            if before is None or after[0] == step:
                return after[1]
            return before[1] + (step - before[0]) / (after[0] - before[0]) * (after[1] - before[1])
    return None


def draw_curves(args, program, records):
    """Success on the test problems against steps, per domain: a curve for each agent, the mean over its runs."""
    for domain in {record["domain"]: None for record in records}:
        with tempfile.TemporaryDirectory() as scratch:
            curves = []
            for agent, variant, title in AGENTS:
                runs = [one["evaluations"] for one in records
                        if (one["agent"], one["variant"], one["domain"]) == (agent, variant, domain) and one["evaluations"]]
                if not runs:
                    continue
                folder = os.path.join(scratch, str(len(curves)))
                os.mkdir(folder)
                lines = ""
                # At the evaluations of the run that came furthest.
                for step, _, _ in max(runs, key=len):
                    values = [value for value in (success_at(run, step) for run in runs) if value is not None]
                    lines += json.dumps({"step": step, "seconds": 0, "eval_success": statistics.fmean(values)}) + "\n"
                common.write(os.path.join(folder, "metrics.jsonl"), lines)
                curves.append(f"{folder}={title}")
            if not curves:
                continue
            picture = os.path.join(args.out, f"curves-{domain}.svg")
            drawn = subprocess.run([program, "plot", *curves, "--title", domain, "--out", picture], capture_output=True, text=True,
                                   check=False)
            if drawn.returncode != 0:
                print(f"table2.py: no curves were drawn: {drawn.stderr.strip()}", file=sys.stderr)
                return


def write_table(args, program, records):
    common.show_table(args, "table2", table_of(records))
    draw_curves(args, program, records)


def main():
    args = parse_arguments()
    program = common.find_program(args.program)
    if args.records:
        write_table(args, program, read_records(args.records))
        return 0
    plan = make_plan(args, program)
    runs = Runs(args, program, plan)
    print(f"{runs.planned} runs, {runs.planned - len(runs.waiting)} of them done; about {common.in_words(runs.seconds_left())} left with "
          f"{args.jobs} at a time", file=sys.stderr)
    if args.plan:
        for run in runs.waiting:
            print(f"{name_of(run['record']):<44}{run['steps']:>12} steps{common.in_words(runs.estimate.seconds(run['record'], run['steps'])):>10}")
        return 0
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, f"lock-{runs.rank}" if runs.ranks > 1 else "lock"), "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            raise Wrong(f"{args.out} is in use: another program works there") from problem
        is_done = runs.run()
        if runs.rank == 0 and glob.glob(os.path.join(args.out, "data", "*.json")):
            write_table(args, program, read_records(os.path.join(args.out, "data")))
    if not is_done:
        print("not done yet; the same command goes on", file=sys.stderr)
    return 1 if runs.failures else 0


if __name__ == "__main__":
    common.run(main)
