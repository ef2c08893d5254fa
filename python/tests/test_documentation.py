"""The examples of docs/python.md, and those in python/examples."""

import doctest
import runpy
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
