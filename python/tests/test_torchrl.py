"""The environments in TorchRL, which tries what they take."""

from importlib.util import find_spec

import pytest

if find_spec("torchrl") is None or find_spec("gymnasium") is None:
    pytest.skip("there is no TorchRL", allow_module_level=True)

from torchrl.envs import GymEnv, GymWrapper

from conpole.environments import DomainVectorEnv


def test_one_problem() -> None:
    environment = GymEnv("conpole/Sorting-v0", observation="characters", categorical_action_encoding=True)
    rollout = environment.rollout(5)
    assert 1 <= rollout.batch_size[0] <= 5 and rollout["observation"].shape[-1] == environment.observation_spec["observation"].shape[-1]


def test_many_problems() -> None:
    environment = GymWrapper(DomainVectorEnv("sorting", num_envs=4, autoreset_mode="Disabled"), categorical_action_encoding=True)
    rollout = environment.rollout(5, break_when_any_done=False)
    assert tuple(rollout.batch_size) == (4, 5)
