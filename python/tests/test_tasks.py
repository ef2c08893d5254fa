"""Domains as tasks of Reasoning Gym and of verifiers, where these are installed."""

import asyncio
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

WRONG = "This is beyond me."


@pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="there is no Reasoning Gym")
def test_reasoning_gym() -> None:
    import reasoning_gym

    import conpole.reasoning_gym

    tasks = reasoning_gym.create_dataset("conpole", domain="algebra", size=4, seed=3)
    assert isinstance(tasks, conpole.reasoning_gym.DomainDataset) and len(tasks) == 4
    for task in tasks:
        assert task.keys() == {"question", "answer", "metadata"} and task["metadata"]["problem"] in task["question"]
        assert tasks.score_answer(task["answer"], task) == 1.0
        assert tasks.score_answer(f"Some words.\nAnswer: {task['answer']}", task) == 1.0
        assert tasks.score_answer(WRONG, task) == 0.0
    again = reasoning_gym.create_dataset("conpole", domain="algebra", size=4, seed=3)
    assert [again[i] for i in range(4)] == [tasks[i] for i in range(4)]


@pytest.mark.skipif(find_spec("verifiers") is None or find_spec("verifiers.v1") is None, reason="there is no verifiers 0.4")
def test_verifiers() -> None:
    from conpole.verifiers import DomainTaskset, DomainTasksetConfig

    tasks = list(DomainTaskset(DomainTasksetConfig(domain="algebra", size=3, seed=3)))
    assert [task.data.idx for task in tasks] == [0, 1, 2]
    for task in tasks:
        assert task.data.problem in task.data.prompt
        trace = SimpleNamespace(last_reply=f"Answer: {task.data.answer}")
        assert asyncio.run(task.right(trace)) == 1.0
        assert task.score(WRONG) == 0.0
