"""MaskablePPO of sb3-contrib learns to sort four bars, with the network of its choice over the characters of states.

    pip install conpole sb3-contrib
    python maskable_ppo.py [--steps 60000]

Learning by reward alone only works where a random policy meets some; for more than this, see `conpole train`.
"""

import argparse

import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from conpole.stable_baselines import StableBaselinesEnv


class Characters(BaseFeaturesExtractor):
    """A vector for each character, one after the other: their places matter, their codes do not."""

    def __init__(self, observation_space: Box, size: int = 8) -> None:
        super().__init__(observation_space, features_dim=size * observation_space.shape[0])
        self.embedding = torch.nn.Embedding(256, size)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.embedding(observations.long()).flatten(1)


def success_rate(model: MaskablePPO, environment: StableBaselinesEnv, seed: int = 1) -> float:
    """The share of episodes that the greedy policy solves: the first one of each environment."""
    environment.seed(seed)
    observations = environment.reset()
    solved, open_ones = np.zeros(environment.num_envs, bool), np.ones(environment.num_envs, bool)
    while open_ones.any():
        actions, _ = model.predict(observations, action_masks=get_action_masks(environment), deterministic=True)
        observations, rewards, dones, _ = environment.step(actions)
        solved |= open_ones & (rewards > 0)
        open_ones &= ~dones
    return float(solved.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--domain", default="sorting:min_length=4,max_length=4")
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--environments", type=int, default=64)
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    environment = StableBaselinesEnv(arguments.domain, arguments.environments, max_steps=8)
    tested = StableBaselinesEnv(arguments.domain, 200, max_steps=8)
    model = MaskablePPO(
        "MlpPolicy",
        environment,
        n_steps=32,
        batch_size=512,
        learning_rate=2e-3,
        gamma=0.9,
        seed=1,
        device="cpu",
        policy_kwargs={"features_extractor_class": Characters, "net_arch": [64]},
    )
    print(f"before learning: {success_rate(model, tested):.1%} solved")
    model.learn(arguments.steps)
    print(f"after {arguments.steps} steps: {success_rate(model, tested):.1%} solved")


if __name__ == "__main__":
    main()
