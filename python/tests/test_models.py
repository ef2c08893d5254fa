"""Models: what they are given, and for which domain they are."""

import gc
import json
import pickle
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import conpole

MODELS = Path(conpole.__file__).parent / "models"


def with_metadata(path: Path, changes: Mapping[str, str | None], out: Path) -> Path:
    """A copy of a model file with other metadata; None takes a key away."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    for key, value in changes.items():
        header["__metadata__"].pop(key, None)
        if value is not None:
            header["__metadata__"][key] = value
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    out.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])
    return out


@pytest.mark.parametrize("texts", [("x + 3 = 7", "(x + 3) = 7"), ("2*x=6", "2x = 6"), ("y + 3 = 7", "(x + 3) = 7")])
def test_texts_are_read_before_they_are_embedded(texts: tuple[str, str]) -> None:
    free, canonical = conpole.load_model("equations").embed(texts)
    assert np.array_equal(free, canonical)


def test_texts_are_read_before_they_are_scored() -> None:
    model = conpole.load_model("equations")
    free, canonical = model.score(["x+3=7", "(x + 3) = 7"], ["(x + 3) - 3 = 7 - 3", "((x + 3) - 3) = (7 - 3)"])
    assert free == canonical


def test_what_is_no_state_is_refused_with_its_place() -> None:
    model = conpole.load_model("equations")
    with pytest.raises(conpole.MalformedError) as of_embed:
        model.embed(["x = 1", "x = = 3"])
    with pytest.raises(conpole.MalformedError) as of_score:
        model.score(["x = = 3"], ["x = 3"])
    for caught in (of_embed, of_score):
        assert (caught.value.text, caught.value.position) == ("x = = 3", 4)


def test_states_that_only_steps_lead_to_are_scored() -> None:
    model = conpole.load_model("fractions")
    with pytest.raises(conpole.MalformedError):
        conpole.Domain("fractions").parse("[3]/[0]")
    assert np.isfinite(model.embed(["[3]/[0]"])).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_generated_states_are_read_as_they_are(domain: conpole.Domain, threads: int) -> None:
    model = conpole.load_model(domain.name)
    as_they_are = conpole.load_model(domain.name, any_domain=True)
    states = domain.generate_batch(range(100))
    assert np.array_equal(model.embed(states, threads=threads), as_they_are.embed(states, threads=threads))


def test_a_model_of_another_domain_is_refused_unless_forced() -> None:
    sorting = conpole.Domain("sorting")
    problem = ["[==|=|===]"]
    with pytest.raises(conpole.Error, match="equations.safetensors' is for the domain equations, not for sorting"):
        conpole.search(sorting, problem, conpole.load_model("equations"))
    with pytest.raises(conpole.Error, match="is for the domain equations, not for sorting"):
        conpole.solve("[==|=|===]", "sorting", conpole.load_model("equations"))
    with pytest.raises(conpole.Error, match="is for the domain equations, not for sorting"):
        conpole.Model(MODELS / "equations.safetensors", sorting)
    forced = conpole.load_model("equations", any_domain=True)
    assert conpole.search(sorting, problem, forced, beam=100)[0].solved
    assert conpole.Model(MODELS / "equations.safetensors", sorting, any_domain=True).embed(problem).shape == (1, 256)


def test_a_model_says_which_domain_it_is_for(tmp_path: Path) -> None:
    assert conpole.load_model("sorting").domain == "sorting"
    full = with_metadata(
        MODELS / "sorting.safetensors",
        {"domain": "sorting:max_length=6", "full_domain": "sorting:min_length=1,max_length=6"},
        tmp_path / "full.safetensors",
    )
    spec = conpole.Model(full).domain
    assert spec == "sorting:min_length=1,max_length=6"
    assert conpole.Domain(spec).parameters == {"min_length": "1", "max_length": "6"}
    silent = with_metadata(MODELS / "sorting.safetensors", {"domain": None}, tmp_path / "silent.safetensors")
    model = conpole.Model(silent)
    assert model.domain is None
    assert model.embed(["whatever this is"]).shape == (1, 256)
    assert conpole.search(conpole.Domain("sorting"), ["[==|=]"], model)[0].solved


def test_a_model_of_a_domain_in_python_reads_texts_in_it(tmp_path: Path) -> None:
    class Letters(conpole.PyDomain):
        def generate(self, seed: int) -> str:
            return "ab"

        def parse(self, text: str) -> str:
            if not text.strip().isalpha():
                raise ValueError("expected a letter")
            return text.strip()

        def successors(self, state: str) -> list[tuple[str, str]]:
            raise AssertionError("nobody asks for successors")

        def solved(self, state: str) -> bool:
            return True

    path = with_metadata(MODELS / "sorting.safetensors", {"domain": "Letters"}, tmp_path / "letters.safetensors")
    assert not np.array_equal(*conpole.Model(path).embed([" ab ", "ab"]))  # this package does not know the domain
    model = conpole.Model(path, Letters())
    gc.collect()  # the model keeps the domain
    assert np.array_equal(*model.embed([" ab ", "ab"]))
    with pytest.raises(conpole.MalformedError, match="expected a letter"):
        model.embed(["1"])


def test_copies_of_models_read_as_they_do() -> None:
    forced = pickle.loads(pickle.dumps(conpole.load_model("equations", any_domain=True)))
    assert not np.array_equal(*forced.embed(["x + 3 = 7", "(x + 3) = 7"]))
    model = pickle.loads(pickle.dumps(conpole.load_model("equations")))
    assert np.array_equal(*model.embed(["x + 3 = 7", "(x + 3) = 7"]))
    with pytest.raises(conpole.Error, match="equations.safetensors' is for the domain equations, not for sorting"):
        conpole.search(conpole.Domain("sorting"), ["[==|=]"], model)
