"""Stable-Baselines3 and sb3-contrib on the environments."""

import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import conpole

stable_baselines3 = pytest.importorskip("stable_baselines3", reason="there is no stable_baselines3")

from stable_baselines3.common.env_checker import check_env  # noqa: E402

from conpole.stable_baselines import StableBaselinesEnv  # noqa: E402

EXAMPLE = Path(__file__).parents[1] / "examples" / "maskable_ppo.py"


def test_plain_stable_baselines_takes_characters() -> None:
    environment = gymnasium.make("conpole/Sorting-v0", observation="characters", max_length=4, min_length=4, max_steps=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(environment)
    model = stable_baselines3.PPO("MlpPolicy", environment, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)
    action, _ = model.predict(environment.reset(seed=1)[0])
    assert action in environment.action_space


def test_the_environment_keeps_the_contract() -> None:
    environment = StableBaselinesEnv("sorting:min_length=3,max_length=5", 4, max_steps=3)
    environment.seed(7)
    observations = environment.reset()
    twin = conpole.VectorEnvironment("sorting:min_length=3,max_length=5", 4, max_steps=3)
    assert np.array_equal(observations, twin.reset(seed=7))
    assert environment.has_attr("action_masks") and not environment.has_attr("no_such_thing")
    for _ in range(10):
        masks = np.stack(environment.env_method("action_masks"))
        assert np.array_equal(masks, environment.action_masks()) and masks.any(axis=1).all()
        before = environment.environment.successors()
        actions = masks.sum(axis=1) - 1
        observations, rewards, dones, infos = environment.step(actions)
        assert observations.dtype == np.uint8 and rewards.dtype == np.float32
        for (_, next_states), action, done, reward, info in zip(before, actions, dones, rewards, infos, strict=True):
            if done:
                assert bytes(info["terminal_observation"]).rstrip(b"\0").decode() == next_states[action]
                assert info["is_success"] == (reward == 1) == (not info["TimeLimit.truncated"])
                assert info["episode"]["r"] == reward and 1 <= info["episode"]["l"] <= 3
            else:
                assert info == {}
    environment.set_options({"problem": "[==|=|=]"})
    environment.reset()
    assert environment.environment.states() == ["[==|=|=]"] * 4
    environment.set_options({"problems": "[==|=|=]"})
    with pytest.raises(conpole.Error, match="unknown option 'problems' of reset; there are: problem"):
        environment.reset()
    environment.close()


def test_maskable_ppo_learns() -> None:
    pytest.importorskip("sb3_contrib", reason="there is no sb3_contrib")
    ran = subprocess.run([sys.executable, EXAMPLE, "--steps", "12000"], capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    before, after = (float(line.split()[-2].rstrip("%")) for line in ran.stdout.splitlines())
    assert after > before + 10, ran.stdout
