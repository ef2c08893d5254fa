"""The environments in PufferLib, native ones of many problems each."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="there is no Gymnasium")


@pytest.mark.parametrize("backend", ["PufferEnv", "Serial"])
def test_many_problems(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # importing PufferLib leaves a link in the current folder
    pytest.importorskip("pufferlib", reason="there is no PufferLib")
    import pufferlib.vector

    from conpole.pufferlib import DomainPufferEnv

    options = {"domain": "sorting:max_length=4", "num_envs": 3}
    count = 1 if backend == "PufferEnv" else 2
    environments = pufferlib.vector.make(DomainPufferEnv, env_kwargs=options, num_envs=count, backend=backend)
    observations, _ = environments.reset(seed=1)
    size = 3 * count
    assert observations.shape == (size, *environments.single_observation_space.shape) and observations.dtype == np.uint8
    assert observations[:, 0].tobytes() == b"[" * size
    solved = 0.0
    for i in range(120):
        actions = np.full(size, i % environments.single_action_space.n)
        observations, rewards, terminals, truncations, infos = environments.step(actions)
        assert (rewards == terminals).all() and not (terminals & truncations).any()
        assert bool(infos) == bool((terminals | truncations).any())
        solved += rewards.sum()
    assert solved > 0
    environments.close()
