"""Texts in columns, traces, the replay buffer and scorers that work on them."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import conpole


def by_length(parents: list[str], candidates: list[str]) -> list[float]:
    """Scores with few ties, which depend on both texts."""
    return [(hash_of(candidate) % 1009 + hash_of(parent) % 13) / 1009 for parent, candidate in zip(parents, candidates, strict=True)]


def hash_of(text: str) -> int:
    return int(sum((place + 1) * byte for place, byte in enumerate(text.encode())))


def test_a_column_of_texts() -> None:
    texts = ["[=|==]", "", "[==|=]", "x = -2 µ"]
    column = conpole.TextColumn(texts)
    assert len(column) == 4 and column.tolist() == list(column) == texts
    assert column[0] == texts[0] and column[-1] == texts[-1]
    assert column[1:3].tolist() == texts[1:3] and column[::-2].tolist() == texts[::-2]
    assert bytes(column.text).decode() == "".join(texts)
    assert column.lengths.tolist() == [len(text.encode()) for text in texts]
    assert column.take([3, -4]).tolist() == [texts[3], texts[0]]
    assert column.take(np.array([True, False, False, True])).tolist() == [texts[0], texts[3]]
    assert column.take([]).tolist() == []
    characters, lengths = column.padded()
    assert characters.shape == (4, 9) and characters.dtype == np.uint8 and lengths.tolist() == column.lengths.tolist()
    assert [bytes(row[:length]).decode() for row, length in zip(characters, lengths, strict=True)] == texts
    assert not characters[1].any() and (column.padded(width=12, fill=7)[0][1] == 7).all()
    hashes = conpole.TextColumn([*texts, texts[2]]).hashes
    assert len(np.unique(hashes)) == 4 and hashes[2] == hashes[4]
    for same in (pickle.loads(pickle.dumps(column)), copy.deepcopy(column), conpole.TextColumn(column)):
        assert same == column
    assert conpole.TextColumn.from_arrays(bytes(column.text), column.offsets) == column
    assert column != column[1:]


@pytest.mark.parametrize(
    ("indices", "error"),
    [([4], IndexError), ([-5], IndexError), ([0.5], TypeError), ([True], IndexError), ([[0]], IndexError), (["0"], TypeError)],
)
def test_indices_that_are_none(indices: Any, error: type[Exception]) -> None:
    column = conpole.TextColumn(["a", "b", "c", "d"])
    with pytest.raises(error):
        column.take(indices)
    with pytest.raises(error):
        conpole.Domain("sorting").expand(["[=]"] * 4, indices)


def test_columns_that_are_none() -> None:
    with pytest.raises(TypeError):
        conpole.TextColumn("text")
    with pytest.raises(conpole.Error, match="the longest text has 2 bytes"):
        conpole.TextColumn(["ab"]).padded(width=1)
    for offsets in ([0, 3, 2], [0, 1], [1, 2], []):
        with pytest.raises(conpole.Error, match="offsets"):
            conpole.TextColumn.from_arrays(b"ab", np.array(offsets, dtype=np.int64))


@pytest.mark.parametrize("threads", [1, 2])
def test_expansions_are_taken_from_and_expanded_again(domain: conpole.Domain, threads: int) -> None:
    states = domain.generate_batch(range(80))
    columns = domain.expand(states, labels=True, threads=threads)
    steps = domain.step(states)
    assert columns.labels.tolist() == [action for _, actions, _ in steps for action in actions]
    assert columns.take(np.arange(len(columns))).tolist() == [state for _, _, following in steps for state in following]
    chosen = np.arange(0, len(columns), 3)
    again = domain.expand(columns, chosen, threads=threads)
    by_strings = domain.expand([columns[int(i)] for i in chosen], threads=threads)
    taken = domain.expand(columns.take(chosen), threads=threads)
    for other in (by_strings, taken):
        assert bytes(other.text) == bytes(again.text) and np.array_equal(other.first, again.first)
    labels = columns.labels
    expected = labels.tolist()
    assert pickle.loads(pickle.dumps(columns)).labels == labels
    del columns  # the labels keep it
    assert labels.tolist() == expected
    with pytest.raises(conpole.Error, match="labels=True"):
        _ = again.labels


def search_on_columns(domain: conpole.Domain, problem: str, scorer: Any, width: int, max_steps: int) -> list[str]:
    """Beam search on columns alone: the path of the solution, empty if there is none."""
    beam = conpole.TextColumn([problem])
    seen = set(beam.hashes.tolist())
    steps: list[tuple[conpole.TextColumn, Any, Any]] = []  # beam, parent and candidate of each step
    for _ in range(max_steps):
        columns = domain.expand(beam)
        candidates = columns.take(np.arange(len(columns)))
        hashes = candidates.hashes
        _, first = np.unique(hashes, return_index=True)
        fresh = np.array([i for i in np.sort(first) if int(hashes[i]) not in seen], dtype=np.int64)
        seen.update(hashes[fresh].tolist())
        if len(fresh) == 0:
            return []
        candidates, parents = candidates.take(fresh), columns.parents[fresh]
        solved = np.flatnonzero(domain.expand(candidates).solved)
        if len(solved):
            path = [candidates[int(solved[0])]]
            place = int(parents[solved[0]])
            path.append(beam[place])
            for earlier, chosen_parents, chosen in reversed(steps):
                place = int(chosen_parents[chosen[place]])
                path.append(earlier[place])
            return path[::-1]
        scores = np.asarray(scorer(beam.take(parents), candidates))
        chosen = np.argsort(-scores, kind="stable")[:width]
        steps.append((beam, parents, chosen))
        beam = candidates.take(chosen)
    return []


@pytest.mark.parametrize("name", ["sorting", "fractions"])
def test_a_beam_search_on_columns_gives_what_search_gives(name: str) -> None:
    domain = conpole.Domain(name)
    model = conpole.load_model(name)
    problems = domain.generate_batch(range(4))
    results = conpole.search(domain, problems, model, beam=3, beam_value="last", max_steps=8)
    found = [search_on_columns(domain, problem, model.score, 3, 8) for problem in problems if not domain.solved(problem)]
    expected = [result.path for problem, result in zip(problems, results, strict=True) if not domain.solved(problem)]
    assert any(expected) and found == expected


@pytest.mark.parametrize(("algorithm", "beam_value"), [("greedy", None), ("beam", "sum"), ("beam", "last")])
def test_traces(algorithm: str, beam_value: str | None) -> None:
    domain = conpole.Domain("sorting", max_length=6)
    problems = domain.generate_batch(range(30))
    options: Any = {"algorithm": algorithm, "beam": 3, "max_steps": 6, "beam_value": beam_value}
    results = conpole.search(domain, problems, by_length, **options)
    traced = conpole.search(domain, problems, by_length, trace=True, **options)
    assert [result.path for result in traced] == [result.path for result in results]
    assert any(result.solved for result in traced) and not all(result.solved for result in traced)
    for problem, result in zip(problems, traced, strict=True):
        trace = result.trace
        states = trace.states.tolist()
        assert states[0] == problem and trace.parents[0] == -1 and len(set(states)) == len(states) == len(trace)
        assert [states[i] for i in trace.solution] == result.path
        assert trace.solved.tolist() == [domain.solved(state) for state in states]
        beam = np.array([0])
        for step in range(trace.steps):
            begin, end = trace.first[step : step + 2]
            parents = trace.parents[begin:end]
            assert np.isin(parents, beam).all(), "candidates are reached from what was chosen before"
            for parent in beam:
                reached = set(domain.step([states[parent]])[0][2])
                assert {states[i] for i in np.arange(begin, end)[parents == parent]} <= reached
            scores = trace.scores[begin:end]
            was_scored = not np.isnan(scores).any()
            if was_scored:
                texts = [states[i] for i in range(begin, end)]
                assert np.allclose(scores, by_length([states[i] for i in parents], texts))
            beam = trace.chosen[trace.first_chosen[step] : trace.first_chosen[step + 1]]
            assert len(beam) == (min(3 if algorithm == "beam" else 1, end - begin) if was_scored else 0)
            if was_scored and beam_value == "last":
                assert trace.scores[beam].tolist() == sorted(scores.tolist(), reverse=True)[: len(beam)]
        assert np.isnan(trace.scores[0])
    copied = pickle.loads(pickle.dumps(traced[0]))
    assert copied.path == traced[0].path and copied.trace.states == traced[0].trace.states
    assert copied.expanded == traced[0].expanded and np.array_equal(copied.trace.first, traced[0].trace.first)


def test_searches_without_a_trace() -> None:
    sorting = conpole.Domain("sorting")
    for algorithm in ("bfs", "bwas"):
        with pytest.raises(conpole.Error, match="only greedy and beam search leave a trace"):
            conpole.search(sorting, ["[==|=]"], algorithm=algorithm, trace=True)
    cube = conpole.Domain("rubiks-cube:max_moves=3")
    with pytest.raises(conpole.Error, match="packed states"):
        conpole.search(cube, [cube.generate(1)], conpole.load_model("rubiks-cube"), trace=True)
    assert conpole.search(sorting, ["[=|==]"], trace=True)[0].trace.steps == 0


class OnAnotherDevice:
    """A tensor as arrays see it that are not in the processor's memory."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values, dtype=np.float32)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)  # CUDA

    def __dlpack__(self, *, dl_device: tuple[int, int] | None = None, **options: Any) -> Any:
        if dl_device != (1, 0):
            raise BufferError("it is not in the processor's memory")
        return self.values.__dlpack__()


class ManyCopies:
    """A scorer on columns; counts the strings that it is given."""

    def __init__(self) -> None:
        self.batches: list[conpole.PairBatch] = []

    def score_columns(self, batch: conpole.PairBatch) -> Any:
        self.batches.append(batch)
        texts = batch.texts.tolist()
        return by_length([texts[i] for i in batch.parents], [texts[i] for i in batch.candidates])


def test_scorers_on_columns() -> None:
    domain = conpole.Domain("sorting", max_length=6)
    problems = domain.generate_batch(range(20))
    expected = [result.path for result in conpole.search(domain, problems, by_length)]
    scorer = ManyCopies()
    assert [result.path for result in conpole.search(domain, problems, scorer)] == expected
    assert [result.path for result in conpole.search(domain, problems, conpole.by_columns(scorer.score_columns))] == expected
    assert all(len(np.unique(batch.texts.hashes)) == len(batch.texts) for batch in scorer.batches), "each text once"
    assert all(batch.targets is None for batch in scorer.batches)
    model = conpole.load_model("sorting")

    @conpole.by_columns
    def by_model(batch: conpole.PairBatch) -> Any:
        return model.score(batch.texts.take(batch.parents), batch.texts.take(batch.candidates))

    by_itself = [result.path for result in conpole.search(domain, problems, model)]
    assert [result.path for result in conpole.search(domain, problems, by_model)] == by_itself


def test_scores_on_another_device() -> None:
    if tuple(int(part) for part in np.__version__.split(".")[:2]) < (2, 1):
        pytest.skip("this NumPy asks no other device")
    domain = conpole.Domain("sorting", max_length=6)
    problems = domain.generate_batch(range(10))
    expected = [result.path for result in conpole.search(domain, problems, by_length)]
    found = conpole.search(domain, problems, lambda parents, candidates: OnAnotherDevice(by_length(parents, candidates)))
    assert [result.path for result in found] == expected


def test_scores_that_are_tensors() -> None:
    torch = pytest.importorskip("torch")
    domain = conpole.Domain("sorting", max_length=6)
    problems = domain.generate_batch(range(10))
    expected = [result.path for result in conpole.search(domain, problems, by_length)]
    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    for device in devices:
        for dtype in (torch.float32, torch.float64):

            def scorer(parents: list[str], candidates: list[str], device: str = device, dtype: Any = dtype) -> Any:
                return torch.tensor(by_length(parents, candidates), device=device, dtype=dtype, requires_grad=True)

            assert [result.path for result in conpole.search(domain, problems, scorer)] == expected
    halves = conpole.search(domain, problems, lambda _, candidates: torch.ones(len(candidates), dtype=torch.bfloat16))
    assert len(halves) == 10


def test_a_replay_buffer() -> None:
    replay = conpole.ReplayBuffer(3, seed=5)
    with pytest.raises(conpole.Error, match="nothing in the replay buffer"):
        replay.sample(1)
    replay.add(["a", "a", "b"], ["b", "c", "d"])
    replay.add(conpole.TextColumn(["x"]), ["y"], [0.25])
    assert len(replay) == replay.added == 2
    batch = replay.sample(50)
    assert len(batch.first) == 51 and batch.first[-1] == len(batch) == len(batch.targets)
    texts = batch.texts.tolist()
    assert sorted(texts) == ["a", "b", "c", "d", "x", "y"]
    seen = set()
    for begin, end in zip(batch.first, batch.first[1:], strict=False):
        pairs = [(texts[batch.parents[i]], texts[batch.candidates[i]]) for i in range(begin, end)]
        targets = batch.targets[begin:end].tolist()
        seen.add(len(pairs))
        assert (pairs, targets) in (([("a", "b"), ("a", "c"), ("b", "d")], [1, 0, 0]), ([("x", "y")], [0.25]))
    assert seen == {1, 3}
    fewer = replay.sample(50, negatives=1)
    assert set(np.diff(fewer.first)) == {1, 2}
    assert all(fewer.targets[begin] != 0 for begin in fewer.first[:-1]), "the first pair stays"
    copied = pickle.loads(pickle.dumps(replay))
    again, same = replay.sample(7), copied.sample(7)
    assert again.texts == same.texts and np.array_equal(again.candidates, same.candidates), "also the random numbers go on"
    for _ in range(3):
        replay.add(["p"], ["q"])
    assert len(replay) == 3 and replay.added == 5
    assert replay.sample(20).texts.tolist() == ["p", "q"], "the oldest are forgotten"
    for parents, candidates, targets in ((["a"], [], None), ([], [], None), (["a"], ["b"], [1, 2]), (["a"], ["b" * 20_000], None)):
        with pytest.raises(conpole.Error):
            replay.add(parents, candidates, targets)
    with pytest.raises(conpole.Error, match="at least 1"):
        conpole.ReplayBuffer(0)


@pytest.mark.parametrize("negatives", ["own-parent", "algorithm-1", "local"])
def test_solutions_in_a_replay_buffer(negatives: str) -> None:
    domain = conpole.Domain("sorting", max_length=6)
    problems = [problem for problem in domain.generate_batch(range(40)) if not domain.solved(problem)]
    for result in conpole.search(domain, problems, by_length, trace=True, max_steps=8):
        replay = conpole.ReplayBuffer()
        trace = result.trace
        added = replay.add_solution(trace, negatives=negatives)
        assert len(replay) == added <= result.steps
        if added == 0:
            continue
        batch = replay.sample(100)
        texts = batch.texts.tolist()
        steps = list(zip(result.path, result.path[1:], strict=False))
        states = trace.states.tolist()
        for begin, end in zip(batch.first, batch.first[1:], strict=False):
            assert batch.targets[begin:end].tolist() == [1] + [0] * (end - begin - 1)
            pairs = [(texts[batch.parents[i]], texts[batch.candidates[i]]) for i in range(begin, end)]
            step = steps.index(pairs[0])
            listed = range(trace.first[step], trace.first[step + 1])
            others = [i for i in listed if states[i] != pairs[0][1] and not domain.solved(states[i])]
            if negatives == "local":
                others = [i for i in others if states[trace.parents[i]] == pairs[0][0]]
            of_parent = {i: pairs[0][0] if negatives == "algorithm-1" else states[trace.parents[i]] for i in others}
            assert sorted(pairs[1:]) == sorted((of_parent[i], states[i]) for i in others)
    with pytest.raises(conpole.Error, match="own-parent, algorithm-1, local"):
        conpole.ReplayBuffer().add_solution(trace, negatives="all")
