"""Domains as tasks of `verifiers` (version 0.4 or later, `verifiers.v1`):

    import conpole.verifiers

    tasks = conpole.verifiers.DomainTaskset(conpole.verifiers.DomainTasksetConfig(domain="algebra", size=100, seed=1))

The reward is that of `conpole.TaskSet`: 1 for a right answer; else the share of the lines before the first wrong one, up to a half. For
earlier versions `TaskSet.reward` is a function of a rubric. Needs verifiers: pip install verifiers.
"""

from collections.abc import Iterator

import verifiers.v1 as vf

from conpole._data import TaskSet


class DomainData(vf.TaskData):  # type: ignore[misc]
    """A problem, with one right answer."""

    domain: str
    problem: str
    answer: str
    language: str = "en"


class DomainTask(vf.Task[DomainData]):  # type: ignore[misc]
    @vf.reward  # type: ignore[untyped-decorator]
    async def right(self, trace: vf.Trace) -> float:
        return self.score(trace.last_reply)

    def score(self, reply: str) -> float:
        """The reward of a reply."""
        judge = TaskSet(self.data.domain, language=self.data.language)
        return judge.reward(reply, {"problem": self.data.problem})


class DomainTasksetConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which problems: of a domain's name, or of its text."""

    domain: str = "algebra"
    size: int = 500
    seed: int = 0
    language: str = "en"


class DomainTaskset(vf.Taskset[DomainTask, DomainTasksetConfig]):  # type: ignore[misc]
    def load(self) -> Iterator[DomainTask]:
        given = self.config
        for task in TaskSet(given.domain, size=given.size, seed=given.seed, language=given.language):
            data = DomainData(
                prompt=task.question,
                domain=given.domain,
                problem=task.metadata["problem"],
                answer=task.answer,
                language=given.language,
            )
            yield DomainTask(data, given.task)
