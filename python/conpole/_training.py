"""Training: by the program `conpole`, or in this process, with conpole's own learner on the CPU or with a learner in Python: that of
`conpole.torch`, or one's own."""

import contextlib
import hashlib
import inspect
import json
import os
import pickle
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TextIO, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from conpole import _native
from conpole._native import Domain, Error, Model, PairBatch, PythonDomain, SearchTrace
from conpole._show import curve, table

if TYPE_CHECKING:
    from typing_extensions import Unpack

AnyDomain = str | Domain | type[PythonDomain]

Progress = Callable[[dict[str, Any]], None]
"""Is called with what the program tells: `event` is progress (about once a second), evaluated, saved or warning, and the rest is
what it is about, under the names of the metrics."""


class Learner(Protocol):
    """A network that scores and learns, for `train(..., learner=...)`. `score` and `learn` are all that it must have."""

    def score(self, batch: PairBatch, /) -> Any:
        """One number per pair, higher for a better candidate: an array, or a tensor on any device."""

    def learn(self, batch: PairBatch, learning_rate: float, /) -> Any:
        """Takes one gradient step towards the targets of the pairs, and returns the loss: a number, or a tensor with one.

        ConPoLe's batches are examples of which the first pair is the right one, with target 1, and the others have target 0;
        the pairs of example i are those from `batch.first[i]` to `batch.first[i + 1]`.
        """


# What a learner may have besides; see `_LearnerAdapter`.
_OPTIONAL_METHODS = ("begin", "refresh", "weights", "save", "restore", "score_by_slow_copy")


class Agent(Protocol):
    """What searches teach, for `train(..., agent=...)`."""

    def teach(self, trace: SearchTrace, /) -> Iterable[tuple[Any, Any, Any]]:
        """The lessons of a search that has ended, solved or not: each is (parents, candidates, targets) of equal length, the first
        two as places in `trace.states`. An attribute `loss` says what targets mean: "contrastive" (the default: the first pair is
        the right one), "binary" or "squared"; `head` is "bilinear" (the default) or "value". A method `choose(trace)` replaces the
        beam search, as the argument `choose` of `search` does: it returns the places of the states to expand next."""


@dataclass(frozen=True)
class LearnerStart:
    """What a run tells its learner in the beginning."""

    weights: dict[str, NDArray[np.float32]] = field(repr=False)
    """Of a network of conpole with the settings of the run: those of the model that `init` names, or random ones."""
    sizes: dict[str, int]
    """Of that network: embedding, hidden, layers and so on."""
    loss: str
    """What the agent minimises: contrastive, binary or squared."""
    weight_decay: float
    clip: float
    threads: int
    device: str
    target: dict[str, float] | None
    """When a slow copy takes over the weights: `every` that many gradient steps, or by a moving `average`; None for agents that need
    none."""
    skips_spaces: bool
    """Whether that network reads texts without their spaces, as the setting `spaces` says."""
    alphabet: str
    """The signs outside ASCII that that network tells apart, for `batch.texts.padded(alphabet=...)`."""


class TrainingKeywords(TypedDict, total=False):
    """The settings of `train`; `conpole.settings()` says what they mean."""

    device: str
    steps: int
    seconds: float
    seed: int
    threads: int
    variant: Literal["repaired", "as-published"]
    network: str
    walk_length: int
    beam: int
    beam_value: Literal["sum", "last", "log-probability"]
    max_steps: int
    in_flight: int
    problems: str | range
    curriculum: str
    abstractions: str
    axioms_share: float
    negatives: Literal["own-parent", "algorithm-1", "local"]
    batch: int
    gradient_steps: float
    learning_rate: float
    eval_every: int
    eval_seeds: str | range
    validation_seeds: str | range
    checkpoint_minutes: float


class _LearnerAdapter:
    """What C++ calls: a learner with all methods, those that it has not replaced by what is usual."""

    def __init__(self, learner: Learner) -> None:
        for name in ("score", "learn"):
            if not callable(getattr(learner, name, None)):
                raise TypeError(f"a learner needs the methods score and learn; {type(learner).__name__} has no {name}")
        self.learner = learner
        self.score = learner.score
        self.optional: dict[str, Callable[..., Any]] = {
            name: getattr(learner, name) for name in _OPTIONAL_METHODS if callable(getattr(learner, name, None))
        }
        self.native_scores = bool(getattr(learner, "native_scores", False))
        if self.native_scores and "weights" not in self.optional:
            raise TypeError("native_scores needs a method weights, which gives the weights of a network that conpole knows")

    def begin(self, *start: Any) -> None:
        settings = LearnerStart(*start)
        if settings.target is not None and "score_by_slow_copy" not in self.optional:
            raise Error("this agent asks a slow copy of the network, and the learner has no method score_by_slow_copy")
        if "begin" in self.optional:
            self.optional["begin"](settings)

    def learn(self, batch: PairBatch, learning_rate: float) -> float:
        return float(self.learner.learn(batch, learning_rate))

    def score_by_slow_copy(self, batch: PairBatch) -> Any:
        return self.optional["score_by_slow_copy"](batch)

    def refresh(self) -> None:
        if "refresh" in self.optional:
            self.optional["refresh"]()

    def weights(self) -> dict[str, Any] | None:
        return dict(self.optional["weights"]()) if "weights" in self.optional else None

    def save(self) -> bytes:
        return bytes(self.optional["save"]()) if "save" in self.optional else b""

    def restore(self, saved: bytes) -> None:
        if "restore" not in self.optional:
            raise Error("the learner has no method restore, so that its run cannot be resumed")
        self.optional["restore"](saved)


class _AgentAdapter:
    def __init__(self, agent: Agent) -> None:
        self.teach = agent.teach
        self.loss = getattr(agent, "loss", "contrastive")
        self.head = getattr(agent, "head", "bilinear")
        self.choose = getattr(agent, "choose", None)


@dataclass(frozen=True)
class TrainingResult:
    """What a run has come to."""

    folder: Path
    done: bool
    """Whether the run is over; if not, it was interrupted, and `train(out=..., resume=True)` goes on."""
    best_model: Path | None
    """The policy that did best on the validation problems; None if none was evaluated yet."""
    last_model: Path | None
    status: dict[str, Any] = field(repr=False)
    """The last of the metrics, with the best of the validation."""
    metrics: dict[str, list[float | None]] = field(repr=False)
    """All metrics of the run as columns of equal length, `step` and `seconds` among them; None where a line has no number."""

    def _repr_html_(self) -> str:
        last = {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in self.status.items() if value is not None}
        rows = [("folder", self.folder), ("done", self.done), ("best model", self.best_model or "none yet"), *last.items()]
        return _success_curve(self.metrics) + table(rows)


@dataclass(frozen=True)
class SeedsResult:
    """What runs that differ in their seeds have come to together."""

    folder: Path
    runs: dict[int, TrainingResult]
    """By seed."""
    summary: dict[str, dict[str, Any]] = field(repr=False)
    """Of each metric of the last evaluations: `mean`, `deviation` (the sample's standard deviation), `min`, `max` and `values`."""
    metrics: dict[str, list[float | None]] = field(repr=False)
    """The mean curve, as `metrics` of a run; success also has the least and the greatest (`eval_success_min`, `eval_success_max`)."""

    def _repr_html_(self) -> str:
        columns = ("mean", "deviation", "min", "max")
        rows = [(name, *(f"{of[column]:.4g}" for column in columns)) for name, of in self.summary.items()]
        return _success_curve(self.metrics) + table(rows, (f"{len(self.runs)} runs", *columns))


def _success_curve(metrics: dict[str, list[float | None]]) -> str:
    lines = zip(metrics.get("step", ()), metrics.get("eval_success", ()), strict=False)
    points = [(step, share) for step, share in lines if step is not None and share is not None]
    return curve([step for step, _ in points], [share for _, share in points], "test problems solved, by steps")


def train_seeds(
    domain: "AnyDomain | Sequence[AnyDomain] | None" = None,
    *,
    seeds: int | Iterable[int],
    out: str | os.PathLike[str],
    resume: bool = False,
    learner: Callable[[], Learner] | None = None,
    **settings: Any,
) -> SeedsResult:
    """Trains with several seeds, one after the other, each in a folder of its own (`out`/seed-N), and sums the runs up.

    `seeds` is how many, from 1 on, or the seeds themselves. All else is as in `train`, but that `learner` makes one for each run: it
    may be a class. With `resume` runs that were begun go on. As `conpole train --seeds`, it leaves summary.json and metrics.jsonl in
    the folder.
    """
    chosen = list(range(1, seeds + 1) if isinstance(seeds, int) else seeds)
    if not chosen or len(set(chosen)) != len(chosen) or min(chosen) < 0:
        raise Error("seeds are at least one, all different, and none is negative")
    if "seed" in settings:
        raise TypeError("train_seeds takes seeds, and no seed")
    if learner is not None and not callable(learner):
        raise TypeError("every run needs a learner of its own: give what makes one, its class for example")
    folder = Path(out)
    runs: dict[int, TrainingResult] = {}
    for seed in chosen:
        own = folder / f"seed-{seed}"
        begun = resume and own.exists()
        runs[seed] = train(
            domain, out=own, resume=begun, learner=None if learner is None else learner(), seed=seed, **settings
        )
    _native.write_seed_summary(folder, [(seed, os.fspath(run.folder)) for seed, run in runs.items()])
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["last"]
    return SeedsResult(folder, runs, summary, _read_metrics(folder / "metrics.jsonl"))


def train(
    domain: "AnyDomain | Sequence[AnyDomain] | None" = None,
    *,
    out: str | os.PathLike[str],
    resume: bool = False,
    config: str | os.PathLike[str] | None = None,
    progress: "Progress | Literal['auto'] | None" = "auto",
    program: str | os.PathLike[str] | None = None,
    learner: Learner | None = None,
    agent: "str | Agent | None" = None,
    init: "str | os.PathLike[str] | Model | None" = None,
    **settings: "Unpack[TrainingKeywords]",
) -> TrainingResult:
    """Learns a policy for a domain, in the folder `out`, and returns when that is done.

    `domain` is a domain, its text, `python:MODULE.CLASS`, or a class derived from PyDomain that can be imported; several, as in
    `train(["sorting", "fractions"], out="run")`, are learned by one network. The settings are those of `conpole train`, with
    underscores: `train("sorting", out="run", learning_rate=0.002, agent="drrn")`. Ctrl-C, and what `progress` raises, ends the run
    with a checkpoint. Raises Error with the program's message if something does not fit.

    The program is `program`, or else what CONPOLE_PROGRAM names, or the `conpole` in PATH; that of a wheel does not
    train. Where there is none that does, the run is done in this process: on a CPU by the same learner as the program's, on a GPU by
    `conpole.torch.Learner`, which is slower. Networks of the kind residual need a program. `conpole.settings()` lists the settings.

    `progress` is called with what happens. By default it is told on stderr: on a terminal and in a notebook by a line that changes,
    elsewhere by a line per evaluation, and one a minute between them; None for nothing.

    With a `learner`, an object with the methods of Learner, all is done in this process, and the learner may be anything that Python
    has, for example a network in PyTorch. `agent` is the name of an agent or, with a learner, an Agent of your own. A learner may
    also have: `begin(start)`, which is told a LearnerStart; `refresh()`, called when searches are to use what was learned;
    `save()` and `restore(bytes)` for checkpoints, without which a run cannot be resumed; and `weights()`, the tensors of one of
    conpole's own networks by name (start.weights has them). A learner with `weights` leaves models in the folder, others leave
    what `save` gives in best.learner and last.learner. With `native_scores = True`, searches ask conpole's engine, with these
    weights, instead of `score`.

    `init` is a model, or its file, whose weights a new run begins with.
    """
    if agent is not None and not isinstance(agent, str) and learner is None:
        raise TypeError("an agent in Python needs a learner in Python")
    given: dict[str, Any] = dict(settings)
    if "seeds" in given:
        raise TypeError("a run has one seed; conpole.train_seeds trains with several")
    folder = Path(out)
    if domain is not None and not isinstance(domain, (str, Domain, type)):
        domain = " + ".join(_domain_text(one) for one in domain)
    if progress == "auto":
        progress = TrainingReport()
    here = learner is not None
    if learner is None and program is None and _lacks_trainer():
        here = True
        learner = _learner_for_gpu(str(given.get("device", "auto")))
        if agent is None and not resume and config is None:
            agent = "cvi"  # what the program begins with
        if given.get("device", "auto") == "auto":
            given["device"] = "cpu" if learner is None else "cuda"
    with _init_file(init) as init_path:
        if init_path is not None:
            given["init"] = init_path
        if isinstance(agent, str):
            given["agent"] = agent
        if here:
            own_agent = None if isinstance(agent, str) else agent
            end = _train_here(domain, folder, resume, config, progress, learner, own_agent, given)
        else:
            end = _train_by_program(domain, folder, resume, config, progress, program, given)
    return TrainingResult(
        folder=folder,
        done=end.pop("done"),
        best_model=_optional_path(end.pop("best_model")),
        last_model=_optional_path(end.pop("last_model")),
        status={name: value for name, value in end.items() if name != "event"},
        metrics=_read_metrics(folder / "metrics.jsonl"),
    )


@contextlib.contextmanager
def _init_file(init: "str | os.PathLike[str] | Model | None") -> Iterator[str | None]:
    """The file of a model, which is written for this if it is none yet."""
    if isinstance(init, Model):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "init.safetensors")
            _native.write_model(init, path)
            yield path
    else:
        yield None if init is None else os.fspath(init)


def _train_by_program(
    domain: "str | Domain | type[PythonDomain] | None",
    folder: Path,
    resume: bool,
    config: str | os.PathLike[str] | None,
    progress: Progress | None,
    program: str | os.PathLike[str] | None,
    settings: dict[str, Any],
) -> dict[str, Any]:
    """Runs the program to its end and returns the last thing that it told."""
    command = [_find_program(program), "train", "--json", "--out", os.fspath(folder)]
    if resume:
        command.append("--resume")
    if config is not None:
        command += ["--config", os.fspath(config)]
    if domain is not None:
        command += ["--domain", _domain_text(domain)]
    for name, value in settings.items():
        command += ["--" + name.replace("_", "-"), _setting_text(name, value)]
    return _run(command, progress)


def _train_here(
    domain: "str | Domain | type[PythonDomain] | None",
    folder: Path,
    resume: bool,
    config: str | os.PathLike[str] | None,
    progress: Progress | None,
    learner: Learner | None,
    agent: Agent | None,
    settings: dict[str, Any],
) -> dict[str, Any]:
    """Runs the training loop in this process, with a learner in Python or conpole's own, and returns the last thing that it told."""
    adapter = None if learner is None else _LearnerAdapter(learner)
    are_several = isinstance(domain, str) and " + " in domain and "\n" not in domain
    object_of_domain = None if are_several else _domain_object(domain)
    record = _record(object_of_domain, learner, agent)
    _require_same(folder, resume, record)
    given = {name.replace("_", "-"): _setting_text(name, value) for name, value in settings.items()}
    if are_several:
        given["domain"] = cast(str, domain)
    if object_of_domain is not None:
        given["domain"] = object_of_domain.spec
        if isinstance(object_of_domain, PythonDomain):
            given.setdefault("threads", "1")
    unknown = sorted(given.keys() - {name for name, *_ in _native.all_settings()})
    if unknown:
        raise Error(f"there is no setting {unknown[0]!r}")
    saves_learner = adapter is not None and "weights" not in adapter.optional and "save" in adapter.optional
    best = folder / "best.learner"
    last = folder / "last.learner"

    def observe(event: dict[str, Any]) -> None:
        is_best = event["event"] == "evaluated" and event["best_step"] == event["step"]
        if is_best and saves_learner and adapter is not None:
            _write_whole(best, adapter.save())
        if progress is not None:
            progress(event)

    end = _native.train(
        folder=os.fspath(folder),
        resume=resume,
        config="" if config is None else os.fspath(config),
        given=given,
        domain=object_of_domain,
        learner=adapter,
        agent=None if agent is None else _AgentAdapter(agent),
        observe=observe,
        version=_native.__version__,
        record=record,
    )
    if saves_learner and adapter is not None:
        _write_whole(last, adapter.save())
        end["last_model"] = last
        end["best_model"] = best if best.exists() else None
    return end


def _record(domain: Domain | None, learner: Learner | None, agent: Agent | None) -> dict[str, str]:
    """What config.toml says about this process and the parts of a run that are written in Python."""
    record = {"python": platform.python_version()}
    if learner is not None:
        record["learner"] = _name_of(learner)
    if _native.commit:
        record["commit"] = _native.commit
    if "torch" in sys.modules:
        record["torch"] = str(sys.modules["torch"].__version__)
    if isinstance(domain, PythonDomain):
        record["domain-class"] = _name_of(domain)
        record["domain-arguments"] = json.dumps({name: _described(value) for name, value in sorted(vars(domain).items())})
    if agent is not None:
        record["agent-class"] = _name_of(agent)
    return record


def _name_of(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _described(value: object) -> Any:
    """A value as JSON, or what tells it from others."""
    try:
        json.dumps(value)
        return value
    except (TypeError, ValueError):
        pass
    try:
        return f"{_name_of(value)} {hashlib.sha256(pickle.dumps(value)).hexdigest()[:16]}"
    except Exception:  # whatever classes of others raise
        return _name_of(value)


def _require_same(folder: Path, resume: bool, record: dict[str, str]) -> None:
    """Raises Error if a run is resumed with other parts than it was begun with. Other versions and commits are only recorded."""
    config = folder / "config.toml"
    if not resume or not config.exists():
        return
    kept = _native.run_record(os.fspath(config))
    for key, what in (("domain-class", "class of the domain"), ("domain-arguments", "arguments of the domain"), ("learner", "learner"),
                      ("agent-class", "agent")):  # fmt: skip
        then, now = kept.get(key), record.get(key)
        if then is not None and then != now:
            raise Error(f"{folder} is a run with the {what} {then}, and cannot go on with {now or 'none'}")


def _lacks_trainer() -> bool:
    """Whether there is no program that trains: none at all, or only the one in the wheel."""
    if os.environ.get("CONPOLE_PROGRAM"):
        return False
    found = shutil.which("conpole")
    if found is None:
        return True
    listed = subprocess.run([found, "train", "--help"], capture_output=True, check=False)  # noqa: S603
    # Where the program cannot train, the command of the package can, by this function.
    return listed.returncode != 0 or b"--json" not in listed.stdout


def _learner_for_gpu(device: str) -> Learner | None:
    """One in PyTorch, for a GPU that it can use; None where conpole's own learner trains, on the CPU."""
    if device == "cpu":
        return None
    try:
        import torch

        from conpole.torch import Learner as TorchLearner
    except ImportError as error:
        if device == "auto":
            return None
        raise Error(
            f"training on {device} needs PyTorch (pip install conpole[torch]) or a program conpole that trains: name it with "
            "program= or CONPOLE_PROGRAM"
        ) from error
    return TorchLearner() if device != "auto" or torch.cuda.is_available() else None


@dataclass(frozen=True)
class Setting:
    """A setting of `train`."""

    name: str
    """As a keyword of `train`; `conpole train` has dashes in place of underscores."""
    meaning: str
    range: str
    default: str
    """As text; empty where the recipe chooses it."""
    topic: str


class Settings(list[Setting]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        return table(((one.topic, one.name, one.default, one.meaning) for one in self), ("topic", "setting", "default", "meaning"))


def settings() -> list[Setting]:
    """All settings of `train`, in the order in which `conpole train --help` shows them."""
    return Settings(Setting(name.replace("-", "_"), *rest) for name, *rest in _native.all_settings())


class TrainingReport:
    """What `train` tells by default: `train(..., progress=TrainingReport(every=10))` tells it every ten seconds."""

    def __init__(self, every: float = 60.0, file: TextIO | None = None) -> None:
        self.every = every
        self.file = sys.stderr if file is None else file
        self.lives = self.file.isatty() or "ipykernel" in sys.modules
        self.told = time.monotonic()
        self.width = 0

    def __call__(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "warning":
            self._print(f"warning: {event['message']}")
        elif kind == "evaluated":
            self._print(self._line(event))
        elif kind == "progress" and self.lives:
            line = self._line(event)
            self.file.write("\r" + line.ljust(self.width))
            self.file.flush()
            self.width = len(line)
        elif kind == "progress" and time.monotonic() - self.told >= self.every:
            self._print(self._line(event))

    @staticmethod
    def _line(event: dict[str, Any]) -> str:
        parts = [f"step {event['step']:,}", f"{event['seconds']:.0f} s"]
        for name, words in (("solved_rate", "solved {:.1%}"), ("loss", "loss {:.4f}"), ("eval_success", "test {:.1%}")):
            if event.get(name) is not None:
                parts.append(words.format(event[name]))
        if event.get("best_validation") is not None:
            parts.append(f"best {event['best_validation']:.1%}")
        return ", ".join(parts)

    def _print(self, line: str) -> None:
        self.file.write(("\r" if self.width else "") + line.ljust(self.width) + "\n")
        self.file.flush()
        self.width = 0
        self.told = time.monotonic()


def _write_whole(path: Path, content: bytes) -> None:
    """Writes beside the place of the file and renames, so that nobody sees half of it."""
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def _domain_object(domain: "str | Domain | type[PythonDomain] | None") -> Domain | None:
    if domain is None or isinstance(domain, Domain):
        return domain
    if isinstance(domain, str):
        if domain.startswith("python:"):
            raise Error("with a learner in Python, give the domain itself and not its name")
        return Domain(domain)
    return domain()  # type: ignore[call-arg]


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
        raise Error("there is no program conpole in PATH; name one that trains with program= or CONPOLE_PROGRAM")
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
