"""conpole.torch: networks in PyTorch that are those of the files."""

import doctest
import json
import struct
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import conpole

if find_spec("torch") is None:
    pytest.skip("there is no PyTorch", allow_module_level=True)

import torch

from conpole._searching import shipped_model
from conpole.torch import Policy

torch.set_num_threads(1)


def step_pairs(domain: conpole.Domain, problems: int) -> tuple[list[str], list[str]]:
    parents: list[str] = []
    candidates: list[str] = []
    for problem in domain.generate_batch(range(problems)):
        (_, _, successors) = domain.step([problem])[0]
        parents += [problem] * len(successors)
        candidates += successors
    return parents, candidates


def assert_near(values: torch.Tensor, expected: NDArray[np.float32]) -> None:
    assert values.shape == expected.shape
    assert np.abs(values.numpy() - expected).max() < 1e-5 * max(1.0, float(np.abs(expected).max()))


def assert_same(policy: Policy, model: conpole.Model, domain: conpole.Domain) -> None:
    states = domain.generate_batch(range(20))
    parents, candidates = step_pairs(domain, 3)
    with torch.inference_mode():
        assert_near(policy.encode(states), model.embed(states))
        assert_near(policy.score(parents, candidates), model.score(parents, candidates))


def test_shipped_models_are_the_same_in_pytorch(domain: conpole.Domain) -> None:
    policy = Policy.from_file(domain.name)
    assert_same(policy, conpole.load_model(domain.name), domain)
    assert policy.domain is not None and policy.domain.name == domain.name


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(
    ("kind", "head", "sizes"),
    [
        ("lstm", "bilinear", {"embedding": 8, "hidden": 12, "layers": 2}),
        ("lstm", "value", {"embedding": 8, "hidden": 16, "layers": 1}),
        ("bag", "bilinear", {"hidden": 24, "window": 3}),
        ("bag", "value", {"hidden": 24, "window": 16}),
    ],
)
def test_saved_networks_are_the_same_in_the_engine(kind: str, head: str, sizes: dict[str, Any], half: bool, tmp_path: Path) -> None:
    torch.manual_seed(1)
    domain = conpole.Domain("sorting", max_length=6)
    policy = Policy(kind, head, domain=domain, metadata={"note": "äöü"}, **sizes)
    path = tmp_path / "saved.safetensors"
    policy.save(path, half=half)
    model = conpole.Model(path)
    assert (model.kind, model.head, model.meaning) == (kind, head, policy.meaning)
    assert model.metadata["note"] == "äöü" and model.metadata["domain"] == "sorting:max_length=6"
    assert model.domain == "sorting:max_length=6,min_length=1"
    assert conpole.Domain(model.domain).parameters == domain.parameters
    again = Policy.from_file(path)
    assert_same(again, model, domain)
    assert again.sizes == policy.sizes and again.metadata == policy.metadata
    if not half:
        assert_same(policy, model, domain)
    assert [file.name for file in tmp_path.iterdir()] == ["saved.safetensors"]


def test_a_residual_network_is_the_same_in_the_engine(tmp_path: Path) -> None:
    torch.manual_seed(2)
    domain = conpole.Domain("rubiks-cube")
    policy = Policy("residual", domain=domain, wide=40, hidden=24, blocks=2)
    policy.save(tmp_path / "cube.safetensors")
    assert_same(policy, conpole.Model(tmp_path / "cube.safetensors"), domain)
    states = domain.generate_batch(range(3))
    assert policy.score_actions(states).shape == (3, 12)
    with pytest.raises(conpole.Error, match="no action leads to"):
        policy.score(states[:1], states[:1])
    with pytest.raises(conpole.Error, match="have no fixed layout"):
        Policy("residual", domain=conpole.Domain("sorting"))


def test_odd_texts_and_texts_as_bytes() -> None:
    model = conpole.load_model("sorting", any_domain=True)
    policy = Policy.from_file("sorting", any_domain=True)
    texts = ["", "[=|==]", "äöü\x01\x7f~ ", "["]
    with torch.inference_mode():
        assert_near(policy.encode(texts), model.embed(texts))
        assert policy.encode([""]).shape == (1, 256) and policy.encode([]).shape == (0, 256)
        characters = torch.tensor([list(b"[=|==]\0\0"), list(b"[=]\0\0\0\0\0")], dtype=torch.uint8)
        vectors = policy.encode_characters(characters, torch.tensor([6, 3]))
        assert torch.allclose(vectors, policy.encode(["[=|==]", "[=]"]), atol=1e-5)


def test_states_are_read_in_the_domain() -> None:
    policy = Policy.from_file("equations")
    with torch.inference_mode():
        free, canonical = policy.encode(["x + 3 = 7", "(x + 3) = 7"])
        assert torch.equal(free, canonical)
        with pytest.raises(conpole.MalformedError):
            policy.encode(["x = = 3"])


def test_it_learns_and_guides_a_search() -> None:
    torch.manual_seed(3)
    domain = conpole.Domain("sorting", max_length=4)
    policy = Policy(domain=domain, embedding=8, hidden=16, layers=1)
    optimiser = torch.optim.Adam(policy.parameters(), lr=0.01)
    parents, candidates = ["[==|=]"] * 2, ["[=|==]", "[==|=]"]
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(policy(parents, candidates).view(1, 2), torch.tensor([0]))
        loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]
    assert conpole.search(domain, ["[==|=]"], policy.scorer(), algorithm="greedy")[0].solved


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a model file"),
        (struct.pack("<Q", 1 << 40), "is not a model file"),
        (struct.pack("<Q", 2) + b"{}", "has no metadata 'conpole.format_version'"),
        (struct.pack("<Q", 2) + b"[]", "is not a model file"),
    ],
)
def test_what_is_no_model_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.safetensors"
    path.write_bytes(content)
    with pytest.raises(conpole.Error, match=message):
        Policy.from_file(path)


def test_wrong_networks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(conpole.Error, match="there are: lstm, bag, residual"):
        Policy("transformer")
    with pytest.raises(conpole.Error, match="has no width; its sizes are: embedding, hidden, layers"):
        Policy(width=3)
    with pytest.raises(conpole.Error, match="cannot have the head actions"):
        Policy("lstm", "actions")
    with pytest.raises(conpole.Error, match="there is no such file|No such file"):
        Policy.from_file(tmp_path / "none.safetensors")
    policy = Policy(embedding=2, hidden=2, layers=1)
    with torch.no_grad():
        policy.embedding.weight[0, 0] = 1e6
    with pytest.raises(conpole.Error, match="beyond 65504"):
        policy.save(tmp_path / "half.safetensors", half=True)
    policy.save(tmp_path / "full.safetensors")
    with torch.no_grad():
        policy.embedding.weight[0, 0] = float("nan")
    with pytest.raises(conpole.Error, match="not finite"):
        policy.save(tmp_path / "full.safetensors")
    # One tensor less.
    data = (tmp_path / "full.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    del header["score.weight"]
    text = json.dumps(header).encode()
    (tmp_path / "less.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])
    with pytest.raises(conpole.Error, match="not those of its architecture: score.weight"):
        Policy.from_file(tmp_path / "less.safetensors")


MANUAL = Path(__file__).parents[2] / "docs" / "models.md"


def test_examples_of_the_manual() -> None:
    results = doctest.testfile(str(MANUAL), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_reference_of_the_manual_is_the_network_of_the_engine() -> None:
    code = MANUAL.read_text(encoding="utf-8").rpartition("```python\n")[2].partition("```")[0]
    reference: dict[str, Any] = {}
    exec(code, reference)
    domain = conpole.Domain("equations")
    network = reference["read"](Path(conpole.__file__).parent / "models" / "equations.safetensors")
    model = conpole.load_model("equations")
    states = domain.generate_batch(range(20))
    parents, candidates = step_pairs(domain, 2)
    with torch.inference_mode():
        assert_near(network.encode(states), model.embed(states))
        assert_near(network(parents, candidates), model.score(parents, candidates))


@pytest.mark.parametrize("kind", ["lstm", "bag"])
def test_networks_that_skip_spaces_read_texts_as_if_there_were_none(kind: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    domain = conpole.Domain("equations")
    policy = Policy(kind, "value", domain=domain, skips_spaces=True, hidden=12)
    path = tmp_path / "skipping.safetensors"
    policy.save(path)
    assert_same(policy, conpole.Model(path), domain)
    again = Policy.from_file(path)
    assert again.skips_spaces and not Policy(kind, "value").skips_spaces
    reading = Policy.from_file(path, any_domain=True)
    with torch.inference_mode():
        assert torch.equal(reading.encode(["(2x + 3) = 7"]), reading.encode(["(2x+3)=7"]))
    with pytest.raises(conpole.Error, match="reads no texts, and has no spaces to skip"):
        Policy("residual", skips_spaces=True)


LOGIC = """domain greek
state term
infix left ∨
infix left ∧
prefix ¬
letter p q
var a b : term
var x : atom
goal x
rule double ¬¬a -> a
rule swap a ∧ b -> b ∧ a
rule same a ∧ a -> a
problem "¬¬{v} ∧ {v}" with v in "p", "q"
keeps truth
"""


@pytest.mark.parametrize("kind", ["lstm", "bag"])
def test_signs_outside_ascii_are_told_apart(kind: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    policy = Policy(kind, hidden=8)
    with torch.inference_mode():
        first, second, third = policy.encode(["α∧β", "γ∨δ", "α∧γ"])
        assert not torch.equal(first, second) and not torch.equal(first, third)
    assert policy.unknown_characters == 0
    policy.save(tmp_path / "model.safetensors")
    again = Policy.from_file(tmp_path / "model.safetensors")
    model = conpole.Model(tmp_path / "model.safetensors")
    assert again.alphabet == policy.alphabet == model.alphabet
    with torch.inference_mode():
        assert torch.allclose(again.encode(["α∧β"])[0], first, atol=1e-6)
        assert_near(policy.encode(["α∧β", "x = ⊤", ""]), model.embed(["α∧β", "x = ⊤", ""]))
        with pytest.warns(UserWarning, match="does not know 2 of the characters"):
            unknown, other = policy.encode(["жz", "цz"])
        assert torch.allclose(unknown, other, atol=1e-6) and policy.unknown_characters == 2
    assert model.unknown_characters == 0
    model.embed(["жz", "ц"])
    assert model.unknown_characters == 2


def test_the_alphabet_of_a_domain_is_what_its_states_have() -> None:
    assert Policy("lstm", domain=conpole.Domain(LOGIC), hidden=8).alphabet == "¬∧∨"
    assert Policy("lstm", domain=conpole.Domain("equations"), hidden=8).alphabet == ""
    assert Policy("lstm", alphabet="", hidden=8).embedding.num_embeddings == 96
    assert Policy("lstm", alphabet="∧¬", hidden=8).embedding.num_embeddings == 98
    for alphabet in ("αα", "a", "α" * 200):
        with pytest.raises(conpole.Error, match="not a text of at most 128 different signs"):
            Policy("lstm", alphabet=alphabet)
    with pytest.raises(conpole.Error, match="reads no texts, and has no alphabet"):
        Policy("residual", alphabet="α")


def test_texts_as_networks_read_them() -> None:
    column = conpole.TextColumn(["α ∧ x", "ж"])
    characters, lengths = column.padded(alphabet="∧α", skips_spaces=True, fill=1)
    assert characters.tolist() == [[129, 128, ord("x")], [127, 1, 1]] and lengths.tolist() == [3, 1]


def test_columns_become_tensors_without_a_warning() -> None:
    columns = conpole.Domain("sorting").expand(["[==|=]", "[=|==]"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parents, first = torch.from_numpy(columns.parents), torch.from_numpy(columns.first)
    assert parents.tolist() == [0, 0] and first.tolist() == [0, 2, 2]
    assert not columns.offsets.flags.writeable, "texts are found by them"


@pytest.mark.skipif(find_spec("safetensors") is None, reason="there is no safetensors")
@pytest.mark.parametrize("name", ["sorting", "rubiks-cube"])
def test_a_file_of_ours_is_a_state_dict(name: str) -> None:
    from safetensors.torch import load_file

    path = shipped_model(name)
    assert path is not None
    policy = Policy.from_file(path)
    assert policy.load_state_dict(load_file(path)).missing_keys == []
    assert policy.state_dict().keys() == load_file(path).keys()
