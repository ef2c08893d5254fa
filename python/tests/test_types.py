"""The types of the package: what runs is accepted, and the stubs are what the native module is."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import conpole

if find_spec("mypy") is None:
    pytest.skip("there is no mypy", allow_module_level=True)

PACKAGE = Path(conpole.__file__).parent
TESTS = Path(__file__).parent
CONFIG = TESTS.parents[1] / "pyproject.toml"


def run(*arguments: str, cache: Path) -> list[str]:
    """What a checker says, without its last line."""
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "MYPY_CACHE_DIR": str(cache)}
    ended = subprocess.run([sys.executable, "-m", *arguments], env=environment, capture_output=True, text=True, check=False)
    assert not ended.stderr, ended.stderr
    return ended.stdout.splitlines()


def test_what_runs_is_accepted(tmp_path: Path) -> None:
    # These use the package as its users do.
    files = [TESTS / "test_models.py", TESTS / "test_solving.py"]
    if find_spec("torch") is not None:
        files.append(TESTS / "test_torch.py")
    said = run("mypy", "--strict", f"--config-file={CONFIG}", *map(str, files), cache=tmp_path)
    assert [line for line in said if "error:" in line] == []


def test_the_stubs_are_those_of_the_native_module(tmp_path: Path) -> None:
    said = run("mypy.stubtest", "--concise", f"--mypy-config-file={CONFIG}", "conpole._native", cache=tmp_path)

    def is_of_pybind11(line: str) -> bool:
        if line.endswith("is inconsistent, metaclass differs"):  # all its classes have one of its own
            return True
        if "__init__ is inconsistent, stub does not have *args" in line:  # classes that nobody can make
            return True
        # Python has the method from 3.12 on; buffers there are before.
        return sys.version_info < (3, 12) and line.endswith(".__buffer__ is not present at runtime")

    assert [line for line in said if not is_of_pybind11(line)] == []
