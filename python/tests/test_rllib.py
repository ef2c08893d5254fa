"""RLlib takes the environments of Gymnasium as they are."""

from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="there is no Ray")
pytest.importorskip("ray.rllib", reason="there is no RLlib")
pytest.importorskip("torch", reason="there is no PyTorch")


def test_ppo_takes_a_round() -> None:
    import gymnasium
    from gymnasium.wrappers import DtypeObservation
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune.registry import register_env

    import conpole

    assert "sorting" in conpole.domain_names()

    def make(given: dict[str, Any]) -> gymnasium.Env[Any, Any]:
        # RLlib's networks take floats as they are, and bytes not at all.
        return DtypeObservation(gymnasium.make("conpole/Sorting-v0", observation="characters", **given), np.float32)

    register_env("conpole", make)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        config = PPOConfig().environment("conpole", env_config={"max_length": 3}).env_runners(num_env_runners=0)
        algorithm = config.training(train_batch_size=100, minibatch_size=50, num_epochs=1).build_algo()
        runners = algorithm.train()["env_runners"]
        assert runners["num_env_steps_sampled"] >= 100 and 0 <= runners["episode_return_mean"] <= 1
        algorithm.stop()
    finally:
        ray.shutdown()
