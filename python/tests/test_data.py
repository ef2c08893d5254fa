"""Solutions as data, many lines judged at a time, tasks for language models, and models in folders."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import conpole


def test_export_is_the_same_every_time(tmp_path: Path) -> None:
    first = conpole.export("algebra", tmp_path / "a.jsonl", count=20, alternatives=2)
    conpole.export("algebra", tmp_path / "b.jsonl", count=20, alternatives=2, threads=1)
    text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    assert len(rows) == first.traces and first.problems == 20 and first.steps == first.right + first.wrong + first.not_known
    assert first.wrong > 10 and sum(first.kinds.values()) == first.steps
    for row in rows:
        labels = [step["right"] for step in row["steps"]]
        assert row["first_error"] == (labels.index(False) if False in labels else -1)
        assert (row["id"].endswith("-0")) == (row["first_error"] == -1)
    assert "labelled lines" in (tmp_path / "a.jsonl.md").read_text(encoding="utf-8")
    with pytest.raises(conpole.Error, match="exists already"):
        conpole.export("algebra", tmp_path / "a.jsonl", count=20)
    with pytest.raises(conpole.Error, match="unknown format"):
        conpole.export("algebra", tmp_path / "c", count=1, format="csv")  # type: ignore[arg-type]
    with pytest.raises(conpole.Error, match="a shard is I/N"):
        conpole.export("algebra", tmp_path / "c", count=1, shard="2/2")


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="there is no pyarrow")
def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    import pyarrow.parquet

    conpole.export("algebra", tmp_path / "a.jsonl", count=5)
    conpole.export("algebra", tmp_path / "a.parquet", count=5, format="parquet")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert table["id"].to_pylist() == [row["id"] for row in rows]
    assert [[step["right"] for step in steps] for steps in table["steps"].to_pylist()] == [
        [step["right"] for step in row["steps"]] for row in rows
    ]
    assert sorted(path.name for path in tmp_path.iterdir() if "parquet" in path.name) == ["a.parquet", "a.parquet.md"]


@pytest.mark.parametrize("name", ["ray", "spark"])
def test_shards_are_made_by_others(name: str, tmp_path: Path) -> None:
    """The scripts in deploy/, on this machine alone."""
    if find_spec("ray" if name == "ray" else "pyspark") is None or (name == "spark" and shutil.which("java") is None):
        pytest.skip(f"there is no {name.title()}")
    script = Path(__file__).parents[2] / "deploy" / f"traces_{name}.py"
    command = [sys.executable, str(script), "algebra", "30", str(tmp_path / "parts"), "2"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}  # of its workers
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr
    whole = conpole.export("algebra", tmp_path / "whole.jsonl", count=30)
    assert ended.stdout.splitlines()[-1] == f"{whole.steps} labelled steps"
    parts = [(tmp_path / "parts" / f"part-{shard}.jsonl").read_text(encoding="utf-8").splitlines() for shard in (0, 1)]
    assert sorted(parts[0] + parts[1]) == sorted((tmp_path / "whole.jsonl").read_text(encoding="utf-8").splitlines())


def test_check_batch_says_what_check_says() -> None:
    current = ["2x + 3 = 7"] * 5
    lines = ["2x = 4", "2x = 10", "x = 2", "2x + = 4", "3x + 1 = 7"]
    checked = conpole.check_batch(current, lines)
    assert checked.readable.tolist() == [1, 1, 1, 0, 1]
    assert checked.is_true.tolist() == [1, 0, 1, -1, 1]
    assert checked.follows.tolist()[:4] == [1, 0, 1, -1]
    for before, line, follows in zip(current, lines, checked.follows, strict=True):
        assert conpole.check(before, line).correct == (follows == 1)
    assert conpole.check_batch(["1/2 + 1/3"], ["5/6"], "fractions").follows.tolist() == [1]
    assert len(conpole.check_batch([], [])) == 0
    with pytest.raises(conpole.Error, match="1 current lines and 2 lines"):
        conpole.check_batch(["x = 1"], ["x = 1", "x = 2"])


def test_tasks_are_judged_by_what_answers_mean() -> None:
    tasks = conpole.TaskSet("algebra", size=3, seed=7)
    assert len(list(tasks)) == 3
    for task in tasks:
        assert task["metadata"]["problem"] in task["question"]
        assert tasks.score_answer(f"Answer: {task.answer}", task) == 1.0
        assert tasks.score_answer("", task) == 0.0 and tasks.score_answer(None, task) == 0.0
        assert tasks.score_answer("Answer: x = 123456", task) == 0.0
    entry = {"metadata": {"problem": "2x + 3 = 7"}}
    assert tasks.score_answer("2x = 4\nx = 2\nAnswer: x = 2", entry) == 1.0
    assert tasks.score_answer("2x = 4\nx = 3\nAnswer: x = 3", entry) == 0.25
    assert tasks.score_answer("So we get\n2x = 4\nand\nx = 3\nAnswer: x = 3", entry) == 0.25, "words are passed over"
    for repeated in ("2x + 3 = 7", "2x + 3 = 7\n3 + 2x = 7\n2x + 3 = 7\nx = 5", "Answer: 2x + 3 = 7"):
        assert tasks.score_answer(repeated, entry) < 0.2, "to say a line again is no progress"
    assert tasks.reward([{"role": "assistant", "content": "x = 2"}], entry["metadata"]) == 1.0
    with pytest.raises(IndexError):
        tasks[3]


def test_where_all_answers_are_the_same_the_way_is_asked_for() -> None:
    tasks = conpole.TaskSet("rubiks-cube:min_moves=2,max_moves=3", size=2, seed=1)
    solved = "UUUUUUUUU RRRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB"
    for task in tasks:
        assert tasks.score_answer(f"Answer: {task.answer}", task) == 1.0 and task.answer.split(", ")[0] in task.question
        for wrong in (solved, "", "U1", task.answer + ", U1", "U", "up"):
            assert tasks.score_answer(f"Answer: {wrong}", task) == 0.0


def test_a_model_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = conpole.load_model("sorting")
    model.save_pretrained(tmp_path / "sorting")
    again = conpole.Model.from_pretrained(tmp_path / "sorting")
    assert again.metadata == model.metadata
    card = (tmp_path / "sorting" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlibrary_name: conpole\n")
    # As the hub's own library keeps what it has fetched.
    cache = tmp_path / "cache" / "models--somebody--sorter"
    (cache / "snapshots").mkdir(parents=True)
    shutil.copytree(tmp_path / "sorting", cache / "snapshots" / "0123abcd")
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("0123abcd")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert conpole.from_pretrained("somebody/sorter").metadata == model.metadata
    monkeypatch.chdir(tmp_path)
    exec(card.split("```python\n")[1].split("```")[0].replace("range(100)", "range(3)"))  # noqa: S102
    with pytest.raises(conpole.Error, match="not in the local cache"):
        conpole.from_pretrained(tmp_path / "nothing")


def test_a_step_by_its_label_or_its_sentence() -> None:
    domain = conpole.Domain("equations")
    state = "(x + 3) = 7"
    by_label = domain.apply(state, "sub 3")
    assert by_label == [("sub 3", "((x + 3) - 3) = (7 - 3)")]
    assert domain.apply(state, "Subtract 3 from both sides.") == by_label == domain.apply(state, "subtract 3 from both sides")
    assert ("sub 3", by_label[0][1]) in domain.apply(state, "sub")
    assert domain.apply(state, "fly to the moon") == []
    with pytest.raises(conpole.Error):
        domain.apply(state, "nonsense")
