"""Learners and agents written in Python, in the training loop of C++."""

import math
import platform
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import conpole
from conpole import _native
from conpole._training import TrainingKeywords

SETTINGS: dict[str, Any] = {
    "steps": 1200,
    "eval_every": 400,
    "in_flight": 16,
    "batch": 8,
    "curriculum": "short",
    "eval_seeds": "0:20",
    "validation_seeds": "20:40",
    "network": "lstm:embedding=4,hidden=4",
    "threads": 1,
    "checkpoint_minutes": 0,
}
DOMAIN = "sorting:max_length=4"


class Linear:
    """Prefers candidates by a linear function of how often each pair of characters stands in them."""

    def __init__(self) -> None:
        self.table = np.zeros(1 << 14)
        self.gradient_steps = 0
        self.start: conpole.LearnerStart | None = None

    def begin(self, start: conpole.LearnerStart) -> None:
        self.start = start

    def places(self, batch: conpole.PairBatch) -> Any:
        characters, lengths = batch.texts.padded()
        columns = np.arange(1, max(2, characters.shape[1]))
        ids = characters[:, :-1].astype(np.int64) * 128 + characters[:, 1:] + 7 * columns % (1 << 14)
        return np.where(columns < lengths[:, None], ids % (1 << 14), 0)

    def score(self, batch: conpole.PairBatch) -> Any:
        return self.table[self.places(batch)].sum(axis=1)[batch.candidates]

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> float:
        assert batch.targets is not None and 0 < learning_rate < 1
        places, scores = self.places(batch), self.score(batch)
        loss = 0.0
        for begin, end in zip(batch.first, batch.first[1:], strict=False):
            shares = np.exp(scores[begin:end] - scores[begin:end].max())
            shares /= shares.sum()
            loss -= math.log(max(shares[0], 1e-9))
            for pair in range(begin, end):
                np.add.at(self.table, places[batch.candidates[pair]], 0.05 * (batch.targets[pair] - shares[pair - begin]))
        self.table[0] = 0
        self.gradient_steps += 1
        return loss / (len(batch.first) - 1)

    def save(self) -> bytes:
        return self.table.tobytes()

    def restore(self, saved: bytes) -> None:
        self.table = np.frombuffer(saved).copy()


def test_a_learner_in_python(tmp_path: Path) -> None:
    learner = Linear()
    events: list[dict[str, Any]] = []
    result = conpole.train(DOMAIN, out=tmp_path / "run", learner=learner, progress=events.append, **SETTINGS)
    assert result.done and result.status["step"] >= 1200
    assert learner.gradient_steps == result.status["gradient_steps"] > 0
    assert result.metrics["eval_success"][-1] == result.status["eval_success"]
    assert result.status["loss"] > 0 and [event["event"] for event in events].count("evaluated") == len(result.metrics["step"])
    start = learner.start
    assert start is not None and start.loss == "contrastive" and start.sizes == {"embedding": 4, "hidden": 4, "layers": 1}
    assert start.weights["embedding.weight"].shape == (96, 4) and start.threads == 1 and start.target is None
    assert result.last_model == tmp_path / "run" / "last.learner" and result.last_model.read_bytes() == learner.save()
    assert result.best_model is not None and result.best_model.is_file()
    # It goes on where it was, with another object.
    again = Linear()
    longer = conpole.train(out=tmp_path / "run", resume=True, learner=again, steps=1600)
    assert longer.done and longer.status["step"] >= 1600 and again.gradient_steps < longer.status["gradient_steps"]
    with pytest.raises(conpole.Error, match="has a run already"):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=learner, **SETTINGS)


class FromWeights:
    """Learns nothing, and scores by conpole's engine."""

    native_scores = True

    def begin(self, start: conpole.LearnerStart) -> None:
        self.kept = start.weights

    def score(self, batch: conpole.PairBatch) -> Any:
        raise AssertionError("the engine was to be asked")

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> float:
        return 1.0

    def weights(self) -> dict[str, Any]:
        return self.kept


def test_a_learner_with_weights_leaves_models(tmp_path: Path) -> None:
    shipped = conpole.load_model("sorting")
    learner = FromWeights()
    settings = {name: value for name, value in SETTINGS.items() if name != "network"}  # that of the model
    settings |= {"steps": 200, "eval_every": 100, "agent": "cvi" if shipped.head == "value" else "conpole"}
    result = conpole.train(DOMAIN, out=tmp_path / "run", learner=learner, init=shipped, **settings)
    assert result.status["eval_success"] > 0.9, "it begins with the weights of the model"
    assert result.best_model == tmp_path / "run" / "best.safetensors"
    problems = conpole.Domain(DOMAIN).generate_batch(range(20))
    trained = conpole.load_model(result.best_model)
    assert np.allclose(trained.embed(problems), shipped.embed(problems), atol=1e-2)


class EveryStep:
    """An agent: the steps of solutions against the other candidates of the same state."""

    def __init__(self) -> None:
        self.lessons = 0

    def teach(self, trace: conpole.SearchTrace) -> Iterable[tuple[Any, Any, Any]]:
        for step, (state, following) in enumerate(zip(trace.solution, trace.solution[1:], strict=False)):
            listed = np.arange(trace.first[step], trace.first[step + 1])
            others = listed[(trace.parents[listed] == state) & (listed != following)]
            self.lessons += 1
            yield [state] * (1 + len(others)), [following, *others], [1] + [0] * len(others)


def test_an_agent_in_python(tmp_path: Path) -> None:
    agent = EveryStep()
    result = conpole.train(DOMAIN, out=tmp_path / "run", learner=Linear(), agent=agent, **SETTINGS)
    assert result.done and agent.lessons == result.status["replay_examples"] > 0
    with pytest.raises(TypeError, match="needs a learner"):
        conpole.train(DOMAIN, out=tmp_path / "other", agent=agent)


class OwnBeam(EveryStep):
    """The same with a search of its own, which is that of the package."""

    def choose(self, trace: conpole.SearchTrace) -> Any:
        listed = np.arange(trace.first[-2], trace.first[-1])
        return listed[np.argsort(-trace.scores[listed], kind="stable")[:5]]


def test_an_agent_searches_by_itself(tmp_path: Path) -> None:
    settings = {**SETTINGS, "beam": 5}
    usual = conpole.train(DOMAIN, out=tmp_path / "usual", learner=Linear(), agent=EveryStep(), **settings)
    own = conpole.train(DOMAIN, out=tmp_path / "own", learner=Linear(), agent=OwnBeam(), **settings)
    assert usual.status["loss"] > 0 and own.metrics["loss"] == usual.metrics["loss"]

    class Lazy(OwnBeam):
        def choose(self, trace: conpole.SearchTrace) -> Any:
            return super().choose(trace)[:1]

    lazy = conpole.train(DOMAIN, out=tmp_path / "lazy", learner=Linear(), agent=Lazy(), **settings)
    assert lazy.metrics["loss"] != usual.metrics["loss"]

    class Lost(OwnBeam):
        def choose(self, trace: conpole.SearchTrace) -> Any:
            return [len(trace)]

    with pytest.raises(IndexError, match="texts"):
        conpole.train(DOMAIN, out=tmp_path / "lost", learner=Linear(), agent=Lost(), **settings)


def test_a_domain_of_this_process(tmp_path: Path) -> None:
    assert conpole.train(Countdown(), out=tmp_path / "run", learner=Linear(), **SETTINGS).done


class Failing(Linear):
    def __init__(self, error: BaseException | None) -> None:
        super().__init__()
        self.error = error

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> float:
        if self.error is None:
            return math.nan
        raise self.error


@pytest.mark.parametrize(
    ("error", "raised", "message"),
    [(ZeroDivisionError("mine"), ZeroDivisionError, "mine"), (None, conpole.Error, "diverged")],
)
def test_learners_that_fail(tmp_path: Path, error: Any, raised: type[Exception], message: str) -> None:
    with pytest.raises(raised, match=message):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=Failing(error), **SETTINGS)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="score and learn"):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=object())  # type: ignore[arg-type]
    with pytest.raises(conpole.Error, match="there is no setting 'lerning-rate'"):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=Linear(), lerning_rate=1)
    with pytest.raises(conpole.Error, match="slow copy"):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=Linear(), agent="drrn", **SETTINGS)
    assert not (tmp_path / "run").exists()


def test_several_seeds(tmp_path: Path) -> None:
    settings = {**SETTINGS, "steps": 800}
    result = conpole.train_seeds(DOMAIN, seeds=[3, 5], out=tmp_path / "runs", learner=Linear, **settings)
    assert [*result.runs] == [3, 5] and all(run.done for run in result.runs.values())
    assert result.runs[5].folder == tmp_path / "runs" / "seed-5"
    last = [run.metrics["eval_success"][-1] for run in result.runs.values()]
    over = result.summary["eval_success"]
    assert over["values"] == last and over["mean"] == pytest.approx(np.mean(last)) and over["max"] == max(last)
    assert result.metrics["eval_success_min"][-1] == min(last)
    again = conpole.train_seeds(DOMAIN, seeds=[3, 5, 6], out=tmp_path / "runs", resume=True, learner=Linear, **settings)
    assert again.runs[3].metrics == result.runs[3].metrics and again.runs[6].done
    alone = conpole.train(DOMAIN, out=tmp_path / "alone", learner=Linear(), seed=5, **settings)
    assert alone.metrics["loss"] == result.runs[5].metrics["loss"]

    with pytest.raises(TypeError, match="train_seeds"):
        conpole.train(DOMAIN, out=tmp_path / "other", learner=Linear(), seeds=3)
    with pytest.raises(TypeError, match="its class"):
        conpole.train_seeds(DOMAIN, seeds=2, out=tmp_path / "other", learner=Linear())  # type: ignore[arg-type]
    with pytest.raises(conpole.Error, match="at least one"):
        conpole.train_seeds(DOMAIN, seeds=0, out=tmp_path / "other", learner=Linear)


def test_what_progress_raises_ends_the_run(tmp_path: Path) -> None:
    def stop(event: dict[str, Any]) -> None:
        if event["event"] == "evaluated":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        conpole.train(DOMAIN, out=tmp_path / "run", learner=Linear(), progress=stop, **{**SETTINGS, "steps": 1_000_000})
    assert conpole.train(out=tmp_path / "run", resume=True, learner=Linear(), steps=1).done, "nothing holds the folder any more"


def test_the_network_of_the_example_is_that_of_the_engine(sorting: conpole.Domain) -> None:
    torch = pytest.importorskip("torch")
    from conpole_in_pytorch import Network

    from conpole.torch import Policy

    policy = Policy("lstm", "bilinear", embedding=8, hidden=12, layers=2)
    network = Network(embedding=8, hidden=12, layers=2, alphabet=policy.alphabet)
    network.load_state_dict(policy.state_dict())
    buffer = conpole.ReplayBuffer()
    successors = sorting.expand(sorting.generate_batch(range(30)))
    parents = conpole.TextColumn(sorting.generate_batch(range(30))).take(successors.parents)
    buffer.add(parents, successors)
    batch = buffer.sample(1)
    with torch.inference_mode():
        scores = network(batch)
        expected = policy.score(*(batch.texts.take(places).tolist() for places in (batch.parents, batch.candidates)))
    assert len(scores) == len(batch) > 30
    assert torch.allclose(scores, expected, atol=1e-5)


@pytest.mark.parametrize("name", ["conpole_in_pytorch", "custom_network"])
def test_examples_in_pytorch(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    example = Path(__file__).parents[1] / "examples" / f"{name}.py"
    assert len(example.read_text().splitlines()) <= 100
    command = [sys.executable, example, tmp_path / "run", DOMAIN, "400"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "of the test problems are solved" in done.stdout


class Countdown(conpole.PyDomain):
    """Take one or two away until nothing is left."""

    def __init__(self, most: int = 9) -> None:
        super().__init__()
        self.most = most

    def generate(self, seed: int) -> str:
        return "●" * (2 + seed % self.most)

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        return [(f"take {n}", state[n:] or "○") for n in (1, 2) if n <= len(state)]

    def solved(self, state: str) -> bool:
        return state == "○"


def test_training_needs_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CONPOLE_PROGRAM", raising=False)
    result = conpole.train(DOMAIN, out=tmp_path / "run", **SETTINGS)
    assert result.done and result.best_model is not None and result.status["gradient_steps"] > 0
    assert conpole.load_model(result.best_model).head == "value", "by the agent that the program begins with"
    assert "step " in capsys.readouterr().err, "what happens is told"
    config = (tmp_path / "run" / "config.toml").read_text(encoding="utf-8")
    assert "device = 'cpu'" in config and "learner =" not in config, "conpole's own learner, where PyTorch sees no GPU"
    assert conpole.train(Countdown(7), out=tmp_path / "own", progress=None, **SETTINGS).done, "a domain in Python, too"
    with pytest.raises(conpole.Error, match="cannot be residual"):
        conpole.train("rubiks-cube", out=tmp_path / "cube", agent="walks", network="residual", progress=None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(conpole.Error, match="training on cuda needs PyTorch"):
        conpole.train(DOMAIN, out=tmp_path / "gpu", device="cuda", progress=None)


def test_a_run_on_a_python_domain_is_resumed_with_the_same_parts(tmp_path: Path) -> None:
    settings = {**SETTINGS, "steps": 200, "eval_every": 100}
    learner = Linear()
    conpole.train(Countdown(7), out=tmp_path / "run", learner=learner, progress=None, **settings)
    assert learner.start is not None and learner.start.alphabet == "○●"
    config = (tmp_path / "run" / "config.toml").read_text(encoding="utf-8")
    assert "Countdown" in config and '"most": 7' in config
    assert f"version = '{conpole.__version__}'" in config and f"python = '{platform.python_version()}'" in config
    assert (f"commit = '{_native.commit}'" in config) == bool(_native.commit)
    more = {"steps": 400, "progress": None}
    with pytest.raises(conpole.Error, match=r'with the arguments of the domain .*"most": 7.*, and cannot go on with .*"most": 8'):
        conpole.train(Countdown(8), out=tmp_path / "run", resume=True, learner=Linear(), **more)
    with pytest.raises(conpole.Error, match="with the learner .*Linear, and cannot go on with .*FromWeights"):
        conpole.train(Countdown(7), out=tmp_path / "run", resume=True, learner=FromWeights(), **more)
    assert conpole.train(Countdown(7), out=tmp_path / "run", resume=True, learner=Linear(), **more).done


def test_settings_are_listed() -> None:
    listed = {setting.name: setting for setting in conpole.settings()}
    assert listed["learning_rate"].meaning and listed["steps"].topic and "max_steps" in listed
    typed = TrainingKeywords.__annotations__
    assert [*listed] == [name for name in listed if name in typed or name in ("domain", "init", "agent")]
    assert len(listed) == len(typed) + 3
