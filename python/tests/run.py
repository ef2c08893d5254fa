"""Runs the tests of the package for ctest: run.py PACKAGE_FOLDER. Ends with status 77 (skipped) where packages are missing."""

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
    "-p",
    "no:cacheprovider",
    "-c",
    str(TESTS.parents[1] / "pyproject.toml"),
    str(TESTS),
]
sys.exit(subprocess.run(COMMAND, env={**os.environ, "PYTHONPATH": sys.argv[1]}, check=False).returncode)
