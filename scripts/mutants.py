#!/usr/bin/env python3
"""Do the tests notice? Builds the project with one small fault at a time and runs the tests that should fail for it.

    scripts/mutants.py                       all faults of scripts/mutants.toml
    scripts/mutants.py beam-margin pca-sign  some of them, by name
    scripts/mutants.py --part 0:15           the first fifteen; with a --folder of its own for each part, several can run at once
    scripts/mutants.py --list                what there is
    scripts/mutants.py --check               only whether each fault still is about a line of these files, and its tests exist

A fault is killed if a test fails, crashes or does not end; it survives if all tests pass. The last commit is tested, in a work
tree of its own (build-mutants/tree), so that the files here are never touched; changes that are not committed do not count.
First the tests run without any fault, and all of them must pass.

Ends with 1 if fewer faults are killed than --at-least says, and with 2 if nothing can be said: a text of the list is not
in its file any more, the project does not build, or a test fails without a fault.
Needs Python 3.11, CMake and Ninja. ccache saves most of the time.
"""
import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAULTS = ROOT / "scripts" / "mutants.toml"
AT_LEAST = 44
OPTIONS = ["-DCONPOLE_TORCH=OFF", "-DCONPOLE_BUILD_BENCHMARKS=OFF"]


class Unusable(Exception):
    """Why nothing can be said."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults to try; all if none is named")
    parser.add_argument("--part", metavar="FIRST:END", help="only these of the faults, counted from 0 as --list shows them")
    parser.add_argument("--list", action="store_true", help="say what faults there are, and end")
    parser.add_argument("--check", action="store_true", help="say whether all texts and tests are in their files here, and end")
    parser.add_argument("--at-least", type=int, metavar="COUNT",
                        help=f"faults that must be killed: {AT_LEAST} by default, or all if only some are tried")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at the same time")
    parser.add_argument("--seconds", type=int, default=300, help="a test program that takes longer counts as failed")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build-mutants", help="where the work tree is made")
    return parser.parse_args()


def part_of(faults, part):
    """FIRST:END of them."""
    try:
        first, end = (int(number) for number in part.split(":"))
    except ValueError:
        raise Unusable(f"--part must be FIRST:END, two whole numbers, not '{part}'") from None
    if not 0 <= first < end <= len(faults):
        raise Unusable(f"--part must lie in 0:{len(faults)}, and have a fault, not {part}")
    return faults[first:end]


def read_faults(names):
    faults = tomllib.loads(FAULTS.read_text(encoding="utf-8"))["fault"]
    known = [fault["name"] for fault in faults]
    for name in known:
        if known.count(name) > 1:
            raise Unusable(f"{FAULTS.name}: the name {name} is given twice")
    for name in names:
        if name not in known:
            raise Unusable(f"there is no fault '{name}'; --list shows all")
    return [fault for fault in faults if not names or fault["name"] in names]


def run(command, folder, what):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode != 0:
        raise Unusable(f"{what} failed:\n{done.stdout[-4000:]}")


def make_tree(tree):
    """The last commit, as it is, in a work tree of its own."""
    run(["git", "worktree", "prune"], ROOT, "git worktree prune")
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    if tree.exists():
        run(["git", "checkout", "--quiet", "--force", "--detach", commit], tree, "git checkout")
    else:
        run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], ROOT, "git worktree add")


def check_texts(faults, tree):
    problems = []
    for fault in faults:
        path = tree / fault["file"]
        count = path.read_text(encoding="utf-8").count(fault["text"]) if path.exists() else 0
        if count != 1:
            problems.append(f"{fault['name']}: {fault['file']} has this text {count} times, and not once: {fault['text']}")
    if problems:
        raise Unusable("\n".join(problems))


def check_tests(faults, tree):
    """Whether every test that is named is in a source of its program, by tests/CMakeLists.txt."""
    build = (tree / "tests" / "CMakeLists.txt").read_text(encoding="utf-8")
    for name, value in re.findall(r"^set\((\w+)\s+([^)]*)\)", build, re.M):
        build = build.replace(f"${{{name}}}", value)
    paths = {path.name: path for folder in ("src", "tests", "experiments") for path in (tree / folder).rglob("*_test.cc")}
    for fault in faults:
        for test in fault["tests"]:
            program, _, patterns = test.partition(":")
            listed = re.search(rf"conpole_test\({program}\b(.*?)\bLINK\b", build, re.S)
            sources = "".join(paths[name].read_text(encoding="utf-8") for name in re.findall(r"\w+_test\.cc", listed[1])) if listed else ""
            tests = [".".join(found) for found in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", sources, re.M)]
            for pattern in patterns.split(":"):
                if not fnmatch.filter(tests, pattern):
                    raise Unusable(f"{fault['name']}: {program} has no test {pattern}")


def programs_of(faults):
    return sorted({test.partition(":")[0] for fault in faults for test in fault["tests"]})


def compiles(programs, tree, jobs):
    command = ["ninja", "-C", "build", f"-j{jobs}", *programs]
    return subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def failing(test, tree, seconds):
    """Why the test program fails; nothing if it passes."""
    program, _, pattern = test.partition(":")
    command = [str(tree / "build" / "tests" / program), f"--gtest_filter={pattern or '*'}", "--gtest_brief=1"]
    try:
        done = subprocess.run(command, cwd=tree / "build" / "tests", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"{program} does not end"
    if "[==========] 0 tests" in done.stdout:
        raise Unusable(f"{test} names no test")
    if done.returncode == 0:
        return None
    failed = [line.split()[3].rstrip(",") for line in done.stdout.splitlines() if line.startswith("[  FAILED  ] ") and "ms" in line]
    return failed[0] if failed else f"{program} ends with {done.returncode}"


def try_fault(fault, tree, arguments):
    path = tree / fault["file"]
    original = path.read_text(encoding="utf-8")
    path.write_text(original.replace(fault["text"], fault["becomes"]), encoding="utf-8")
    try:
        if compiles(programs_of([fault]), tree, arguments.jobs).returncode != 0:
            return "does not compile", ""
        for test in fault["tests"]:
            why = failing(test, tree, arguments.seconds)
            if why:
                return "killed", why
        return "survived", ""
    finally:
        path.write_text(original, encoding="utf-8")


def main():
    arguments = parse_arguments()
    faults = read_faults(arguments.names)
    if arguments.part is not None:
        faults = part_of(faults, arguments.part)
    if arguments.list:
        for fault in faults:
            print(f"{fault['name']:28} {fault['file']}\n    {fault['meaning']}")
        return 0
    if arguments.check:
        check_texts(faults, ROOT)
        check_tests(faults, ROOT)
        return 0
    at_least = arguments.at_least
    if at_least is None:
        at_least = len(faults) if arguments.names or arguments.part else AT_LEAST
    os.nice(10)
    tree = arguments.folder / "tree"
    make_tree(tree)
    check_texts(faults, tree)
    run(["cmake", "--preset", "release", *OPTIONS], tree, "cmake")
    print("Building and testing without a fault", flush=True)
    built = compiles(programs_of(faults), tree, arguments.jobs)
    if built.returncode != 0:
        raise Unusable(f"the project does not build:\n{built.stdout[-4000:]}")
    for test in sorted({test for fault in faults for test in fault["tests"]}):
        why = failing(test, tree, arguments.seconds)
        if why:
            raise Unusable(f"{why} without a fault: {test}")
    killed = 0
    for number, fault in enumerate(faults, 1):
        outcome, why = try_fault(fault, tree, arguments)
        killed += outcome == "killed"
        print(f"{number:2}/{len(faults)}  {outcome:16}  {fault['name']:28}  {why}", flush=True)
        if outcome == "survived":
            print(f"       {fault['file']}: {fault['meaning']}")
    print(f"{killed} of {len(faults)} faults were killed; at least {at_least} must be")
    return 0 if killed >= at_least else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as problem:
        print(f"mutants.py: {problem}", file=sys.stderr)
        sys.exit(2)
