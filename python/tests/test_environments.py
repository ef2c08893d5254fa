"""The Gymnasium environments."""

import gc
import os
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from sliding_puzzle import SlidingPuzzle

import conpole
from conpole.environments import DomainEnv, DomainVectorEnv, environment_id


def make_single(domain: conpole.Domain, **options: object) -> gymnasium.Env:
    return gymnasium.make(environment_id(domain.name), **options)


def test_every_domain_has_an_id(domain: conpole.Domain) -> None:
    assert environment_id("ternary-addition") == "conpole/TernaryAddition-v0"
    assert environment_id(domain.name) in gymnasium.registry


@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_no_fault(domain: conpole.Domain) -> None:
    check_env(make_single(domain).unwrapped)


@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_no_fault_in_python_domains() -> None:
    check_env(DomainEnv(SlidingPuzzle()), skip_render_check=True)


def test_info_lists_the_successors(domain: conpole.Domain) -> None:
    environment = make_single(domain)
    state, info = environment.reset(seed=3)
    ((_, actions, next_states),) = domain.step([state])
    assert info["actions"] == actions
    assert info["next_states"] == next_states
    assert info["action_mask"].sum() == len(actions)
    action = environment.action_space.sample(info["action_mask"])
    assert environment.step(action)[0] == next_states[action]


def test_an_episode_ends_solved() -> None:
    environment = gymnasium.make("conpole/Sorting-v0")
    state, info = environment.reset(options={"problem": "[==|=|=]"})
    assert state == "[==|=|=]"
    state, reward, terminated, truncated, info = environment.step(info["actions"].index("swap 1"))
    assert (state, reward, terminated, truncated) == ("[==|=|=]", 0.0, False, False)
    state, reward, terminated, truncated, info = environment.step(info["actions"].index("reverse"))
    assert (state, reward, terminated, truncated) == ("[=|=|==]", 1.0, True, False)
    assert info["actions"] == [] and not info["action_mask"].any()


def test_an_episode_is_truncated_by_the_limit_and_by_dead_ends() -> None:
    environment = gymnasium.make("conpole/Sorting-v0", max_steps=2, min_length=5)
    environment.reset(seed=1)
    assert environment.step(0)[2:4] == (False, False)
    assert environment.step(0)[2:4] == (False, True)
    # Wider than max_nodes allows: no axiom applies any more.
    environment = gymnasium.make("conpole/Equations-v0", max_nodes=5)
    _, info = environment.reset(options={"problem": "x + 1 = 2"})
    _, reward, terminated, truncated, info = environment.step(info["actions"].index("sub 1"))
    assert (reward, terminated, truncated, info["actions"]) == (0.0, False, True, [])


def test_actions_that_there_are_not() -> None:
    environment = gymnasium.make("conpole/Sorting-v0")
    state, _ = environment.reset(options={"problem": "[==|=|=]"})
    assert environment.step(31)[:4] == (state, 0.0, False, False)
    for action in (32, -1, "swap 0", 1.5):
        with pytest.raises(conpole.Error, match="the action must be an integer from 0 to 31"):
            environment.unwrapped.step(action)


def test_max_actions_are_enough(domain: conpole.Domain) -> None:
    states = [state for state in domain.generate_batch(range(300)) if not domain.solved(state)]
    generator = np.random.default_rng(1)
    for _ in range(12):
        columns = domain.expand(states)
        counts = np.diff(columns.first)
        assert counts.max(initial=0) <= make_single(domain).action_space.n
        states = [columns[int(columns.first[i] + generator.integers(counts[i]))] for i in np.flatnonzero(counts)]


@pytest.mark.parametrize("make", [DomainEnv, DomainVectorEnv])
def test_closed_and_unready_environments(sorting: conpole.Domain, make: type[DomainEnv] | type[DomainVectorEnv]) -> None:
    environment = make(sorting)
    with pytest.raises(conpole.Error, match="reset the environment before its first step"):
        environment.step(np.int64(0))
    environment.reset()
    environment.close()
    for call in (environment.reset, lambda: environment.step(np.int64(0)), environment.render):
        with pytest.raises(conpole.Error, match="the environment is closed"):
            call()


def test_bad_options() -> None:
    with pytest.raises(conpole.MalformedError, match="is not a problem of sorting"):
        gymnasium.make("conpole/Sorting-v0").reset(options={"problem": "[a"})
    with pytest.raises(conpole.Error, match="unknown parameter 'size'"):
        gymnasium.make("conpole/Sorting-v0", size=3)


def test_vector_environment_equals_single_ones(domain: conpole.Domain) -> None:
    count = 5
    vector = gymnasium.make_vec(environment_id(domain.name), num_envs=count, max_steps=6)
    assert isinstance(vector, DomainVectorEnv)
    single = gymnasium.make_vec(environment_id(domain.name), num_envs=count, vectorization_mode="sync", max_steps=6)
    states, infos = vector.reset(seed=11)
    expected, expected_infos = single.reset(seed=11)
    generator = np.random.default_rng(5)
    for _ in range(40):
        assert states in vector.observation_space
        assert states == expected
        assert infos.keys() >= expected_infos.keys()
        for key, value in expected_infos.items():
            assert np.array_equal(infos[key], value), key
        actions = np.array([generator.integers(max(1, mask.sum())) for mask in infos["action_mask"]])
        states, *outcome, infos = vector.step(actions)
        expected, *expected_outcome, expected_infos = single.step(actions)
        for ours, theirs in zip(outcome, expected_outcome, strict=True):
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)


def test_vector_environment_checks_its_arguments(sorting: conpole.Domain) -> None:
    vector = DomainVectorEnv(sorting, 3)
    vector.reset(seed=[1, None, 3])
    with pytest.raises(conpole.Error, match="expected 3 seeds, not 2"):
        vector.reset(seed=[1, 2])
    with pytest.raises(conpole.Error, match="expected 3 integers as actions"):
        vector.step(np.zeros(2, dtype=np.int64))
    with pytest.raises(conpole.Error, match="actions must be integers from 0 to 31"):
        vector.step(np.array([0, 32, 0]))
    with pytest.raises(conpole.Error, match="num_envs must be at least 1"):
        DomainVectorEnv(sorting, 0)


def test_vector_environment_resets_some() -> None:
    vector = gymnasium.make_vec("conpole/Equations-v0", num_envs=3)
    before, _ = vector.reset(seed=1)
    after, infos = vector.reset(options={"reset_mask": np.array([False, True, False])})
    assert before[0] == after[0] and before[2] == after[2] and before[1] != after[1]
    assert list(infos["_actions"]) == [False, True, False]


def test_vector_checks_of_gymnasium() -> None:
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec("conpole/Sorting-v0", num_envs=4, max_steps=3)
    )
    _, infos = wrapped.reset(seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(8):
            _, _, _, _, infos = wrapped.step(wrapped.action_space.sample())
    assert wrapped.episode_count > 0


def test_nothing_leaks() -> None:
    environment = gymnasium.make("conpole/Sorting-v0")
    vector = gymnasium.make_vec("conpole/Sorting-v0", num_envs=4)
    vector.reset(seed=1)

    def blocks_after(steps: int) -> int:
        environment.reset(seed=1)
        for _ in range(steps):
            _, _, terminated, truncated, _ = environment.step(0)
            if terminated or truncated:
                environment.reset()
            vector.step(np.zeros(4, dtype=np.int64))
        gc.collect()
        return sys.getallocatedblocks()

    blocks_after(200)
    before = blocks_after(200)
    assert blocks_after(3000) - before < 200


def test_nothing_leaks_over_a_million_steps(sorting: conpole.Domain) -> None:
    count = 1000
    generator = np.random.default_rng(3)

    def use(steps: int) -> tuple[int, int]:
        """Blocks of memory that Python has, and pages that the process has, after so many steps of each environment."""
        vector = DomainVectorEnv(sorting, count, max_steps=10)
        states, _ = vector.reset(seed=1)
        for _ in range(steps):
            states, *_ = vector.step(generator.integers(4, size=count))
            assert len(sorting.expand(states).parents) > 0
        vector.close()
        del vector, states
        gc.collect()
        return sys.getallocatedblocks(), int(Path("/proc/self/statm").read_text().split()[1])

    use(50)
    references = sys.getrefcount(sorting)
    blocks, pages = use(50)
    blocks_later, pages_later = use(1000)
    assert blocks_later - blocks < 800  # they vary by some hundred; one per call would be 950
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which keeps freed memory for a while
        assert (pages_later - pages) * os.sysconf("SC_PAGESIZE") < 8_000_000
    assert sys.getrefcount(sorting) == references
