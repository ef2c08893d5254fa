"""The domains for PufferLib, as native environments of many problems each:

    import pufferlib.vector

    environments = pufferlib.vector.make(conpole.pufferlib.DomainPufferEnv, env_kwargs={"domain": "sorting", "num_envs": 64})

Needs PufferLib: pip install pufferlib.
"""

from typing import Any

import gymnasium
import numpy as np
import pufferlib
from numpy.typing import NDArray

from conpole._native import Domain
from conpole._vector_environment import VectorEnvironment


class DomainPufferEnv(pufferlib.PufferEnv):  # type: ignore[misc]
    """A `conpole.VectorEnvironment` as PufferLib wants it. Observations are characters; an episode that ends is followed by the next
    one at once. `options` are those of `VectorEnvironment`, but for `autoreset`."""

    def __init__(self, domain: Domain | str, num_envs: int = 1, *, buf: Any = None, seed: int | None = 0, **options: Any) -> None:
        self.environment = VectorEnvironment(domain, num_envs, autoreset="same-step", **options)
        self.single_observation_space = gymnasium.spaces.Box(0, 255, (self.environment.max_characters,), np.uint8)
        self.single_action_space: gymnasium.Space[Any] = gymnasium.spaces.Discrete(self.environment.max_actions)
        self.num_agents = num_envs
        self._seed = seed
        super().__init__(buf)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are: bool[num_envs, max_actions]."""
        return self.environment.action_masks()

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], list[dict[str, float]]]:
        self.observations[:] = self.environment.reset(self._seed if seed is None else seed)
        self._seed = None
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, list[dict[str, float]]]:
        stepped = self.environment.step(np.asarray(actions).reshape(self.num_agents))
        for own, new in zip((self.observations, self.rewards, self.terminals, self.truncations), stepped, strict=True):
            own[:] = new
        ended = self.terminals | self.truncations
        infos = [{"solved": float(self.terminals[ended].mean())}] if ended.any() else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        pass
