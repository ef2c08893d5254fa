"""The Gymnasium environments."""

import copy
import gc
import inspect
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from sliding_puzzle import SlidingPuzzle

import conpole
from conpole.environments import DomainEnv, DomainVectorEnv, environment_id


def make_single(domain: conpole.Domain, **options: object) -> gymnasium.Env:
    return gymnasium.make(environment_id(domain.name), **options)


def random_actions(counts: np.ndarray, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(np.maximum(1, counts))


def text_of(row: np.ndarray) -> str:
    return bytes(row).rstrip(b"\0").decode()


def test_every_domain_has_an_id(domain: conpole.Domain) -> None:
    assert environment_id("ternary-addition") == "conpole/TernaryAddition-v0"
    assert environment_id(domain.name) in gymnasium.registry


def test_no_option_hides_a_parameter(domain: conpole.Domain) -> None:
    for make in (DomainEnv, DomainVectorEnv):
        assert not inspect.signature(make).parameters.keys() & domain.parameters.keys()


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
    environment = gymnasium.make("conpole/Sorting-v0", max_actions=20)
    state, _ = environment.reset(options={"problem": "[==|=|=]"})
    assert environment.step(19)[:4] == (state, 0.0, False, False)
    for action in (20, -1, "swap 0", 1.5):
        with pytest.raises(conpole.Error, match="the action must be an integer from 0 to 19"):
            environment.unwrapped.step(action)


def test_there_is_room_for_what_random_walks_meet(domain: conpole.Domain) -> None:
    # multiplication once had room for 64 of up to 102 and more.
    vector = conpole.VectorEnvironment(domain, 400, threads=1)
    vector.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(40):
            vector.step(random_actions(vector.num_actions, seed=2))
            assert vector.num_actions.max() <= vector.max_actions == make_single(domain).action_space.n
            assert vector.lengths.max() <= vector.max_characters
    assert conpole.VectorEnvironment("rubiks-cube").max_actions == 12


def test_the_spaces_of_a_version_are_its_own(domain: conpole.Domain) -> None:
    """Policies are trained for them: another size needs another version."""
    sizes = {"sorting": (24, 112), "ternary-addition": (48, 80), "multiplication": (160, 496), "fractions": (40, 96)}
    sizes |= {"equations": (88, 160), "rubiks-cube": (12, 112), "algebra": (16, 112)}
    for make in (make_single, lambda given, **options: gymnasium.make_vec(environment_id(given.name), num_envs=1, **options)):
        made = make(domain, observation="characters")
        observed, acted = (made.single_observation_space, made.single_action_space) if hasattr(made, "num_envs") else (
            made.observation_space, made.action_space)  # fmt: skip
        assert (acted.n, observed.shape) == (sizes[domain.name][0], (sizes[domain.name][1],))
    assert make_single(conpole.Domain("sorting"), max_length=3).action_space.n < 24, "other parameters have room of their own"


def test_what_is_cut_is_said() -> None:
    vector = gymnasium.make_vec("conpole/Sorting-v0", num_envs=2, max_actions=2, max_characters=4)
    with pytest.warns(RuntimeWarning) as warned:
        observations, infos = vector.reset(options={"problem": ["[==|=|=]", "[==|=]"]})
    assert {str(one.message) for one in warned} == {
        "a state has 3 successors, and there is room for 2: set max_actions",
        "a state has 8 characters, and there is room for 4: set max_characters",
    }
    assert list(infos["num_actions"]) == [3, 2] and list(infos["length"]) == [8, 6]
    assert infos["action_mask"].tolist() == [[1, 1], [1, 1]]
    assert [bytes(row) for row in observations] == [b"[==|", b"[==|"]
    with warnings.catch_warnings():  # once is enough
        warnings.simplefilter("error")
        vector.step(np.zeros(2, dtype=np.int64))
    single = gymnasium.make("conpole/Sorting-v0", max_actions=2)
    with pytest.warns(RuntimeWarning, match="a state has 3 successors, and there is room for 2"):
        _, info = single.reset(options={"problem": "[==|=|=]"})
    assert info["num_actions"] == 3 and len(info["actions"]) == 2


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
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        gymnasium.make("conpole/Sorting-v0", size=3)
    with pytest.raises(conpole.Error, match="unknown option 'problems' of reset; there are: problem$"):
        gymnasium.make("conpole/Sorting-v0").reset(options={"problems": "[==|=]"})
    with pytest.raises(conpole.Error, match="unknown option 'seed' of reset; there are: problem, reset_mask$"):
        gymnasium.make_vec("conpole/Sorting-v0", num_envs=2).reset(options={"seed": 1})
    with pytest.raises(conpole.Error, match="unknown observation 'pixels'; there are: characters, text"):
        gymnasium.make("conpole/Sorting-v0", observation="pixels")
    with pytest.raises(conpole.MalformedError, match="is not a problem of sorting"):
        gymnasium.make_vec("conpole/Sorting-v0", num_envs=2).reset(options={"problem": ["[=|==]", "[a"]})


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_environment_equals_single_ones(domain: conpole.Domain, mode: AutoresetMode) -> None:
    count = 5
    name = environment_id(domain.name)
    vector = gymnasium.make_vec(
        name, num_envs=count, max_steps=6, observation="text", list_successors=True, autoreset_mode=mode
    )
    assert isinstance(vector, DomainVectorEnv) and vector.metadata["autoreset_mode"] == mode
    single = gymnasium.make_vec(
        name, num_envs=count, max_steps=6, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}
    )
    states, infos = vector.reset(seed=11)
    expected, expected_infos = single.reset(seed=11)
    generator = np.random.default_rng(5)
    for _ in range(40):
        assert states in vector.observation_space
        assert states == expected
        assert infos.keys() >= expected_infos.keys()
        for key, value in expected_infos.items():
            if not key.endswith("final_info"):
                assert np.array_equal(infos[key], value), key
        actions = np.array([generator.integers(max(1, mask.sum())) for mask in infos["action_mask"]])
        states, *outcome, infos = vector.step(actions)
        expected, *expected_outcome, expected_infos = single.step(actions)
        for ours, theirs in zip(outcome, expected_outcome, strict=True):
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)


def test_characters_equal_text(domain: conpole.Domain) -> None:
    name = environment_id(domain.name)
    numbers, texts = gymnasium.make(name, observation="characters"), gymnasium.make(name)
    row, info = numbers.reset(seed=4)
    assert text_of(row) == texts.reset(seed=4)[0] and row in numbers.observation_space
    assert np.array_equal(numbers.unwrapped.action_masks(), info["action_mask"].astype(bool))
    vector, others = gymnasium.make_vec(name, num_envs=3), gymnasium.make_vec(name, num_envs=3, observation="text")
    rows, infos = vector.reset(seed=4)
    states, _ = others.reset(seed=4)
    for _ in range(35):
        assert rows in vector.observation_space and rows.dtype == np.uint8
        assert tuple(map(text_of, rows)) == states == tuple(vector.unwrapped.states())
        assert list(infos["length"]) == [len(state) for state in states]
        assert infos["action_mask"].sum(axis=1).tolist() == infos["num_actions"].tolist()
        assert np.array_equal(vector.unwrapped.action_masks(), infos["action_mask"].astype(bool))
        actions = random_actions(infos["num_actions"], seed=6)
        rows, _, _, _, infos = vector.step(actions)
        states, *_ = others.step(actions)


@pytest.mark.filterwarnings("error")
def test_gymnasium_finds_no_fault_in_characters(domain: conpole.Domain) -> None:
    check_env(make_single(domain, observation="characters").unwrapped)


def test_autoreset_can_be_disabled() -> None:
    vector = gymnasium.make_vec("conpole/Sorting-v0", num_envs=2, autoreset_mode=AutoresetMode.DISABLED)
    vector.reset(options={"problem": ["[==|=|=]", "[===|=|==]"]})
    observations, rewards, terminated, _, _ = vector.step(np.array([2, 0]))
    assert terminated.tolist() == [True, False] and rewards.tolist() == [1.0, 0.0]
    with pytest.raises(conpole.Error, match="the episode of environment 0 has ended; reset it before its next step"):
        vector.step(np.array([0, 0]))
    assert vector.unwrapped.states()[1] == text_of(observations[1])  # nothing has changed
    vector.reset(options={"reset_mask": terminated, "problem": "[==|=]"})
    assert vector.unwrapped.states()[0] == "[==|=]"
    assert vector.step(np.array([0, 0]))[2].tolist()[0] is True


def test_problems_for_vectors() -> None:
    vector = gymnasium.make_vec("conpole/Equations-v0", num_envs=3)
    observations, _ = vector.reset(options={"problem": "x + 3 = 7"})
    assert list(map(text_of, observations)) == ["(x + 3) = 7"] * 3
    observations, _ = vector.reset(seed=1, options={"problem": ["2x = 4", None, "x = 3"]})
    assert [text_of(observations[0]), text_of(observations[2])] == ["2x = 4", "x = 3"]
    assert text_of(observations[1]) == text_of(gymnasium.make_vec("conpole/Equations-v0", num_envs=3).reset(seed=1)[0][1])
    with pytest.raises(conpole.Error, match="expected 3 problems, not 2"):
        vector.reset(options={"problem": ["2x = 4", None]})
    _, rewards, terminated, _, _ = vector.step(np.zeros(3, dtype=np.int64))
    assert (rewards[2], terminated[2]) == (0.0, True)  # it was solved before the step


@pytest.mark.parametrize("observation", ["text", "characters"])
@pytest.mark.parametrize("shared_memory", [False, True])
def test_asynchronous_environments(observation: str, shared_memory: bool) -> None:
    if observation == "text" and shared_memory:
        pytest.skip("the shared memory of Gymnasium has no room for texts of different lengths: see docs/python.md")
    single = gymnasium.make_vec("conpole/Sorting-v0", num_envs=2, vectorization_mode="sync", observation=observation)
    parallel = gymnasium.make_vec(
        "conpole/Sorting-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": shared_memory, "context": "spawn"},
        observation=observation,
    )
    try:
        expected, _ = single.reset(seed=3)
        states, _ = parallel.reset(seed=3)
        for _ in range(3):
            assert np.array_equal(states, expected)
            states, expected = parallel.step(np.array([0, 1]))[0], single.step(np.array([0, 1]))[0]
    finally:
        parallel.close()


def test_an_environment_without_gymnasium(sorting: conpole.Domain) -> None:
    environment = conpole.VectorEnvironment(sorting, 3, autoreset="same-step", max_steps=2)
    assert repr(environment) == f"VectorEnvironment(3 of Domain('sorting'), {environment.max_actions} actions, {environment.max_characters} characters)"
    for call in (environment.states, environment.action_masks, lambda: environment.observations):
        with pytest.raises(conpole.Error, match="reset the environment first"):
            call()
    environment.reset(problems=["[==|=|=]", "[===|=|==]", "[===|==|=]"])
    assert environment.successors()[0] == (["swap 0", "swap 1", "reverse"], ["[=|==|=]", "[==|=|=]", "[=|=|==]"])
    _, rewards, terminated, truncated = environment.step([2, 1, 1])
    assert (rewards.tolist(), terminated.tolist(), truncated.tolist()) == ([1, 0, 0], [True, False, False], [False] * 3)
    assert environment.final_states == ["[=|=|==]"] and list(map(text_of, environment.final_observations)) == ["[=|=|==]"]
    assert environment.states()[1:] == ["[===|==|=]", "[===|=|==]"]
    assert not sorting.solved(environment.states()[0])
    *_, truncated = environment.step([0, 1, 1])
    assert truncated.tolist()[1:] == [True, True] and environment.final_states[-2:] == ["[===|=|==]", "[===|==|=]"]
    with pytest.raises(conpole.Error, match="unknown autoreset 'never'"):
        conpole.VectorEnvironment(sorting, autoreset="never")


@pytest.mark.parametrize("made_of", ["equations", "python"])
def test_copies_go_on(made_of: str) -> None:
    domain = SlidingPuzzle(10) if made_of == "python" else conpole.Domain(made_of)
    environment = conpole.VectorEnvironment(domain, 4, max_steps=5)
    assert pickle.loads(pickle.dumps(environment)).num_envs == 4
    environment.reset(seed=1)
    environment.step(random_actions(environment.num_actions, seed=1))
    copies = [copy.deepcopy(environment), pickle.loads(pickle.dumps(environment)), copy.copy(environment)]
    for step in range(12):
        actions = random_actions(environment.num_actions, seed=step)
        observations, *outcome = environment.step(actions)
        for other in copies:
            others, *other_outcome = other.step(actions)
            assert np.array_equal(others, observations)
            assert all(np.array_equal(ours, theirs) for ours, theirs in zip(outcome, other_outcome, strict=True))
    vector = DomainVectorEnv(domain, 2)
    vector.reset(seed=1)
    assert np.array_equal(copy.deepcopy(vector).step(np.array([0, 1]))[0], vector.step(np.array([0, 1]))[0])


def test_arrays_stay_as_they_are(sorting: conpole.Domain) -> None:
    # The memory of arrays that are gone is used again, that of others is not.
    environment = conpole.VectorEnvironment(sorting, 50, threads=1)
    kept = [environment.reset(seed=1)]
    masks = [environment.action_mask]
    copies = [(kept[0].copy(), masks[0].copy())]
    for step in range(10):
        environment.step(random_actions(environment.num_actions, seed=step))
        kept.append(environment.observations)
        masks.append(environment.action_mask[5:])
        copies.append((kept[-1].copy(), masks[-1].copy()))
    del environment
    gc.collect()
    for observations, mask, (expected, expected_mask) in zip(kept, masks, copies, strict=True):
        assert np.array_equal(observations, expected) and np.array_equal(mask, expected_mask)


def test_threads_and_sizes_do_not_show(domain: conpole.Domain) -> None:
    results = []
    for threads in (1, 2, 3):
        environment = conpole.VectorEnvironment(domain, 300, threads=threads, max_steps=5)
        seen = [environment.reset(seed=1)]
        for step in range(8):
            observations, rewards, *_ = environment.step(random_actions(environment.num_actions, seed=step))
            seen += [observations, rewards]
        results.append(seen)
    for other in results[1:]:
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(results[0], other, strict=True))


class Fragile(SlidingPuzzle):
    """Fails, or calls its own environment, when told to."""

    act: Callable[[], object] | None = None

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        if self.act is not None:
            self.act()
        return super().successors(state)


def test_a_step_that_fails_changes_nothing() -> None:
    domain = Fragile(10)
    environment = conpole.VectorEnvironment(domain, 3, max_actions=4, max_characters=20)
    environment.reset(seed=1)
    before = environment.states()

    def fail() -> None:
        raise RuntimeError("on purpose")

    domain.act = fail
    with pytest.raises(RuntimeError, match="on purpose"):
        environment.step([0, 0, 0])
    domain.act = lambda: environment.step([0, 0, 0])
    with pytest.raises(conpole.Error, match="the environment is in use"):
        environment.step([0, 0, 0])
    domain.act = None
    assert environment.states() == before
    expected = [next_states[0] for _, next_states in environment.successors()]
    environment.step([0, 0, 0])
    assert environment.states() == expected


def test_vector_environment_checks_its_arguments(sorting: conpole.Domain) -> None:
    vector = DomainVectorEnv(sorting, 3, max_actions=32)
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
    assert [bool((one == other).all()) for one, other in zip(before, after, strict=True)] == [True, False, True]
    assert list(infos["_action_mask"]) == [False, True, False]
    assert list(infos["action_mask"].any(axis=1)) == [False, True, False]
    assert vector.unwrapped.action_masks().any(axis=1).all()
    with pytest.raises(conpole.Error, match="the first reset must be of all environments"):
        gymnasium.make_vec("conpole/Sorting-v0", num_envs=2).reset(options={"reset_mask": np.array([False, True])})


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
        vector.reset(seed=1)
        for _ in range(steps):
            vector.step(generator.integers(4, size=count))
            assert len(sorting.expand(vector.states()).parents) > 0
        vector.close()
        del vector
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


def test_a_step_may_be_taken_while_others_work(sorting: conpole.Domain) -> None:
    environments = [conpole.VectorEnvironment(sorting, 3, autoreset="same-step") for _ in range(2)]
    one, other = environments
    with pytest.raises(conpole.Error, match="no step was sent"):
        one.recv()
    with pytest.raises(conpole.Error, match="reset the environment"):
        one.send([0, 0, 0])
    for environment in environments:
        environment.reset(seed=4)
    for i in range(40):
        actions = np.full(3, i % one.max_actions)
        one.send(actions)
        actions[:] = 0  # it has a copy
        before = one.observations.copy()
        for ask in (one.states, one.reset, one.successors, lambda: one.expansion, lambda: one.step(actions), lambda: pickle.dumps(one)):
            with pytest.raises(conpole.Error, match="a step was sent"):
                ask()
        assert (one.observations == before).all(), "those before the step"
        expected = other.step(np.full(3, i % one.max_actions))
        for mine, theirs in zip(one.recv(), expected, strict=True):
            assert (mine == theirs).all()
        assert one.states() == other.states() and one.final_states == other.final_states
    one.send([0, 0, one.max_actions])
    with pytest.raises(conpole.Error, match="actions must be integers"):
        one.recv()
    assert one.states() == other.states()


def test_successors_come_in_columns_without_expanding_again(sorting: conpole.Domain) -> None:
    environment = conpole.VectorEnvironment(sorting, 5, max_actions=4)
    environment.reset(seed=1)
    for _ in range(3):
        columns = environment.expansion
        listed = environment.successors()
        assert [columns.texts[a:b].tolist() for a, b in zip(columns.first, columns.first[1:], strict=False)] == [
            states for _, states in listed
        ]
        assert columns.parents.tolist() == [i for i, (_, states) in enumerate(listed) for _ in states]
        assert columns.padded()[0].shape[0] == len(columns.texts)
        environment.step(np.zeros(5, dtype=np.int64))
