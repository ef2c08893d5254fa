"""What the experiments share: the program that they run, records of what was measured, and tables in Markdown.

Records are JSON files, one each and small enough to be kept, so that what was measured on other days and machines can be added.
"""
import ctypes
import json
import math
import os
import shutil
import signal
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INTERRUPTED = 130  # as shells say it for Ctrl-C
_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


class Wrong(Exception):
    """Something that whoever called can act on."""


def run(main):
    """Runs the main function of an experiment and ends with its status; what is wrong is said in one line."""
    def interrupt(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        status = main()
        sys.stdout.flush()
        sys.exit(status)
    except Wrong as problem:
        said = "".join(c if c.isprintable() else "?" for c in str(problem))
        print(f"{os.path.basename(sys.argv[0])}: {said}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("not done yet; the same command goes on", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # who reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def add_common_options(parser, out=None):
    """With `out`, results go to that folder where nobody names another."""
    parser.add_argument("--program", help="the program conpole; by default that of build/, or the one on the path")
    parser.add_argument("--out", required=out is None, default=out,
                        help="the folder of records and results; the same command goes on there" + (f" ({out})" if out else ""))
    parser.add_argument("--into", metavar="PAGE", help="also put the table into this page, where it has its place")
    parser.add_argument("--threads", type=int, default=0, help="of each process; 0 shares the cores")


def find_program(given):
    for path in (given, os.environ.get("CONPOLE_PROGRAM"), os.path.join(SOURCE, "build", "conpole"), shutil.which("conpole")):
        if path and os.path.isfile(path):
            return path
        if path and path == given:
            break
    raise Wrong("there is no program conpole: build it (./run --help), or name it with --program")


def _end_with_parent():
    if _LIBRARY is not None:
        _LIBRARY.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def start(arguments, log):
    """Starts a program whose output goes to LOG and LOG.err. It is asked to end when this one does, however that happens."""
    with open(log, "wb") as out, open(log + ".err", "wb") as err:
        return subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=_end_with_parent,
                                start_new_session=True)


def run_logged(arguments, log):
    """Runs a program to its end and returns its output. Raises Wrong if it fails, which says why."""
    child = start(arguments, log)
    try:
        status = child.wait()
    except KeyboardInterrupt:
        child.terminate()
        child.wait()
        raise
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status != 0:
        raise Wrong(f"{' '.join(arguments[1:3])} failed: {last_words(log)}")
    return read(log)


def last_words(log):
    lines = read(log + ".err").strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as problem:
        raise Wrong(f"{path} cannot be read: {problem.strerror}") from problem


def write(path, content):
    """A text or bytes, as a whole or not at all."""
    with open(path + ".tmp", "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    os.replace(path + ".tmp", path)


def format_record(record):
    """One line per entry."""
    lines = [f"  {json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in record.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_records(folder, check):
    """All records in a folder. `check` raises an exception for what is none."""
    if not os.path.isdir(folder):
        raise Wrong(f"{folder} cannot be read: there is no such folder")
    records = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            path = os.path.join(folder, name)
            try:
                record = json.loads(read(path))
                check(record)
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                raise Wrong(f"{path}: is not a record: {type(problem).__name__} {problem}") from problem
            records.append(record)
    return records


def markdown_table(rows):
    """The first row is the head. Columns are aligned."""
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    lines = ["|" + "".join(f" {cell:<{width}} |" for cell, width in zip(row, widths)) for row in rows]
    lines.insert(1, "|" + "".join("-" * (width + 2) + "|" for width in widths))
    return "\n".join(lines) + "\n"


# Those of Okabe and Ito, which the colour-blind can tell apart too; the yellow is too pale for a line.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]


def chart_script(kind, size):
    """How every chart begins, in gnuplot's words: an svg or png of WIDTH,HEIGHT."""
    terminal = {"svg": ("svg", "DejaVu Sans,Verdana,sans-serif,14"), "png": ("pngcairo", "DejaVu Sans,12")}[kind]
    return ["set encoding utf8", f"set terminal {terminal[0]} size {size} noenhanced rounded background '#ffffff' font '{terminal[1]}'",
            "set border 3 linecolor '#666666'", "set tics nomirror out scale 0.5 textcolor '#333333'",
            "set grid linetype 1 linewidth 1 linecolor '#dddddd'", "set rmargin 4",
            "set key above left horizontal Left reverse samplen 2.5 spacing 1.4"]


def gnuplot_quoted(text):
    """All but the plainest characters by their codes: what gnuplot takes for a quote, a command or a macro depends on the place.
    Digits too, as they would continue a code before them."""
    codes = os.fsencode(text).decode(errors="replace").encode()
    return '"' + "".join(chr(c) if chr(c).isascii() and chr(c).isalpha() or c == 32 else f"\\{c if 32 < c != 127 else 32:03o}" for c in codes) + '"'


def draw(script):
    """The picture that gnuplot makes, as bytes. Without the user's settings, so that it looks the same for everyone."""
    try:
        drawn = subprocess.run(["gnuplot", "--default-settings"], input="\n".join(script).encode() + b"\n", capture_output=True, check=False)
    except OSError as problem:
        raise Wrong("gnuplot, which draws the plots, is not installed; on Debian: apt install gnuplot-nox") from problem
    if drawn.returncode != 0 or not drawn.stdout:
        raise Wrong(f"gnuplot failed: {drawn.stderr.decode(errors='replace').strip()[-300:]}")
    return drawn.stdout


def marks(name):
    """The lines of a page between which the table of an experiment stands."""
    return f"<!-- {name}: begin, written by experiments/{name}.py -->\n", f"<!-- {name}: end -->\n"


def put_into_page(path, name, text):
    page = read(path)
    begin, end = marks(name)
    if begin not in page or end not in page.split(begin, 1)[1]:
        raise Wrong(f"{path} has no place for the table, which is between the lines {begin.strip()} and {end.strip()}")
    before, rest = page.split(begin, 1)
    write(path, before + begin + text + end + rest.split(end, 1)[1])


def show_table(args, name, text):
    """Writes the table to its file and, if asked for, into a page, and prints it."""
    os.makedirs(args.out, exist_ok=True)
    write(os.path.join(args.out, f"{name}.md"), text)
    if args.into:
        put_into_page(args.into, name, text)
    print(text, end="")


def wilson(successes, trials):
    """The 95% interval of a rate (Wilson)."""
    z = 1.959963984540054
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    spread = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def in_words(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
