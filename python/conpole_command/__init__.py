"""The command `conpole`: the program inside the package conpole, which this one does not import, so that it starts at once."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def find_program() -> str | None:
    """The program that CONPOLE_PROGRAM names, or else the one inside the package, if it was built with it."""
    given = os.environ.get("CONPOLE_PROGRAM")
    # The command of this package runs what is inside; it must not run itself for ever.
    if given and not (os.path.exists(given) and os.path.exists(sys.argv[0]) and os.path.samefile(given, sys.argv[0])):
        return given
    package = find_spec("conpole")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        inside = Path(folder) / "bin" / "conpole"
        if inside.exists():
            return str(inside)
    return None


def _trains(program: str) -> bool:
    """Whether the program has the command train, which it has not in a wheel."""
    try:
        return subprocess.run([program, "train", "--help"], capture_output=True, check=False).returncode == 0
    except OSError:
        return True  # let the caller say what is wrong


def main() -> int:
    """Becomes the program, with the arguments of this process."""
    program = find_program()
    if program is None:
        print("conpole: this build of the package has no program; name one with CONPOLE_PROGRAM", file=sys.stderr)
        return 2
    if sys.argv[1:2] == ["train"] and not _trains(program):
        from conpole._train_command import main as train

        return train(sys.argv[2:])
    try:
        os.execv(program, ["conpole", *sys.argv[1:]])
    except OSError as error:
        print(f"conpole: {program} cannot be run: {error.strerror}", file=sys.stderr)
    return 2
