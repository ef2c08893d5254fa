"""Many problems of a domain at a time, in columns; without Gymnasium."""

import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conpole import _native
from conpole._native import Domain, Error, PythonDomain, TextColumn

MAX_STEPS = 30


@dataclass(frozen=True)
class Successors:
    """The successors of the states of many environments, in columns."""

    texts: TextColumn
    first: NDArray[np.int64]
    """Environment i has the texts from `first[i]` to `first[i + 1]`; its action k leads to `texts[first[i] + k]`."""
    parents: NDArray[np.int32]
    """Per text: the environment."""

    def padded(self, **options: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The texts as bytes of equal width, and their lengths: what `TextColumn.padded` gives."""
        return self.texts.padded(**options)


class VectorEnvironment:
    """Many problems at a time; the domain lists the successors of all their states in one call, on all cores.

    Action i of an environment leads to the i-th successor of its state. An action that there is not changes nothing, but counts
    as a step. The reward is 1 for the step that solves the problem, and 0 otherwise. An episode is terminated when the problem is
    solved, and truncated after `max_steps` steps or at a dead end.

    One thread at a time may use it. Copies and pickles go on from where the environment is.

    Args:
        domain: a domain, or its text
        num_envs: how many environments
        max_steps: of an episode
        max_actions: the size of the action space. By default half as many again as random walks through the domain meet; states
            that have more say so (`num_actions`), and the first one is warned about.
        max_characters: characters of an observation, by default chosen in the same way (`lengths`)
        autoreset: what becomes of an environment whose episode has ended: "next-step" (the next step begins a new episode, and its
            action is ignored), "same-step" (the step that ends an episode begins the next one; `final_states` and
            `final_observations` are what it ended with) or "disabled" (it must be reset before its next step)
        threads: 0 for one per core
    """

    def __init__(
        self,
        domain: Domain | str,
        num_envs: int = 1,
        *,
        max_steps: int = MAX_STEPS,
        max_actions: int | None = None,
        max_characters: int | None = None,
        autoreset: Literal["next-step", "same-step", "disabled"] = "next-step",
        threads: int = 0,
    ) -> None:
        self._domain = domain if isinstance(domain, Domain) else Domain(domain)
        if num_envs < 1:
            raise Error("num_envs must be at least 1")
        actions, length = sizes_for(self._domain, max_steps, max_actions, max_characters)
        self._options: dict[str, Any] = {
            "count": num_envs,
            "max_steps": max_steps,
            "max_actions": actions,
            "max_length": length,
            "autoreset": autoreset,
            "threads": threads,
        }
        self._warned: set[str] = set()
        self._environments = _native.Environments(self._domain, **self._options)

    @property
    def domain(self) -> Domain:
        return self._domain

    @property
    def num_envs(self) -> int:
        return int(self._options["count"])

    @property
    def max_steps(self) -> int:
        return int(self._options["max_steps"])

    @property
    def max_actions(self) -> int:
        return int(self._options["max_actions"])

    @property
    def max_characters(self) -> int:
        return int(self._options["max_length"])

    @property
    def autoreset(self) -> str:
        return str(self._options["autoreset"])

    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        *,
        problems: str | Sequence[str | None] | None = None,
        where: ArrayLike | None = None,
    ) -> NDArray[np.uint8]:
        """Begins new episodes and returns the observations.

        Args:
            seed: of the problems that are drawn from now on: one per environment, or a number, to which the i-th environment adds i
            problems: to begin with, in the notation of the domain: one for all, or one per environment, with None for one that is
                drawn. One that is drawn is never solved as it stands.
            where: which environments; by default all, as the first time
        """
        chosen = np.ones(self.num_envs, dtype=np.bool_) if where is None else np.ascontiguousarray(where, dtype=np.bool_)
        if chosen.shape != (self.num_envs,):
            raise Error(f"expected {self.num_envs} truth values for where to reset")
        seeds = self._seeds_of(seed)
        seeded = [int(i) for i in np.flatnonzero(chosen) if seeds[i] is not None or not self._idle.ready]
        words = np.array([_generator_words(seeds[i]) for i in seeded], dtype=np.uint64)
        self._take(self._idle.reset(chosen, seeded, words, self._parse(problems, chosen)))
        return self.observations

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Takes one action in each environment; returns observations, rewards, and which episodes were terminated or truncated."""
        if self._latest is None:
            raise Error("reset the environment before its first step")
        return self._stepped(self._idle.step(np.asarray(actions)))

    def send(self, actions: ArrayLike) -> None:
        """Begins a step and returns at once: another thread takes it, while this one works on something else, on other environments
        for example. Until `recv` nothing can be asked of these."""
        self._require_ready()
        environments, given, sent = self._idle, np.array(actions), Future[Any]()

        def take_step() -> None:
            try:
                sent.set_result(environments.step(given))
            except BaseException as error:
                sent.set_exception(error)

        self._sent = sent
        threading.Thread(target=take_step, daemon=True).start()

    def recv(self) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """What the step that was sent came to, as `step` returns it."""
        sent = self._sent
        if sent is None:
            raise Error("no step was sent")
        try:
            stepped = sent.result()
        finally:
            if sent.done():  # else Ctrl-C ended the waiting, and not the step
                self._sent = None
        return self._stepped(stepped)

    def _stepped(
        self, stepped: "tuple[_native._View, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]"
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        view, rewards, terminated, truncated = stepped
        self._take(view)
        self._ended = terminated, truncated
        return self.observations, rewards, terminated, truncated

    @property
    def observations(self) -> NDArray[np.uint8]:
        """uint8[num_envs, max_characters]: the characters of the states, and zeros after them."""
        return self._view[0]

    @property
    def lengths(self) -> NDArray[np.int32]:
        """int32[num_envs]: how many characters the states have, also those for which there is no room."""
        return self._view[1]

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """int8[num_envs, max_actions]: 1 for every action that there is."""
        return self._view[2]

    @property
    def num_actions(self) -> NDArray[np.int32]:
        """int32[num_envs]: how many actions there are, also those for which there is no room."""
        return self._view[3]

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, max_actions]: which actions there are."""
        return self.action_mask.view(np.bool_)

    def states(self) -> list[str]:
        """The states."""
        self._require_ready()
        return self._idle.states()

    def successors(self) -> list[tuple[list[str], list[str]]]:
        """Per environment: the actions, and the states that they lead to; those that can be chosen."""
        listed = self._domain.step(self.states(), threads=self._options["threads"])
        return [(actions[: self.max_actions], next_states[: self.max_actions]) for _, actions, next_states in listed]

    @property
    def expansion(self) -> "Successors":
        """The states that can be chosen, in columns, as the last step has listed them: nothing is expanded again."""
        self._require_ready()
        texts, first = self._idle.expansion()
        parents = np.repeat(np.arange(self.num_envs, dtype=np.int32), np.diff(first))
        return Successors(texts, first, parents)

    @property
    def final_states(self) -> list[str]:
        """With autoreset "same-step": the states with which episodes ended in the last step, in the order of the environments."""
        return self._idle.final_states(self._ended_ones())

    @property
    def final_observations(self) -> NDArray[np.uint8]:
        """The same as characters: uint8[episodes, max_characters]."""
        return self._idle.final_characters(self._ended_ones())

    def __len__(self) -> int:
        return self.num_envs

    def _repr_html_(self) -> str:
        from conpole._show import listed

        return listed([] if self._latest is None else self.states(), f"state of {self._domain.name}")

    def __repr__(self) -> str:
        return f"VectorEnvironment({self.num_envs} of {self._domain!r}, {self.max_actions} actions, {self.max_characters} characters)"

    def __getstate__(self) -> dict[str, Any]:
        saved = self._idle.save() if self._idle.ready else None
        return {"domain": self._domain, "options": self._options, "warned": self._warned, "saved": saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._domain = state["domain"]
        self._options = dict(state["options"])
        self._warned = set(state["warned"])
        self._environments = _native.Environments(self._domain, **self._options)
        if state["saved"] is not None:
            self._take(self._idle.restore(state["saved"]))

    _latest: "_native._View | None" = None
    _sent: "Future[Any] | None" = None
    _ended: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None

    @property
    def _view(self) -> "_native._View":
        self._require_ready()
        assert self._latest is not None
        return self._latest

    def _require_ready(self) -> None:
        if self._latest is None:
            raise Error("reset the environment first")

    @property
    def _idle(self) -> _native.Environments:
        """The environments, which one thread at a time may use."""
        if self._sent is not None:
            raise Error("a step was sent: recv it first")
        return self._environments

    def _take(self, view: "_native._View") -> None:
        self._latest = view
        self._ended = None
        if self._idle.cut_actions:
            warn_of_cut(self._warned, "max_actions", self.max_actions, "successors", int(view[3].max()))
        if self._idle.cut_characters:
            warn_of_cut(self._warned, "max_characters", self.max_characters, "characters", int(view[1].max()))

    def _ended_ones(self) -> list[int]:
        if self.autoreset != "same-step":
            raise Error("only with autoreset 'same-step' is there a final state beside the state")
        return [] if self._ended is None else [int(i) for i in np.flatnonzero(self._ended[0] | self._ended[1])]

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise Error(f"expected {self.num_envs} seeds, not {len(seed)}")
        return list(seed)

    def _parse(self, problems: str | Sequence[str | None] | None, chosen: NDArray[np.bool_]) -> list[str | None]:
        if problems is None:
            return [None] * self.num_envs
        if isinstance(problems, str):
            return [self._domain.parse(problems)] * self.num_envs
        if len(problems) != self.num_envs:
            raise Error(f"expected {self.num_envs} problems, not {len(problems)}")
        return [
            self._domain.parse(problem) if is_chosen and problem is not None else None
            for problem, is_chosen in zip(problems, chosen, strict=True)
        ]


def warn_of_cut(warned: set[str], setting: str, room: int, what: str, needed: int) -> None:
    """Says, once for each setting in `warned`, that something was cut off."""
    if setting not in warned:
        warned.add(setting)
        warnings.warn(f"a state has {needed} {what}, and there is room for {room}: set {setting}", RuntimeWarning, stacklevel=4)


def sizes_for(domain: Domain, max_steps: int, max_actions: int | None, max_characters: int | None) -> tuple[int, int]:
    """Actions and characters that episodes have room for: unless somebody says otherwise, half as many again as random walks meet."""
    for name, value in (("max_steps", max_steps), ("max_actions", max_actions), ("max_characters", max_characters)):
        if value is not None and value < 1:
            raise Error(f"{name} must be at least 1")
    if max_actions is not None and max_characters is not None:
        return max_actions, max_characters
    steps = min(max_steps, _SURVEYED_STEPS)
    if domain.spec in _SIZES and max_steps <= MAX_STEPS:
        actions, length = _SIZES[domain.spec]
    elif isinstance(domain, PythonDomain):  # which may be another one tomorrow
        actions, length = _survey(domain, 64, steps)
    else:
        actions, length = _survey_once(domain, 512, steps)
    return actions if max_actions is None else max_actions, length if max_characters is None else max_characters


_SURVEYED_STEPS = 100
# What was found of the domains that come with conpole, with their usual parameters. It is not looked for anew: policies that were trained
# on an environment of one version fit that of the next. Who changes a size gives the environments of Gymnasium another version.
_SIZES = {
    "sorting": (24, 112),
    "ternary-addition": (48, 80),
    "multiplication": (160, 496),
    "fractions": (40, 96),
    "equations": (88, 160),
    "rubiks-cube": (12, 112),
    "algebra": (16, 112),
}


def _survey(domain: Domain, problems: int, steps: int) -> tuple[int, int]:
    actions, length, always_as_many = _native.survey_walks(domain, problems, steps)
    return max(1, actions if always_as_many else _with_room(actions, 8)), _with_room(length, 16)


_survey_once = lru_cache(maxsize=64)(_survey)


def _with_room(most: int, multiple: int) -> int:
    """Half as much again and a few more, rounded up."""
    return -(-(most * 3 // 2 + 4) // multiple) * multiple


def _generator_words(seed: int | None) -> tuple[int, int, int, int]:
    """The state of the generator that Gymnasium would have made of a seed, in words of 64 bits."""
    if seed is not None and seed < 0:
        raise Error(f"a seed must not be negative, as {seed} is")
    state: Any = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
    low = 2**64 - 1
    return state["state"] >> 64, state["state"] & low, state["inc"] >> 64, state["inc"] & low
