"""Solutions as data, many lines judged at a time, and domains as tasks for language models."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from conpole import _native
from conpole._native import Domain, Error, Model
from conpole._searching import Scorer, as_domain, default_scorer
from conpole._show import fields, listed, table

Format = Literal["jsonl", "processbench", "fover", "trl", "chat", "parquet"]


@dataclass(frozen=True)
class Export:
    """What `export` has written."""

    path: Path
    problems: int
    """That were tried."""
    solved: int
    traces: int
    steps: int
    """Labelled lines, alternatives included."""
    right: int
    wrong: int
    not_known: int
    """Lines of which the judge cannot tell."""
    kinds: dict[str, int] = field(repr=False)
    mistakes: dict[str, int] = field(repr=False)

    def _repr_html_(self) -> str:
        return fields(self, "path", "problems", "solved", "traces", "steps", "right", "wrong", "not_known", "kinds", "mistakes")


def export(
    domain: str | Domain,
    out: str | os.PathLike[str],
    *,
    count: int,
    format: Format = "jsonl",
    wrong: int = 1,
    alternatives: int = 0,
    first_seed: int = 0,
    seed: int = 0,
    shard: str = "0/1",
    resume: bool = False,
    scorer: Scorer | None = None,
    beam: int = 10,
    max_steps: int = 60,
    language: str = "en",
    threads: int = 0,
) -> Export:
    """Writes labelled solutions, and wrong ones made on purpose, to a file, as `conpole traces` does; docs/traces.md describes it.

    What is written depends on the arguments alone, not on threads or load. `format` may also be parquet (which needs pyarrow): the
    objects of jsonl as columns. `shard` I/N makes the part I of N; `resume` goes on with a file that was begun with the same arguments.
    """
    made_for = as_domain(domain)
    guide = default_scorer(made_for) if scorer is None else scorer
    place = Path(out)
    lines = place if format != "parquet" else place.with_name(place.name + ".jsonl")
    counts = _native.write_traces(
        made_for,
        guide,
        path=os.fspath(lines),
        format="jsonl" if format == "parquet" else format,
        count=count,
        first=first_seed,
        shard=shard,
        wrong=wrong,
        alternatives=alternatives,
        seed=seed,
        beam=beam,
        max_steps=max_steps,
        language=language,
        resume=resume,
        scorer_name=_scorer_name(guide),
        version=_native.__version__,
        threads=threads,
    )
    if format == "parquet":
        _write_parquet(lines, place)
        lines.with_name(lines.name + ".md").replace(place.with_name(place.name + ".md"))
        lines.with_name(lines.name + ".progress").unlink()
        lines.unlink()
    return Export(path=place, **counts)


def _scorer_name(scorer: Scorer) -> str:
    if isinstance(scorer, str):
        return scorer
    return f"model {scorer.domain}" if isinstance(scorer, Model) else type(scorer).__name__


def _write_parquet(lines: Path, out: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise Error("the format parquet needs pyarrow: pip install conpole[data]") from error
    text, flag = pyarrow.string(), pyarrow.bool_()
    line = [("kind", text), ("state", text), ("text", text), ("action", text), ("sentence", text), ("mistake", text)]
    line += [("right", flag), ("same_solutions", flag), ("helps", flag)]
    step = pyarrow.struct([*line, ("alternatives", pyarrow.list_(pyarrow.struct(line)))])
    columns = [("id", text), ("domain", text), ("seed", pyarrow.uint64()), ("problem", text), ("text", text)]
    columns += [("steps", pyarrow.list_(step)), ("first_error", pyarrow.int32()), ("answer", text), ("verdict", text)]
    schema = pyarrow.schema(columns)
    unfinished = out.with_name(out.name + ".unfinished")
    with open(lines, encoding="utf-8") as file, pyarrow.parquet.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        group: list[dict[str, Any]] = []
        for row in file:
            group.append(json.loads(row))
            if len(group) == 10_000:
                writer.write_table(pyarrow.Table.from_pylist(group, schema))
                group = []
        writer.write_table(pyarrow.Table.from_pylist(group, schema))
    unfinished.replace(out)


@dataclass(frozen=True)
class CheckedLines:
    """What is known of each of many lines: 1 it is so, 0 it is not, -1 that cannot be told."""

    readable: NDArray[np.int8]
    is_true: NDArray[np.int8]
    """Whether it has the solutions, or the value, of the line before."""
    follows: NDArray[np.int8]
    """Whether it is true, and not by coincidence only: the label of a step."""

    def __len__(self) -> int:
        return len(self.readable)

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), *((vars(self)[name] == value).sum() for value in (1, 0, -1))) for name in vars(self)]
        return table(rows, (f"{len(self)} lines", "yes", "no", "cannot tell"))


def check_batch(
    current: Sequence[str], lines: Sequence[str], domain: str | Domain = "algebra", *, language: str = "en", threads: int = 0
) -> CheckedLines:
    """Judges many lines at a time, each against its current line, both in free notation; without words and without a search, so that
    it takes microseconds where `check` takes milliseconds."""
    return CheckedLines(*_native.check_batch(as_domain(domain), list(current), list(lines), language, threads))


# --- Tasks ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """A problem for a language model, with the fields of Reasoning Gym and of `verifiers`."""

    question: str
    answer: str
    """One that is right; `TaskSet.score_answer` takes any that is."""
    metadata: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        if name == "info":
            return self.metadata
        if name == "prompt":
            return [{"role": "user", "content": self.question}]
        if name not in ("question", "answer", "metadata"):
            raise KeyError(name)
        return getattr(self, name)

    def keys(self) -> list[str]:
        return ["question", "answer", "metadata"]

    def _repr_html_(self) -> str:
        return fields(self, "question", "answer", "metadata")


class TaskSet:
    """Problems of a domain as tasks: `len`, `[i]` and iteration give a `Task` each, and `score_answer` judges what a model says.

        tasks = conpole.TaskSet("algebra", size=500, seed=42)
        reward = tasks.score_answer(reply, tasks[7])

    Where the solved state is the same for all problems, as of a cube, the answer is the actions that lead there. It has the methods of a
    dataset of Reasoning Gym, and `reward` is a function as environments of `verifiers` take them.
    """

    def __init__(self, domain: str | Domain, *, size: int = 500, seed: int = 0, language: str = "en") -> None:
        if size < 1:
            raise Error("size must be at least 1")
        self.domain = as_domain(domain)
        self.size = size
        self.seed = seed
        self.language = language
        self._asks_for_actions = _native.layout_moves(self.domain) is not None

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Task]:
        return (self[i] for i in range(self.size))

    def __getitem__(self, index: int) -> Task:
        if not -self.size <= index < self.size:
            raise IndexError(index)
        from conpole._solving import solve

        seed, state, text = self._problem(index)
        found = solve(text, self.domain, language=self.language)
        answer = found.answer or found.message
        how = 'Write one line per step, and end with a line that begins with "Answer:".'
        if self._asks_for_actions:
            answer = ", ".join(step.action for step in found.steps)
            actions = ", ".join(self.domain.step([state])[0][1])
            how = f'End with a line that begins with "Answer:" and has the actions in their order, separated by commas. Now there are: {actions}.'
        question = f"Solve this problem of {self.domain.name}. {how}\n\n{text}"
        about = {"source_dataset": f"conpole-{self.domain.name}", "source_index": index % self.size, "seed": seed, "problem": text}
        return Task(question, answer, {**about, "steps": len(found.steps)})

    def score_answer(self, answer: str | None, entry: "Task | dict[str, Any]") -> float:
        """1 for a right answer; else the share of the lines before the first wrong one, up to a half. Of lines that are the same as the
        problem or one another only the first counts, and what is no line of a solution is passed over."""
        if not answer:
            return 0.0
        problem = entry["metadata"]["problem"]
        lines = [line.strip() for line in answer.splitlines() if line.strip()]
        final = next((line for line in reversed(lines) if _ANSWER.match(line)), lines[-1] if lines else "")
        from conpole._solving import check

        given = _ANSWER.sub("", final).strip()
        if self._asks_for_actions:
            return float(self._leads_to_the_end(problem, given))
        if check(problem, given, self.domain, language=self.language).kind == "solved":
            return 1.0
        read = [(line, self._state(line)) for line in [problem, *lines] if not _ANSWER.match(line)]
        steps, states = zip(*[(line, state) for line, state in read if state is not None], strict=True)
        if len(steps) == 1:
            return 0.0
        checked = check_batch(steps[:-1], steps[1:], self.domain, language=self.language)
        right = int(np.argmax(np.append(checked.follows != 1, True)))
        return 0.5 * (len(set(states[: right + 1])) - 1) / (len(steps) - 1)

    def reward(self, completion: Any, info: dict[str, Any], **_: Any) -> float:
        """The score of a completion: its text, or messages of which the last one counts."""
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        return self.score_answer(text, {"metadata": info})

    def _repr_html_(self) -> str:
        return listed([self._problem(i)[2] for i in range(min(self.size, 20))], f"the first of {self.size} tasks of {self.domain.name}")

    def _problem(self, index: int) -> tuple[int, str, str]:
        """The seed of a task, and its problem as a state and as people write it."""
        seed = self.seed + index % self.size
        state = self.domain.generate(seed)
        return seed, state, _native.write_notation(self.domain, state)

    def _state(self, line: str) -> str | None:
        try:
            return _native.read_notation(self.domain, line, self.language)[0]
        except Error:
            return None

    def _leads_to_the_end(self, problem: str, actions: str) -> bool:
        state = _native.read_notation(self.domain, problem, self.language)[0]
        try:
            for action in actions.split(","):
                ((_, state),) = self.domain.apply(state, action.strip())
        except ValueError:  # it is no action, or not one alone
            return False
        return self.domain.solved(state)


_ANSWER = re.compile(r"^(the )?(final )?answer( is)?\s*[:=]?\s*", re.IGNORECASE)
