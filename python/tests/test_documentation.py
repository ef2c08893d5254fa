"""The examples of docs/python.md, and those in python/examples."""

import doctest
import os
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_examples_of_the_manual() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert results.attempted > 20
    assert results.failed == 0


def test_sliding_puzzle(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "python" / "examples" / "sliding_puzzle.py"), run_name="__main__")
    assert "bfs: solved 20 of 20" in capsys.readouterr().out


def draw_equations_map(folder: Path, *options: str) -> str:
    # In a process of its own, which has loaded matplotlib before conpole: their libraries must get on.
    script = str(ROOT / "python" / "examples" / "equations_map.py")
    drawn = subprocess.run(
        [sys.executable, script, "--run", folder / "run", "--out", folder, "--problems", "25", *options],
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert drawn.returncode == 0, drawn.stderr
    for name in ("learning-curve.png", "equations-map.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    return drawn.stdout


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="there is no matplotlib")
def test_equations_map_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "metrics.jsonl").write_text(
        '{"step": 100, "loss": 0.5}\n{"step": 200, "eval_success": 0.5, "validation_success": 0.25}\n'
    )
    assert "1 evaluations in learning-curve.png, 25 equations in equations-map.png" in draw_equations_map(tmp_path)


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="there is no matplotlib")
@pytest.mark.skipif("CONPOLE_PROGRAM" not in os.environ, reason="CONPOLE_PROGRAM does not name a program that trains")
def test_equations_map_trains(tmp_path: Path) -> None:
    draw_equations_map(tmp_path, "--program", os.environ["CONPOLE_PROGRAM"], "--steps", "500")
    assert (tmp_path / "run" / "best.safetensors").is_file()
