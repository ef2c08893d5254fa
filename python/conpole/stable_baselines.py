"""The domains for Stable-Baselines3 and sb3-contrib, which have an interface of their own for many environments at a time."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from conpole._native import Domain, Error
from conpole._vector_environment import VectorEnvironment


class StableBaselinesEnv(VecEnv):
    """A `conpole.VectorEnvironment` as Stable-Baselines3 wants it. Observations are characters; `action_masks` is there for
    MaskablePPO of sb3-contrib. `options` are those of `VectorEnvironment`, but for `autoreset`."""

    def __init__(self, domain: Domain | str, num_envs: int, **options: Any) -> None:
        self.environment = VectorEnvironment(domain, num_envs, autoreset="same-step", **options)
        self._actions: NDArray[np.int64] | None = None
        self._steps = np.zeros(num_envs, dtype=np.int64)
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(0, 255, (self.environment.max_length,), np.uint8),
            gymnasium.spaces.Discrete(self.environment.max_actions),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are: bool[num_envs, max_actions]."""
        return self.environment.action_masks()

    def reset(self) -> NDArray[np.uint8]:
        problems = [options.get("problem") for options in self._options]
        for options in self._options:
            for name in options:
                if name != "problem":
                    raise Error(f"unknown option '{name}' of reset; there are: problem")
        observations = self.environment.reset(self._seeds, problems=problems)
        self._reset_seeds()
        self._reset_options()
        self._steps[:] = 0
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        assert self._actions is not None
        observations, rewards, terminated, truncated = self.environment.step(self._actions)
        dones = terminated | truncated
        self._steps += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if dones.any():
            for i, final in zip(np.flatnonzero(dones), self.environment.final_observations, strict=True):
                # What the monitor of Stable-Baselines3 would have added, for its statistics.
                episode = {"r": float(rewards[i]), "l": int(self._steps[i])}
                infos[i] = {
                    "terminal_observation": final,
                    "TimeLimit.truncated": bool(truncated[i]),
                    "is_success": bool(terminated[i]),
                    "episode": episode,
                }
            self._steps[dones] = 0
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: None | int | Iterable[int] = None) -> list[Any]:
        values = getattr(self, attr_name, None) if attr_name == "render_mode" else getattr(self, attr_name)
        return [values] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: None | int | Iterable[int] = None) -> None:
        raise Error("the environments share their attributes, which cannot be set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: None | int | Iterable[int] = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise Error(f"the environments have no method '{method_name}' of their own; there are: action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: None | int | Iterable[int] = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: None | int | Iterable[int]) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
