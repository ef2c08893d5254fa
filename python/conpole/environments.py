"""Gymnasium environments over the domains.

Action i leads to the i-th successor of the current state; `info["action_mask"]` says which actions there are. An action beyond them
changes nothing. The reward is 1 for the step that solves the problem, and 0 otherwise. An episode is truncated after `max_steps`
steps or at a dead end. An environment of one problem observes the state's text and lists `info["actions"]` and
`info["next_states"]`, one of many observes characters and lists them on request; both have the option `observation`.
"""

import string
from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from conpole import _native
from conpole._native import Domain, Error
from conpole._vector_environment import MAX_STEPS, VectorEnvironment, sizes_for, warn_of_cut

MAX_STATE_LENGTH = 16_384
Observation = Literal["text", "characters"]


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
    """What both kinds of environment have in common: a domain and its spaces."""

    def __init__(
        self,
        domain: Domain | str,
        observation: Observation,
        max_steps: int,
        max_actions: int | None,
        max_characters: int | None,
        parameters: dict[str, Any],
    ) -> None:
        if isinstance(domain, Domain):
            if parameters:
                raise TypeError("parameters go with the name of a domain, not with a Domain")
            self.domain = domain
        else:
            known = Domain(domain).parameters
            for name in parameters:
                if name not in known:  # in Python's words: others try what an environment takes, and look for them
                    there_are = ", ".join(known) or "none"
                    raise TypeError(f"unexpected keyword argument {name!r}; the parameters of {domain} are: {there_are}")
            self.domain = Domain(domain, **parameters)
        self.max_steps = max_steps
        self.max_actions, self.max_characters = sizes_for(self.domain, max_steps, max_actions, max_characters)
        self.action_space: gymnasium.Space[Any] = gymnasium.spaces.Discrete(self.max_actions)
        self.observation_space: gymnasium.Space[Any]
        if observation == "text":
            self.observation_space = gymnasium.spaces.Text(MAX_STATE_LENGTH, charset=string.printable)
        elif observation == "characters":
            self.observation_space = gymnasium.spaces.Box(0, 255, (self.max_characters,), np.uint8)
        else:
            raise Error(f"unknown observation '{observation}'; there are: characters, text")

    def draw_problem(self, random: np.random.Generator) -> str:
        for _ in range(_MAX_SOLVED_PROBLEMS):
            problem = self.domain.generate(int(random.integers(2**63)))
            if not self.domain.solved(problem):
                return problem
        raise Error(f"{self.domain.spec} generates only problems that are solved as they stand")


# Problems that are solved as they stand are passed over; a domain that has nothing else is a mistake.
_MAX_SOLVED_PROBLEMS = 1000


def _checked_options(options: dict[str, Any] | None, known: tuple[str, ...]) -> dict[str, Any]:
    for name in options or {}:
        if name not in known:
            raise Error(f"unknown option '{name}' of reset; there are: {', '.join(known)}")
    return options or {}


class _Position:
    """Where an episode is: the state, and where its actions lead."""

    def __init__(self, state: str, listed: tuple[bool, list[str], list[str]], max_actions: int) -> None:
        self.state = state
        self.solved, actions, next_states = listed
        self.actions = actions[:max_actions]
        self.next_states = next_states[:max_actions]
        self.num_actions = len(actions)
        self.dead_end = not self.solved and not actions

    def after(self, action: int) -> str:
        return self.next_states[action] if action < len(self.next_states) else self.state


class DomainEnv(gymnasium.Env[Any, np.int64]):
    """One problem at a time. `reset(options={"problem": ...})` sets the problem instead of drawing one.

    Args:
        observation: "text", or "characters" (uint8, zeros after the state) for learners that want numbers
        max_actions, max_characters: the room that there is; by default half as much again as random walks need
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        domain: Domain | str,
        *,
        observation: Observation = "text",
        max_steps: int = MAX_STEPS,
        max_actions: int | None = None,
        max_characters: int | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self._task = _Task(domain, observation, max_steps, max_actions, max_characters, parameters)
        self._is_text = observation == "text"
        self.observation_space = self._task.observation_space
        self.action_space = self._task.action_space
        self.render_mode = render_mode
        self._position: _Position | None = None
        self._steps = 0
        self._closed = False
        self._warned: set[str] = set()

    @property
    def domain(self) -> Domain:
        return self._task.domain

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._require_open()
        given = _checked_options(options, ("problem",)).get("problem")
        super().reset(seed=seed)
        problem = self._task.draw_problem(self.np_random) if given is None else self.domain.parse(given)
        self._steps = 0
        position = self._move_to(problem)
        return self._observation(position), self._info(position)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
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
        return self._observation(position), reward, position.solved, truncated, self._info(position)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are: bool[max_actions]."""
        if self._position is None:
            raise Error("reset the environment first")
        return self._mask(self._position).view(np.bool_)

    def render(self) -> Any:
        self._require_open()
        return self._position.state if self.render_mode == "ansi" and self._position is not None else None

    def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise Error("the environment is closed")

    def _move_to(self, state: str) -> _Position:
        position = _Position(state, self.domain.step([state])[0], self._task.max_actions)
        if position.num_actions > self._task.max_actions:
            warn_of_cut(self._warned, "max_actions", self._task.max_actions, "successors", position.num_actions)
        self._position = position
        return position

    def _observation(self, position: _Position) -> Any:
        if self._is_text:
            return position.state
        characters = np.frombuffer(position.state.encode(), dtype=np.uint8)
        room = self._task.max_characters
        if characters.size > room:
            warn_of_cut(self._warned, "max_characters", room, "characters", characters.size)
        row = np.zeros(room, dtype=np.uint8)
        row[: characters.size] = characters[:room]
        return row

    def _mask(self, position: _Position) -> NDArray[np.int8]:
        mask = np.zeros(self._task.max_actions, dtype=np.int8)
        mask[: len(position.actions)] = 1
        return mask

    def _info(self, position: _Position) -> dict[str, Any]:
        return {
            "actions": list(position.actions),
            "next_states": list(position.next_states),
            "action_mask": self._mask(position),
            "num_actions": position.num_actions,
        }


class DomainVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Many problems at a time, over a `conpole.VectorEnvironment`: the domain lists the successors of all of them in one call, on all
    cores.

    `reset(options={"problem": ..., "reset_mask": ...})` sets the problem, one for all or one per environment, and says which
    environments to reset.

    Args:
        observation: "characters" (uint8, zeros after the state) or "text"
        list_successors: whether the infos list `actions` and `next_states`, too, which takes many times as long as all the rest
        autoreset_mode: what becomes of an environment whose episode has ended: that of Gymnasium
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        domain: Domain | str,
        num_envs: int = 1,
        *,
        observation: Observation = "characters",
        list_successors: bool = False,
        max_steps: int = MAX_STEPS,
        max_actions: int | None = None,
        max_characters: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        threads: int = 0,
        **parameters: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        task = _Task(domain, observation, max_steps, max_actions, max_characters, parameters)
        self._environment = VectorEnvironment(
            task.domain,
            num_envs,
            max_steps=max_steps,
            max_actions=task.max_actions,
            max_characters=task.max_characters,
            autoreset=_AUTORESETS[mode],
            threads=threads,
        )
        self._is_text = observation == "text"
        self._lists_successors = list_successors
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = task.observation_space
        self.single_action_space = task.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._everywhere = np.ones(num_envs, dtype=np.bool_)

    @property
    def domain(self) -> Domain:
        return self._environment.domain

    @property
    def autoreset_mode(self) -> AutoresetMode:
        mode: AutoresetMode = self.metadata["autoreset_mode"]
        return mode

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        self._require_open()
        given = _checked_options(options, ("problem", "reset_mask"))
        mask = given.get("reset_mask")
        chosen = self._everywhere if mask is None else np.asarray(mask, dtype=np.bool_)
        if chosen.shape != (self.num_envs,):
            raise Error(f"reset_mask must have {self.num_envs} elements")
        self._environment.reset(seed, problems=given.get("problem"), where=chosen)
        return self._observations(), self._infos(chosen.copy())

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        self._require_open()
        _, rewards, terminated, truncated = self._environment.step(actions)
        infos = self._infos(self._everywhere.copy())
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP:
            self._add_final(infos, terminated | truncated)
        return self._observations(), rewards, terminated, truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are: bool[num_envs, max_actions]."""
        return self._environment.action_masks()

    def states(self) -> list[str]:
        """The states as text, whatever the observations are."""
        return self._environment.states()

    def render(self) -> Any:
        self._require_open()
        return tuple(self.states()) if self.render_mode == "ansi" else None

    def _require_open(self) -> None:
        if self.closed:
            raise Error("the environment is closed")

    def _observations(self) -> Any:
        return tuple(self.states()) if self._is_text else self._environment.observations

    def _infos(self, present: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {
            "action_mask": self._environment.action_mask,
            "num_actions": self._environment.num_actions,
            "length": self._environment.lengths,
        }
        if self._lists_successors:
            infos["actions"] = np.full(self.num_envs, None, dtype=object)
            infos["next_states"] = np.full(self.num_envs, None, dtype=object)
            listed = self._environment.successors()
            for i in np.flatnonzero(present):
                infos["actions"][i], infos["next_states"][i] = listed[i]
        if not present.all():
            infos = {key: values.copy() for key, values in infos.items()}
            for values in infos.values():
                values[~present] = None if values.dtype == object else 0
        return {**infos, **{f"_{key}": present for key in infos}}

    def _add_final(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> None:
        if not ended.any():
            return
        observations = np.full(self.num_envs, None, dtype=object)
        lengths = np.zeros(self.num_envs, dtype=np.int32)
        states = self._environment.final_states
        finals = states if self._is_text else self._environment.final_observations
        for i, state, final in zip(np.flatnonzero(ended), states, finals, strict=True):
            observations[i] = final
            lengths[i] = len(state.encode())
        infos.update(final_obs=observations, _final_obs=ended)
        infos.update(final_info={"length": lengths, "_length": ended}, _final_info=ended)


_AUTORESETS: dict[AutoresetMode, Literal["next-step", "same-step", "disabled"]] = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}
