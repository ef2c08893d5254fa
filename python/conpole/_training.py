"""Training, by the program `conpole`, which has LibTorch where the package has not."""

import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conpole._native import Domain, Error, PythonDomain

Progress = Callable[[dict[str, Any]], None]
"""Is called with what the program tells: `event` is progress (about once a second), evaluated, saved or warning, and the rest is
what it is about, under the names of the metrics."""


@dataclass(frozen=True)
class TrainingResult:
    """What a run has come to."""

    folder: Path
    done: bool
    """Whether all steps were made; if not, it ran out of `minutes`, and `train(out=..., resume=True)` goes on."""
    best_model: Path | None
    """The policy that did best on the validation problems; None if none was evaluated yet."""
    last_model: Path | None
    status: dict[str, Any] = field(repr=False)
    """The last of the metrics, with the best of the validation."""
    metrics: dict[str, list[float | None]] = field(repr=False)
    """All metrics of the run as columns of equal length, `step` and `seconds` among them; None where a line has no number."""


def train(
    domain: "str | Domain | type[PythonDomain] | None" = None,
    *,
    out: str | os.PathLike[str],
    resume: bool = False,
    config: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    program: str | os.PathLike[str] | None = None,
    **settings: Any,
) -> TrainingResult:
    """Learns a policy for a domain, in the folder `out`, and returns when that is done.

    `domain` is a domain, its text, `python:MODULE.CLASS`, or a class derived from PyDomain that can be imported. The settings are
    those of `conpole train`, with underscores: `train("sorting", out="run", learning_rate=0.002, agent="drrn")`. Ctrl-C, and what
    `progress` raises, ends the run with a checkpoint. Raises Error with the program's message if something does not fit.

    The program is `program`, or else what CONPOLE_PROGRAM names, or the `conpole` in PATH; it must have been built with LibTorch.
    """
    command = [_find_program(program), "train", "--json", "--out", os.fspath(out)]
    if resume:
        command.append("--resume")
    if config is not None:
        command += ["--config", os.fspath(config)]
    if domain is not None:
        command += ["--domain", _domain_text(domain)]
    for name, value in settings.items():
        command += ["--" + name.replace("_", "-"), _setting_text(name, value)]
    end = _run(command, progress)
    folder = Path(out)
    return TrainingResult(
        folder=folder,
        done=end.pop("done"),
        best_model=_optional_path(end.pop("best_model")),
        last_model=_optional_path(end.pop("last_model")),
        status={name: value for name, value in end.items() if name != "event"},
        metrics=_read_metrics(folder / "metrics.jsonl"),
    )


def _run(command: list[str], progress: Progress | None) -> dict[str, Any]:
    """Runs the program to its end and returns the last thing that it told."""
    # A session of its own: Ctrl-C reaches this process only, which passes it on and waits for the checkpoint. Errors go to a file:
    # nobody reads them until the end.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors, subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        event: dict[str, Any] = {}
        try:
            for line in process.stdout:
                event = json.loads(line)
                if progress is not None and event["event"] != "end":
                    progress(event)
        except BaseException:
            process.send_signal(signal.SIGTERM)
            process.communicate()
            raise
        process.wait()
        errors.seek(0)
        message = errors.read()
    if event.get("event") != "end":
        last_line = message.strip().rpartition("\n")[2]
        raise Error(last_line.removeprefix("conpole: ") or f"{command[0]} ended with status {process.returncode}")
    return event


def _find_program(program: str | os.PathLike[str] | None) -> str:
    given = program or os.environ.get("CONPOLE_PROGRAM") or shutil.which("conpole")
    if given is None:
        raise Error("there is no program conpole in PATH; name one that was built with LibTorch with program= or CONPOLE_PROGRAM")
    if not os.access(given, os.X_OK) or os.path.isdir(given):
        raise Error(f"{os.fspath(given)} is no program")
    return os.path.abspath(given)


def _domain_text(domain: "str | Domain | type[PythonDomain]") -> str:
    if isinstance(domain, str):
        return domain
    if inspect.isclass(domain) and issubclass(domain, PythonDomain):
        if domain.__module__ == "__main__" or "<locals>" in domain.__qualname__:
            raise Error(f"{domain.__qualname__} cannot be imported by another process; put it into a module of its own")
        return f"python:{domain.__module__}.{domain.__qualname__}"
    if isinstance(domain, PythonDomain):
        raise Error("another process cannot take over an object; give its class, or python:MODULE.CLASS:NAME=VALUE,... as text")
    return domain.spec


def _setting_text(name: str, value: Any) -> str:
    if isinstance(value, range) and value.step == 1:
        return f"{value.start}:{value.stop}"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError(f"{name} must be a number, text or a range, not {value!r}")
    return str(value)


def _optional_path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _read_metrics(path: Path) -> dict[str, list[float | None]]:
    lines: list[Mapping[str, float | None]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        lines.append(json.loads(line))
    names = dict.fromkeys(name for line in lines for name in line)
    return {name: [line.get(name) for line in lines] for name in names}
