#!/usr/bin/env python3
"""The table of docs/training.md: what `conpole train DOMAIN --seconds N` and nothing else comes to, beside the shipped models.

  scripts/recipe_table.py --budget 560          --help lists the options
  scripts/recipe_table.py --together --steps 300000 --domains equations fractions multiplication ternary-addition algebra sorting

With --together one network learns all domains besides, in as many steps as all the others have together.

1. Builds the program, with the LibTorch of this python3 if it has one, unless --program names one that is built.
2. Trains all domains at the same time on one device, and in --gallery-lanes more processes files of the gallery
   (scripts/gallery_table.py). Some domains need less than the whole time; see DOMAINS.
3. Of each run the model that is best by validation, and the shipped one, solve the test problems: greedily, greedily by
   axioms alone, by beam search, and greedily those that no training seed generates. This is done once; nothing is chosen by it.

All ends within the budget. OUT/table.md and OUT/results.json are written anew whenever something ended; OUT/models-N.tar has
the models and OUT/logs.tar.gz the logs and curves, also of what failed or was cut short."""
import argparse
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time

# What is trained: a name, the domain, and the part of the time that it gets.
DOMAINS = [("equations", "equations", 1), ("equations-hard", "equations:source=hard", 1), ("fractions", "fractions", 1),
           ("multiplication", "multiplication", 0.8), ("ternary-addition", "ternary-addition", 0.7),
           ("algebra", "algebra", 0.4), ("sorting", "sorting", 0.25)]
# What is tested: the domain's problems, the runs that are, the shipped model, and more options.
TESTS = {spec: (spec, [name], name, []) for name, spec, _ in DOMAINS}
TESTS["equations"] = ("equations", ["equations", "equations-hard"], "equations", [])
TESTS["equations:source=hard"] = ("equations:source=hard", ["equations-hard", "equations"], "equations",
                                  ["--max-steps", "60", "--max-axioms", "60"])
WAYS = {"unseen": ["--search", "greedy", "--unseen-by"], "greedy": ["--search", "greedy"],
        "beam": ["--search", "beam"], "axioms": ["--search", "greedy", "--abstractions", "none"]}
TEMPLATES = "authors' templates"
TAR_BYTES = 15 << 20  # of the models in one file

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--out", default=os.environ.get("OUT") or "runs/recipe-table", help="a folder ($OUT, or runs/recipe-table)")
parser.add_argument("--work", default="runs/recipe-work", help="a new folder for the runs (runs/recipe-work)")
parser.add_argument("--budget", type=float, default=560, help="seconds for all (560)")
parser.add_argument("--reserve", type=float, default=95, help="seconds of it after the trainings, for tests (95)")
parser.add_argument("--most", type=float, default=1e9, help="seconds of training at most")
parser.add_argument("--program", help="conpole, built with LibTorch; without it build/conpole is built")
parser.add_argument("--steps", type=int, help="of each training, in place of all the time that there is")
parser.add_argument("--together", action="store_true", help="train one network for all of them, too; with --steps")
parser.add_argument("--no-shipped", action="store_true", help="leave the shipped models out")
parser.add_argument("--domains", nargs="*", default=[name for name, _, _ in DOMAINS], help="of those that there are")
parser.add_argument("--gallery", nargs="*", default=[], help="domain files to train, too")
parser.add_argument("--gallery-seconds", type=float, default=60, help="of each of these (60)")
parser.add_argument("--gallery-lanes", type=int, default=2, help="how many of these at a time (2)")
parser.add_argument("--templates", help="the authors' file of equation shapes, for a test of its own")
parser.add_argument("--tests", default="30000:31000", metavar="FIRST:END", help="seeds of the test problems (30000:31000)")
parser.add_argument("--unseen-by", default="1000000:10000000", metavar="FIRST:END",
                    help="all seeds of training (1000000:10000000)")
parser.add_argument("--device", help="cuda or cpu; by default a GPU if there is one")
parser.add_argument("--threads", type=int, default=2, help="of each training (2)")
parser.add_argument("--test-jobs", type=int, default=8, help="tests at a time, when the trainings are over (8)")
parser.add_argument("--seed", default="1", help="of the trainings (1)")
args = parser.parse_args()
TOGETHER = "together"
if args.together:
    if not args.steps:
        parser.error("--together compares runs of --steps")
    for name, spec, _ in DOMAINS:
        if name in args.domains:
            TESTS[spec][1].append(TOGETHER)
if args.templates:
    TESTS[TEMPLATES] = (f"equations:templates={args.templates}", ["equations-hard", "equations"], "equations", [])
began = time.time()
deadline = began + args.budget - 12  # what is left then is for packing
lock = threading.RLock()
training_over = threading.Event()
started = set()  # processes
runs = {}  # by name
results = {}  # by test and model: by way
program = os.path.abspath(args.program or "build/conpole")
device = args.device or ("cuda" if shutil.which("nvidia-smi") else "cpu")
environment = dict(os.environ)


def say(text):
    print(f"{time.time() - began:5.0f} s  {text}", flush=True)


def run(command, log, until=deadline):
    """The exit status; what is not done at the time `until` is interrupted, and killed if it does not end then."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment)
        with lock:
            started.add(process)
        try:
            return process.wait(max(1, until - time.time()))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        try:
            return process.wait(8)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def last_line(path):
    try:
        with open(path, errors="replace") as lines:
            return (lines.read().strip().splitlines() or [""])[-1][:200]
    except OSError:
        return ""


def log_of(name):
    return os.path.join(args.work, "logs", re.sub("[^A-Za-z0-9]+", "-", name))


def build():
    torch = subprocess.run([sys.executable, "-c", "import torch; print(torch.utils.cmake_prefix_path)"], text=True,
                           capture_output=True)
    configure = ["cmake", "--preset", "release", "-DCONPOLE_BUILD_TESTS=OFF", "-DCONPOLE_BUILD_BENCHMARKS=OFF",
                 "-DCONPOLE_LEAVE_OUT=serve", "-DCONPOLE_TORCH=ON", "-DCONPOLE_WERROR=OFF"]
    if torch.returncode == 0:
        configure.append("-DCMAKE_PREFIX_PATH=" + torch.stdout.strip())
    log = log_of("build")
    ended = threading.Event()

    def progress():
        while not ended.wait(15):
            say("build: " + last_line(log))

    threading.Thread(target=progress, daemon=True).start()
    for command in (configure, ["ninja", "-C", "build", "conpole"]):
        if run(command, log) != 0:
            with open(log, errors="replace") as lines:
                print(lines.read()[-6000:], flush=True)
            ended.set()
            return False
    ended.set()
    return True


def works():
    """Whether a shipped model answers on the device."""
    log = log_of("check")
    command = [program, *"eval sorting --seeds 0:4 --search greedy --model models/sorting.safetensors --device".split(), device]
    status = run(command, log, min(deadline, time.time() + 45))
    if status != 0:
        say(f"the check on {device} ended with {status}: {last_line(log)}")
    return status == 0


def share_gpu():
    """Lets several processes use the GPU side by side, if NVIDIA's MPS is there and works; otherwise they take turns."""
    if device == "cpu" or not shutil.which("nvidia-cuda-mps-control"):
        return works()
    for name in ("PIPE", "LOG"):
        place = os.path.join("/tmp", f"conpole-mps-{os.getpid()}-{name.lower()}")
        os.makedirs(place, exist_ok=True)
        environment[f"CUDA_MPS_{name}_DIRECTORY"] = place
    # The daemon would hold on to a pipe that it is given.
    subprocess.run(["nvidia-cuda-mps-control", "-d"], env=environment, timeout=20, check=False, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if works():
        say("MPS is on")
        return True
    end_sharing()
    for name in ("PIPE", "LOG"):
        del environment[f"CUDA_MPS_{name}_DIRECTORY"]
    say("MPS does not work here; the processes take turns")
    return works()


def end_sharing():
    if "CUDA_MPS_PIPE_DIRECTORY" in environment:
        try:
            subprocess.run(["nvidia-cuda-mps-control"], input="quit\n", text=True, env=environment, timeout=5, check=False,
                           capture_output=True)
        except (OSError, subprocess.TimeoutExpired):
            pass


def curve(folder, domain=""):
    """What the metrics of a run say: how long, how far, and when validation was first at 90%; or what they say of one of its domains."""
    of = "/" + domain if domain else ""
    success, steps = "validation_success" + of, "steps" + of if domain else "step"
    try:
        with open(os.path.join(folder, "metrics.jsonl")) as source:
            lines = [json.loads(line) for line in source if line.endswith("}\n")]
    except OSError:
        return {}
    tested = [line for line in lines if line.get(success) is not None]
    if not tested:
        return {}
    best = max(tested, key=lambda line: (line[success], line["step"]))
    at = next((line for line in tested if line[success] >= 0.9), {})
    return {"seconds": lines[-1]["seconds"], "steps": lines[-1][steps], "gradient_steps": lines[-1].get("gradient_steps"),
            "seconds_to_90": at.get("seconds"), "steps_to_90": at.get(steps), "best_validation": best[success],
            "best_after": best["seconds"], "validation_axioms": best.get("validation_axioms_success" + of)}


def model_of(name):
    return os.path.join(args.work, "runs", name, "best.safetensors")


def train(name, spec, seconds, until):
    folder = os.path.join(args.work, "runs", name)
    log = log_of("train-" + name)
    steps = (args.steps or 0) * (len(args.domains) if name == TOGETHER else 1)
    length = ["--steps", str(steps)] if steps else ["--seconds", f"{seconds:.0f}"]
    threads = 2 * args.threads if name == TOGETHER else args.threads
    command = [program, "train", spec, *length, "--out", folder, "--seed", args.seed, "--threads", str(threads)]
    if args.device:
        command += ["--device", args.device]
    say(f"{name}: training for {f'{steps} steps' if steps else f'{seconds:.0f} s'} begins")
    status = run(command, log, until)
    with lock:
        runs[name] = {"status": status, "asked_seconds": round(seconds), **curve(folder)}
        if name == TOGETHER:
            runs[name]["domains"] = {one: curve(folder, one) for one in spec.split(" + ")}
    say(f"{name}: ended with {status}: {last_line(log)}")
    write_table()
    for test, (_, names, _, _) in TESTS.items():
        if name in names and os.path.exists(model_of(name)):
            plan(new_tests, test, name)


def plan(tests, test, model):
    for way in WAYS:
        if way != "unseen" or test != TEMPLATES:  # no run trains on these
            tests.put((test, model, way))


def solve_tests(test, model, way):
    spec, _, _, options = TESTS[test]
    if way == "axioms" and results.get(test, {}).get(model, {}).get("greedy", {}).get("abstractions") == "axioms alone":
        return  # that is what greedy search has done
    file = f"models/{model[8:]}.safetensors" if model.startswith("shipped ") else model_of(model)
    log = log_of(f"test-{test}-{model}-{way}")
    command = [program, "eval", spec, "--model", file, "--seeds", args.tests, "--json", "--device", device, *options,
               "--threads", "4" if way == "unseen" else "1", *WAYS[way], *([args.unseen_by] if way == "unseen" else [])]
    before = time.time()
    status = run(command, log)
    try:
        with open(log) as lines:
            found = next(json.loads(line) for line in lines if line.startswith("{"))
    except (OSError, StopIteration, ValueError):
        return say(f"{test}, {model}, {way}: ended with {status}: {last_line(log)}")
    if not found["interrupted"]:
        with lock:
            results.setdefault(test, {}).setdefault(model, {})[way] = found
        say(f"{test}, {model}, {way}: {100 * found['success_rate']:.1f}% of {found['problems']} ({time.time() - before:.0f} s)")
        write_table()


def work_on_tests(own):
    """Until all is tested: from `own`, and when the trainings are over from the other queue, too."""
    while time.time() < deadline - 3:
        for tests in [own, new_tests, old_tests] if training_over.is_set() else [own]:
            try:
                task = tests.get_nowait()
            except queue.Empty:
                continue
            try:
                solve_tests(*task)
            except Exception as error:  # one test less
                say(f"{task}: {error}")
            break
        else:
            if training_over.is_set():
                return
            time.sleep(0.3)


def percent(found, name="success_rate"):
    return "-" if not found or found.get(name) is None else f"{100 * found[name]:.1f}"


def table():
    heads = ["test problems", "model", "seconds", "million steps", "90% by validation after, s", "after million steps",
             "best validation, %", "greedy, %", "verified of the solvable, %", "by axioms alone, %", "beam, %",
             "not seen in training, %", "steps", "axioms"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for test, (_, names, shipped, _) in TESTS.items():
        for model in [*names, "shipped " + shipped]:
            of, ways = runs.get(model, {}), dict(results.get(test, {}).get(model, {}))
            of = of.get("domains", {}).get(test, of)
            if ways.get("greedy", {}).get("abstractions") == "axioms alone":
                ways["axioms"] = ways["greedy"]
            if not of and not ways:
                continue
            greedy, unseen = ways.get("greedy", {}), ways.get("unseen")
            new = "-" if not unseen else f"{percent(unseen)} of {unseen['problems']}"
            early = of.get("seconds_to_90")
            cells = [test, model, f"{of['seconds']:.0f}" if "seconds" in of else "-",
                     f"{of['steps'] / 1e6:.2f}" if "steps" in of else "-", f"{early:.0f}" if early else "-",
                     f"{of['steps_to_90'] / 1e6:.2f}" if early else "-", percent(of, "best_validation"), percent(greedy), percent(greedy, "verified_of_solvable"),
                     percent(ways.get("axioms")), percent(ways.get("beam")), new,
                     f"{greedy['mean_length']:.2f}" if greedy else "-",
                     f"{greedy['mean_axioms']:.2f}" if "mean_axioms" in greedy else "-"]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_table():
    with lock:
        found = json.dumps({"tests": args.tests, "runs": runs, "results": results}, indent=1)
        for name, text in (("table.md", table()), ("results.json", found)):
            with open(os.path.join(args.out, name), "w") as output:
                output.write(text)


def is_large(name):
    return name.startswith(("checkpoint-", "events.out")) or name.endswith(".safetensors")


def pack():
    with lock:
        files = [(model_of(name), name) for name in [*(name for name, _, _ in DOMAINS), TOGETHER]]
        gallery = os.path.join(args.work, "gallery", "models")
        if os.path.isdir(gallery):
            files += [(os.path.join(gallery, file), "gallery-" + file.removesuffix(".safetensors"))
                      for file in sorted(os.listdir(gallery))]
        files = [(path, name) for path, name in files if os.path.exists(path)]
        number = 0
        while files:
            number += 1
            size = 0
            with tarfile.open(os.path.join(args.out, f"models-{number}.tar"), "w") as archive:
                while files and (size == 0 or size + os.path.getsize(files[0][0]) <= TAR_BYTES):
                    path, name = files.pop(0)
                    archive.add(path, name + ".safetensors")
                    size += os.path.getsize(path) + 1024
        with tarfile.open(os.path.join(args.out, "logs.tar.gz"), "w:gz", compresslevel=3) as archive:
            archive.add(args.work, "recipe", filter=lambda entry: None if is_large(os.path.basename(entry.name)) else entry)


def finish(status):
    training_over.set()
    write_table()
    pack()
    with lock:
        for process in started:
            if process.poll() is None:
                process.kill()
    end_sharing()
    print("\n" + table(), flush=True)
    gallery = os.path.join(args.work, "gallery", "table.md")
    if os.path.exists(gallery):
        with open(gallery) as lines:
            print(lines.read(), flush=True)
    say("done")
    os._exit(status)  # whatever still waits


def work():
    if not args.program and not build():
        return 1
    say("built")
    if not share_gpu():
        return 1
    end = min(began + args.budget - args.reserve, time.time() + args.most + 12)  # 12 s to start in
    window = end - time.time() - 12
    if window < 5:
        say("no time is left to train")
        return 1
    trainings = [training for training in DOMAINS if training[0] in args.domains]
    if args.together:
        trainings.insert(0, (TOGETHER, " + ".join(spec for _, spec, _ in trainings), 1))
    threads = [threading.Thread(target=train, args=(name, spec, max(5, window * part), end + 8), daemon=True)
               for name, spec, part in trainings]
    if args.gallery:
        seconds = min(args.gallery_seconds, window - 40)
        first = int(args.tests.split(":")[0])
        command = [sys.executable, os.path.join(os.path.dirname(__file__), "gallery_table.py"), program,
                   os.path.join(args.work, "gallery"), *args.gallery, "--seconds", f"{seconds:.0f}", "--edges", "0",
                   "--parallel", str(args.gallery_lanes), "--threads", str(args.threads), "--tests", f"{first}:{first + 200}",
                   "--budget", f"{end - time.time():.0f}"]
        threads.append(threading.Thread(target=run, args=(command, log_of("gallery"), end + 8), daemon=True))
    for test, (_, names, shipped, _) in TESTS.items():
        if set(names) & set(args.domains) and not args.no_shipped:
            plan(old_tests, test, "shipped " + shipped)
    testers = [threading.Thread(target=work_on_tests, args=(old_tests if i == 0 else new_tests,), daemon=True)
               for i in range(args.test_jobs)]
    for thread in testers + threads:
        thread.start()
    for thread in threads:
        thread.join()
    training_over.set()
    say("all trainings are over")
    pack()
    for thread in testers:
        thread.join()
    return 0


new_tests, old_tests = queue.Queue(), queue.Queue()
for folder in (args.out, os.path.join(args.work, "logs"), os.path.join(args.work, "runs")):
    os.makedirs(folder, exist_ok=True)
signal.signal(signal.SIGTERM, lambda *_: finish(143))
status = [1]
worker = threading.Thread(target=lambda: status.__setitem__(0, work()), daemon=True)
worker.start()
worker.join(max(1, deadline - time.time()))
if worker.is_alive():
    say("time is up")
finish(status[0])
