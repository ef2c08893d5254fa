"""python/examples/follow_metrics.py: each line of a run once, whatever happens to the file meanwhile."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest

if sys.version_info < (3, 11):
    pytest.skip("the example reads TOML with Python 3.11 and later", allow_module_level=True)

import follow_metrics


def test_each_line_comes_once(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    lines = follow_metrics.follow(path, pause=0, patience=None)
    path.write_text('{"step": 1}\n{"step": 2}\n{"st')
    assert [next(lines)["step"], next(lines)["step"]] == [1, 2]
    path.write_text('{"step": 1}\n')  # the run was resumed, and writes the second line again
    path.write_text('{"step": 1}\n{"step": 2}\n{"step": 3, "loss": null}\n')
    assert next(lines) == {"step": 3, "loss": None}


def test_a_run_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "metrics.jsonl").write_text('{"step": 5, "loss": 0.5, "nan": null}\n{"step": 9, "loss": 0.25}\n')
    (tmp_path / "config.toml").write_text('beam = 10\n\n[record]\ncommit = "abc"\n')
    begun: dict[str, Any] = {}
    logged: list[tuple[int, dict[str, Any]]] = []

    class Run:
        summary: dict[str, Any] = {}

        def log(self, values: dict[str, Any], step: int) -> None:
            logged.append((step, values))

        def finish(self) -> None:
            begun["finished"] = True

    def init(**given: Any) -> Run:
        begun.update(given)
        return Run()

    wandb = types.ModuleType("wandb")
    monkeypatch.setattr(wandb, "init", init, raising=False)
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    monkeypatch.setattr(sys, "argv", ["follow_metrics.py", str(tmp_path), "--pause", "0", "--patience", "-1"])
    follow_metrics.main()
    assert logged == []  # no patience at all
    monkeypatch.setattr(sys, "argv", ["follow_metrics.py", str(tmp_path), "--pause", "0.001", "--patience", "0.001"])
    follow_metrics.main()
    assert logged == [(5, {"step": 5, "loss": 0.5}), (9, {"step": 9, "loss": 0.25})]
    assert begun["config"] == {"beam": 10, "record": {"commit": "abc"}} and begun["finished"]
