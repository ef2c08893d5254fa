"""Domains written in Python in the trainer: the program conpole with an interpreter inside."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import conpole

PROGRAM = os.environ.get("CONPOLE_PROGRAM")
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="CONPOLE_PROGRAM does not name a program with LibTorch and Python's library"
)

MODULE = '''
import conpole


class Countdown(conpole.PyDomain):
    """Halve, or subtract one, until 1 is left."""

    def __init__(self, largest=20, fails_at=0):
        super().__init__("countdown")
        self.largest = largest
        self.fails_at = fails_at

    def generate(self, seed):
        return str(2 + seed * 7919 % (self.largest - 1))

    def successors(self, state):
        number = int(state)
        if number == self.fails_at:
            raise RuntimeError("no way on")
        yield "minus one", str(number - 1)
        yield "plus one", str(number + 1)
        if number % 2 == 0:
            yield "half", str(number // 2)

    def solved(self, state):
        return state == "1"


class Other:
    pass
'''
SMALL = "--network lstm:embedding=8,hidden=16 --in-flight 32 --batch 16 --eval-every 1000 --threads 2".split()
LEARNING = "--curriculum short --gradient-steps 0.5 --learning-rate 0.005".split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_domains.py").write_text(MODULE)
    return tmp_path


def command(*arguments: str) -> list[str]:
    assert PROGRAM is not None
    return [PROGRAM, *arguments]


def environment() -> dict[str, str]:
    """In which the package is found, but not the module: that is in the current folder."""
    return {**os.environ, "PYTHONPATH": str(Path(conpole.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=folder, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )


def test_trains_and_evaluates(folder: Path) -> None:
    trained = run(
        folder, "train", "--domain", "python:my_domains.Countdown", "--out", "run", "--steps", "5000", *SMALL, *LEARNING
    )
    assert trained.returncode == 0, trained.stderr
    model = conpole.load_model(folder / "run" / "best.safetensors")
    assert model.metadata["domain"] == "countdown"
    assert float(model.metadata["validation_success"]) > 0.5

    spec = "python:my_domains.Countdown:largest=12"
    evaluated = run(folder, "eval", spec, "--model", "run/best.safetensors", "--json", "--seeds", "0:20", "--beam", "5")
    assert evaluated.returncode == 0, evaluated.stderr
    report = json.loads(evaluated.stdout)
    assert report["problems"] == 20 and report["solved"] > 15
    assert report["cannot_tell"] == report["solved"] and report["wrong"] == 0 and report["verified_rate"] is None
    solved = run(folder, "solve", spec, "6", "--model", "run/best.safetensors", "--json")
    assert solved.returncode == 0, solved.stderr
    assert json.loads(solved.stdout)["status"] == "solved" and json.loads(solved.stdout)["verified"] is None

    resumed = run(folder, "train", "--out", "run", "--resume", "--steps", "6000")
    assert resumed.returncode == 0, resumed.stderr
    other = run(folder, "train", "--domain", "python:my_domains.Countdown:largest=12", "--out", "run", "--resume", "--steps", "7000")
    assert other.returncode == 2
    assert "is a run with the domain python:my_domains.Countdown, and cannot go on with python:my_domains.Countdown:largest=12" in (
        other.stderr
    )
    wrong = run(folder, "eval", "sorting", "--model", "run/best.safetensors")
    assert wrong.returncode == 2 and "is for the domain countdown, not for sorting" in wrong.stderr


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("python:nowhere.Domain", "ModuleNotFoundError: No module named 'nowhere'; modules are looked for in"),
        ("python:my_domains.Nothing", "AttributeError: module 'my_domains' has no attribute 'Nothing'"),
        ("python:my_domains.Other", "Other of the module my_domains is no class derived from conpole.PyDomain"),
        ("python:my_domains", "'my_domains': after python: there must be MODULE.CLASS"),
        ("python:my_domains.Countdown:size=3", "TypeError"),
        ("python:my_domains.Countdown:largest", "expected NAME=VALUE, found 'largest'"),
    ],
)
def test_domains_that_there_are_not(folder: Path, spec: str, message: str) -> None:
    for arguments in (["eval", spec], ["train", "--domain", spec, "--out", "run"]):
        failed = run(folder, *arguments)
        assert failed.returncode == 2
        assert failed.stderr.startswith("conpole: ") and message in failed.stderr
        assert len(failed.stderr.splitlines()) == 1


def test_code_that_fails(folder: Path) -> None:
    spec = "python:my_domains.Countdown:fails_at=3"
    for arguments in (["eval", spec], ["train", "--domain", spec, "--out", "run", *SMALL]):
        failed = run(folder, *arguments)
        assert failed.returncode == 2
        line = MODULE.splitlines().index('            raise RuntimeError("no way on")') + 1
        assert f"{spec}: RuntimeError: no way on ({folder}/my_domains.py, line {line})" in failed.stderr


def test_a_run_can_be_interrupted(folder: Path) -> None:
    arguments = ["train", "--domain", "python:my_domains.Countdown", "--out", "run", "--steps", "100000000", *SMALL]
    process = subprocess.Popen(command(*arguments), cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (folder / "run" / "metrics.jsonl").exists() and time.monotonic() < end:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130, output
    assert list((folder / "run").glob("checkpoint-*"))


SETTINGS: dict[str, Any] = dict(
    network="lstm:embedding=8,hidden=16", in_flight=32, batch=16, eval_every=1000, threads=1,
    curriculum="short", gradient_steps=0.5, learning_rate=0.005,
)  # fmt: skip


def test_train_gives_models_and_metrics(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    result = conpole.train(
        conpole.Domain("sorting", max_length=5),
        out=tmp_path / "run",
        steps=4000,
        eval_seeds=range(50),
        progress=events.append,
        **SETTINGS,
    )
    assert result.done and result.best_model == tmp_path / "run" / "best.safetensors"
    assert result.metrics["step"][-1] == result.status["step"] >= 4000
    assert {len(column) for column in result.metrics.values()} == {len(result.metrics["step"])}
    assert {"evaluated", "saved"} <= {event["event"] for event in events} <= {"progress", "evaluated", "saved", "warning"}
    model = conpole.load_model(result.best_model)
    assert model.metadata["domain"].startswith("sorting:")

    resumed = conpole.train(out=tmp_path / "run", resume=True)
    assert resumed.metrics == result.metrics
    with pytest.raises(conpole.Error, match="has a run already"):
        conpole.train("sorting", out=tmp_path / "run")


def test_one_network_learns_several_domains(tmp_path: Path) -> None:
    domains = [conpole.Domain("sorting", max_length=5), "ternary-addition:max_digits=4"]
    result = conpole.train(domains, out=tmp_path / "run", steps=3000, **SETTINGS)
    assert result.done and result.best_model is not None
    last = {name: column[-1] or 0 for name, column in result.metrics.items()}
    both = last["validation_success/sorting"] + last["validation_success/ternary-addition"]
    assert last["validation_success"] == pytest.approx(both / 2)
    model = conpole.load_model(result.best_model)
    assert model.metadata["domain"] == "sorting:max_length=5 + ternary-addition:max_digits=4"
    for domain, problem in (("sorting", "[==|=]"), ("ternary-addition", "#(a1 a1)")):
        assert conpole.search(domain, [problem], model)[0].solved
    with pytest.raises(conpole.Error, match="not for fractions"):
        conpole.search("fractions", ["[1]/[2] + [1]/[2]"], model)


def test_train_takes_domains_in_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    import my_domains  # type: ignore[import-not-found]

    result = conpole.train(my_domains.Countdown, out=folder / "run", steps=1500, **SETTINGS)
    assert result.done
    assert all(verified is None for verified in result.metrics["eval_verified"]), "nothing verifies its answers"
    spec = "python:my_domains.Countdown:largest=12"
    assert conpole.train(spec, out=folder / "other", steps=1500, **SETTINGS).done
    with pytest.raises(conpole.Error, match="cannot take over an object"):
        conpole.train(my_domains.Countdown(), out=folder / "third")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"beam": 0}, "beam must be a whole number from 1"),
        ({"gradient_steps": float("inf")}, "gradient-steps must be a number above 0"),
        ({"lerning_rate": 1}, "lerning-rate"),
        ({"agent": "alphazero"}, "unknown agent 'alphazero'"),
    ],
)
def test_train_refuses(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(conpole.Error, match=message):
        conpole.train("sorting", out=tmp_path / "run", **settings)
    assert not (tmp_path / "run").exists()


def test_train_refuses_values_of_no_setting(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="beam must be a number"):
        conpole.train("sorting", out=tmp_path / "run", beam=[1])
    with pytest.raises(conpole.Error, match="is no program"):
        conpole.train("sorting", out=tmp_path / "run", program=tmp_path)


def test_what_progress_raises_ends_the_run_with_a_checkpoint(tmp_path: Path) -> None:
    def stop(event: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        conpole.train("sorting:max_length=5", out=tmp_path / "run", steps=100_000_000, progress=stop, **SETTINGS)
    assert list((tmp_path / "run").glob("checkpoint-*"))
    assert conpole.train(out=tmp_path / "run", resume=True, steps=1).done, "nothing holds the folder any more"


def test_other_commands_take_it(folder: Path) -> None:
    generated = run(folder, "generate", "python:my_domains.Countdown", "--seed", "7")
    assert json.loads(generated.stdout) == {"seed": 7, "problem": str(2 + 7 * 7919 % 19)}


def test_a_virtual_environment_is_used(folder: Path) -> None:
    environment_folder = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment_folder], check=True)
    packages = next(environment_folder.glob("lib/python*/site-packages"))
    (packages / "installed_there.py").write_text(MODULE)
    found = subprocess.run(
        command("generate", "python:installed_there.Countdown", "--seed", "7"),
        cwd=folder,
        env={**environment(), "VIRTUAL_ENV": str(environment_folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 0, found.stderr
