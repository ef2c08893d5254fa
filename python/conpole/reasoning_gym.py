"""Domains as datasets of Reasoning Gym. Importing this module registers them under the name `conpole`:

    import conpole.reasoning_gym
    import reasoning_gym

    tasks = reasoning_gym.create_dataset("conpole", domain="algebra", size=100, seed=1)
    tasks.score_answer(reply, tasks[0])

Needs Reasoning Gym: pip install reasoning-gym.
"""

from dataclasses import dataclass
from typing import Any

from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import DATASETS, register_dataset

from conpole._data import TaskSet


@dataclass
class DomainConfig:
    """Which problems: of a domain's name, or of its text."""

    domain: str = "algebra"
    size: int = 500
    seed: int | None = None
    language: str = "en"


class DomainDataset(ProceduralDataset):  # type: ignore[misc]
    """The tasks of `conpole.TaskSet`."""

    def __init__(self, config: DomainConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self.tasks = TaskSet(config.domain, size=config.size, seed=self.seed, language=config.language)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        return dict(self.tasks[idx])

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        return self.tasks.score_answer(answer, entry)


if "conpole" not in DATASETS:
    register_dataset("conpole", DomainDataset, DomainConfig)
