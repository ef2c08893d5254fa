"""The types of the package: what runs is accepted, and the stubs are what the native module is."""

import os
import re
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
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cache)}
    if PACKAGE.parent.name != "site-packages":  # where mypy looks anyway
        environment["MYPYPATH"] = str(PACKAGE.parent)
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


MISTAKES = """import conpole
conpole.search("sorting", ["[=]"], algoritm="beam")
conpole.search("sorting", ["[=]"], algorithm="nonsense")
conpole.evaluate("sorting", algorithm="nonsense")
conpole.evaluate("sorting", algoritm="beam")
conpole.solve("x = 3", algorithm="nonsense")
conpole.solve("x = 3", algoritm="beam")
conpole.solve("x = 3", detail="nonsense")
conpole.solve("x = 3", meaning="nonsense")
conpole.VectorEnvironment("sorting", 2, autoreset="nonsense")
conpole.export("sorting", "x", count=1, format="nonsense")
conpole.train("sorting", out="x", leaning_rate=0.1)
conpole.train("sorting", out="x", negatives="nonsense")
conpole.environments.DomainEnv("sorting", observation="nonsense")
"""


def test_misspelt_options_are_found(tmp_path: Path) -> None:
    file = tmp_path / "mistakes.py"
    file.write_text(MISTAKES)
    said = run("mypy", "--strict", f"--config-file={CONFIG}", "--follow-imports=silent", str(file), cache=tmp_path)
    found = {int(line.split(":")[1]) for line in said if "error:" in line}
    assert found == set(range(2, len(MISTAKES.splitlines()) + 1)), said


def test_the_stubs_are_those_of_the_native_module(tmp_path: Path) -> None:
    said = run("mypy.stubtest", "--concise", f"--mypy-config-file={CONFIG}", "conpole._native", cache=tmp_path)

    def is_of_pybind11(line: str) -> bool:
        if line.endswith("is inconsistent, metaclass differs"):  # all its classes have one of its own
            return True
        if line.endswith("is read-only at runtime but not in the stub"):  # as Final is, for who reads it
            return True
        if "__init__ is inconsistent, stub does not have *args" in line:  # classes that nobody can make
            return True
        # Python has the method from 3.12 on; buffers there are before.
        return sys.version_info < (3, 12) and line.endswith(".__buffer__ is not present at runtime")

    assert [line for line in said if not is_of_pybind11(line)] == []
    stub = (PACKAGE / "_native.pyi").read_text(encoding="utf-8")
    writable = re.findall(r"(?m)^    (\w+): (?!Final\[)[^,\n]*$", stub)
    assert writable == ["text", "message", "position"], "of MalformedError; all others are Final"
