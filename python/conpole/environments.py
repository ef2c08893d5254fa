"""Gymnasium environments over the domains.

The observation is the state's text. Action i leads to the i-th successor of the current state; `info["actions"]` and
`info["next_states"]` list them, and `info["action_mask"]` says which actions there are. An action beyond them changes nothing.
The reward is 1 for the step that solves the problem, and 0 otherwise. An episode is truncated after `max_steps` steps or at a
dead end.
"""

import string
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from conpole import _native
from conpole._native import Domain, Error

MAX_STATE_LENGTH = 16_384
MAX_STEPS = 30
# More than states of a domain usually have: see docs/python.md. Successors beyond them cannot be chosen.
MAX_ACTIONS = {
    "equations": 192,
    "fractions": 64,
    "multiplication": 64,
    "ternary-addition": 64,
    "sorting": 32,
    "rubiks-cube": 12,
}
_OTHER_MAX_ACTIONS = 64
# Problems that are solved as they stand are passed over; a domain that has nothing else is a mistake.
_MAX_SOLVED_PROBLEMS = 1000


def environment_id(domain: str) -> str:
    """The id of a domain's environment: conpole/TernaryAddition-v0 for ternary-addition."""
    return f"conpole/{domain.title().replace('-', '')}-v0"


def register_all() -> None:
    """Registers the environments of all domains with Gymnasium, once."""
    for domain in _native.domain_names():
        if environment_id(domain) not in gymnasium.registry:
            gymnasium.register(
                id=environment_id(domain),
                entry_point="conpole.environments:DomainEnv",
                vector_entry_point="conpole.environments:DomainVectorEnv",
                kwargs={"domain": domain},
            )


class _Task:
    """What both kinds of environment have in common: a domain, its spaces, and how problems are drawn."""

    def __init__(self, domain: Domain | str, max_steps: int, max_actions: int | None, parameters: dict[str, Any]) -> None:
        if isinstance(domain, Domain):
            if parameters:
                raise TypeError("parameters go with the name of a domain, not with a Domain")
            self.domain = domain
        else:
            self.domain = Domain(domain, **parameters)
        if max_steps < 1:
            raise Error("max_steps must be at least 1")
        self.max_steps = max_steps
        self.max_actions = max_actions or MAX_ACTIONS.get(self.domain.name, _OTHER_MAX_ACTIONS)
        self.observation_space = gymnasium.spaces.Text(MAX_STATE_LENGTH, charset=string.printable)
        self.action_space = gymnasium.spaces.Discrete(self.max_actions)

    def draw_problem(self, random: np.random.Generator) -> str:
        for _ in range(_MAX_SOLVED_PROBLEMS):
            problem = self.domain.generate(int(random.integers(2**63)))
            if not self.domain.solved(problem):
                return problem
        raise Error(f"{self.domain.spec} generates only problems that are solved as they stand")


class _Position:
    """Where an episode is: the state, and where its actions lead."""

    def __init__(self, state: str, listed: tuple[bool, list[str], list[str]], max_actions: int) -> None:
        self.state = state
        self.solved, actions, next_states = listed
        self.actions = actions[:max_actions]
        self.next_states = next_states[:max_actions]
        self.dead_end = not self.solved and not actions

    def after(self, action: int) -> str:
        return self.next_states[action] if action < len(self.next_states) else self.state


class DomainEnv(gymnasium.Env[str, np.int64]):
    """One problem at a time. `reset(options={"problem": ...})` sets the problem instead of drawing one."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        domain: Domain | str,
        *,
        max_steps: int = MAX_STEPS,
        max_actions: int | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self._task = _Task(domain, max_steps, max_actions, parameters)
        self.observation_space = self._task.observation_space
        self.action_space = self._task.action_space
        self.render_mode = render_mode
        self._position: _Position | None = None
        self._steps = 0
        self._closed = False

    @property
    def domain(self) -> Domain:
        return self._task.domain

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        self._require_open()
        super().reset(seed=seed)
        given = (options or {}).get("problem")
        problem = self._task.draw_problem(self.np_random) if given is None else self.domain.parse(given)
        self._steps = 0
        position = self._move_to(problem)
        return position.state, self._info(position)

    def step(self, action: np.int64 | int) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self._require_open()
        if self._position is None:
            raise Error("reset the environment before its first step")
        if not self.action_space.contains(action):
            raise Error(f"the action must be an integer from 0 to {self._task.max_actions - 1}, not {action!r}")
        was_solved = self._position.solved
        self._steps += 1
        position = self._move_to(self._position.after(int(action)))
        truncated = not position.solved and (position.dead_end or self._steps >= self._task.max_steps)
        reward = 1.0 if position.solved and not was_solved else 0.0
        return position.state, reward, position.solved, truncated, self._info(position)

    def render(self) -> str | None:
        self._require_open()
        return self._position.state if self.render_mode == "ansi" and self._position is not None else None

    def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise Error("the environment is closed")

    def _move_to(self, state: str) -> _Position:
        self._position = _Position(state, self.domain.step([state])[0], self._task.max_actions)
        return self._position

    def _info(self, position: _Position) -> dict[str, Any]:
        mask = np.zeros(self._task.max_actions, dtype=np.int8)
        mask[: len(position.actions)] = 1
        return {"actions": list(position.actions), "next_states": list(position.next_states), "action_mask": mask}


class DomainVectorEnv(VectorEnv[tuple[str, ...], NDArray[np.int64], NDArray[Any]]):
    """Many problems at a time; the domain lists the successors of all of them in one call, on all cores.

    An episode that has ended begins anew with the next step, whose action for it is ignored.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        domain: Domain | str,
        num_envs: int = 1,
        *,
        max_steps: int = MAX_STEPS,
        max_actions: int | None = None,
        render_mode: str | None = None,
        threads: int = 0,
        **parameters: Any,
    ) -> None:
        if num_envs < 1:
            raise Error("num_envs must be at least 1")
        self._task = _Task(domain, max_steps, max_actions, parameters)
        self._threads = threads
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = self._task.observation_space
        self.single_action_space = self._task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randoms: list[np.random.Generator] = []
        self._positions: list[_Position] = []
        self._steps = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=np.bool_)

    @property
    def domain(self) -> Domain:
        return self._task.domain

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        self._require_open()
        mask = (options or {}).get("reset_mask")
        chosen = np.ones(self.num_envs, dtype=np.bool_) if mask is None else np.asarray(mask, dtype=np.bool_)
        if chosen.shape != (self.num_envs,):
            raise Error(f"reset_mask must have {self.num_envs} elements")
        if not self._positions and not chosen.all():
            raise Error("the first reset must be of all environments")
        self._seed(seed, chosen)
        states = [position.state for position in self._positions] or [""] * self.num_envs
        for i in np.flatnonzero(chosen):
            states[i] = self._task.draw_problem(self._randoms[i])
        self._steps[chosen] = 0
        self._ended[chosen] = False
        self._move_to(states)
        return self._observations(), self._infos(chosen)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        self._require_open()
        if not self._positions:
            raise Error("reset the environment before its first step")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.issubdtype(chosen.dtype, np.integer):
            raise Error(f"expected {self.num_envs} integers as actions")
        if ((chosen < 0) | (chosen >= self._task.max_actions)).any():
            raise Error(f"actions must be integers from 0 to {self._task.max_actions - 1}")
        begun = self._ended.copy()
        self._steps = np.where(begun, 0, self._steps + 1)
        self._move_to(
            [
                self._task.draw_problem(random) if new else position.after(int(action))
                for position, random, action, new in zip(self._positions, self._randoms, chosen, begun, strict=True)
            ]
        )
        solved = np.array([position.solved for position in self._positions], dtype=np.bool_)
        dead_ends = np.array([position.dead_end for position in self._positions], dtype=np.bool_)
        truncated = ~solved & (dead_ends | (self._steps >= self._task.max_steps))
        self._ended = solved | truncated
        everywhere = np.ones(self.num_envs, dtype=np.bool_)
        return self._observations(), solved.astype(np.float64), solved, truncated, self._infos(everywhere)

    def render(self) -> tuple[str, ...] | None:
        self._require_open()
        return self._observations() if self.render_mode == "ansi" and self._positions else None

    def _require_open(self) -> None:
        if self.closed:
            raise Error("the environment is closed")

    def _seed(self, seed: int | Sequence[int | None] | None, chosen: NDArray[np.bool_]) -> None:
        if seed is None:
            seeds: list[int | None] = [None] * self.num_envs
        elif isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise Error(f"expected {self.num_envs} seeds, not {len(seeds)}")
        if not self._randoms:
            self._randoms = [np.random.default_rng() for _ in range(self.num_envs)]
        for i in np.flatnonzero(chosen):
            if seeds[i] is not None:
                self._randoms[i] = gymnasium.utils.seeding.np_random(seeds[i])[0]

    def _move_to(self, states: list[str]) -> None:
        listed = self.domain.step(states, threads=self._threads)
        self._positions = [_Position(state, one, self._task.max_actions) for state, one in zip(states, listed, strict=True)]

    def _observations(self) -> tuple[str, ...]:
        return tuple(position.state for position in self._positions)

    def _infos(self, present: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {
            "actions": np.full(self.num_envs, None, dtype=object),
            "next_states": np.full(self.num_envs, None, dtype=object),
            "action_mask": np.zeros((self.num_envs, self._task.max_actions), dtype=np.int8),
        }
        for i in np.flatnonzero(present):
            position = self._positions[i]
            infos["actions"][i] = position.actions
            infos["next_states"][i] = position.next_states
            infos["action_mask"][i, : len(position.actions)] = 1
        for key in list(infos):
            infos[f"_{key}"] = present.copy()
        return infos
