"""Runs the tests of the package for ctest: run.py PACKAGE_FOLDER [PROGRAM].

PROGRAM is a conpole that takes domains written in Python. Ends with status 77 (skipped) where packages are missing.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

missing = [name for name in ("gymnasium", "numpy", "pytest") if find_spec(name) is None]
if missing:
    print(f"skipped: no {', '.join(missing)}; to run these tests: pip install {' '.join(missing)}")
    sys.exit(77)

TESTS = Path(__file__).parent
COMMAND = [
    sys.executable,
    "-B",
    "-m",
    "pytest",
    "-q",
    "-rs",
    "-p",
    "no:cacheprovider",
    "-c",
    str(TESTS.parents[1] / "pyproject.toml"),
    str(TESTS),
]
PROGRAM = {"CONPOLE_PROGRAM": sys.argv[2]} if len(sys.argv) > 2 else {}
sys.exit(subprocess.run(COMMAND, env={**os.environ, "PYTHONPATH": sys.argv[1], **PROGRAM}, check=False).returncode)
