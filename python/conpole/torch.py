"""Model files in PyTorch: networks that are read from them, trained by code of your own, and written back.

    policy = conpole.torch.Policy.from_file("equations")
    loss = torch.nn.functional.cross_entropy(policy.score(parents, candidates).view(-1, 10), targets)
    policy.save("mine.safetensors")

What is saved every part of conpole reads. docs/models.md has the format, and the same network in a page of plain PyTorch. Needs PyTorch:
pip install conpole[torch].
"""

import json
import math
import os
import struct
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conpole import _native
from conpole._native import Domain, Error, TextColumn
from conpole._searching import shipped_model

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:
    raise ImportError("conpole.torch needs PyTorch: pip install conpole[torch]") from error

__all__ = ["MATHEMATICAL_SIGNS", "VOCABULARY_SIZE", "Learner", "Policy"]

VOCABULARY_SIZE = 96
"""Printable ASCII, and one more for all that is unknown; each sign of an alphabet is one more."""
MATHEMATICAL_SIGNS = "¬±·×÷ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψω…′ℂℕℚℝℤ←↑→↓↔⇒⇔∀∂∃∅∇∈∉−∓∘√∞∠∧∨∩∪∫≈≠≡≤≥⊂⊃⊆⊇⊕⊗⊢⊤⊥⋅"
"""The alphabet of networks that are made for no domain: the signs that mathematics uses most."""

_LARGEST_HALF = 65504.0
_LARGEST_HEADER = 16 << 20
_SIZES = {
    "lstm": {"embedding": 64, "hidden": 128, "layers": 2},
    "bag": {"hidden": 128, "window": 3},
    "residual": {"wide": 1664, "hidden": 640, "blocks": 4, "cells": 1, "colours": 1, "actions": 1},
}
"""Of each kind of network the sizes, with those that training begins with."""
_HEADS = {"bilinear": "log-preference", "value": "log-odds", "actions": "log-preference"}
_DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


class Policy(nn.Module):
    """A network that gives states vectors and scores steps, as the file of a model describes it.

    Its parameters have the names of the file's tensors. Vectors and scores are those of `conpole.Model` up to rounding.

    Args:
        kind: lstm, bag or residual
        head: bilinear or value; actions for residual
        domain: the domain that it is for: states are read in its notation, and it is recorded in files
        meaning: what the scores mean, as for `conpole.search`; by default what is usual for the head
        skips_spaces: whether it reads texts without their spaces
        alphabet: the signs outside ASCII that it tells apart, at most 128; all others are one character for it. By default those
            of the domain's states, or MATHEMATICAL_SIGNS if there is none
        metadata: what else is known about it, as text
        sizes: of the kind: embedding, hidden and layers; hidden and window; wide, hidden and blocks, and for a residual network
            of no domain cells, colours and actions
    """

    def __init__(
        self,
        kind: str = "lstm",
        head: str | None = None,
        *,
        domain: Domain | None = None,
        meaning: str | None = None,
        skips_spaces: bool = False,
        alphabet: str | None = None,
        metadata: Mapping[str, str] | None = None,
        **sizes: int,
    ) -> None:
        super().__init__()
        if kind not in _SIZES:
            raise Error(f"unknown kind of network {kind!r}; there are: {', '.join(_SIZES)}")
        reads_texts = kind != "residual"
        self.kind = kind
        self.head = head or ("bilinear" if reads_texts else "actions")
        if self.head not in _HEADS or (self.head == "actions") == reads_texts:
            raise Error(f"a network of kind {kind} cannot have the head {self.head}")
        if skips_spaces and not reads_texts:
            raise Error(f"a network of kind {kind} reads no texts, and has no spaces to skip")
        if alphabet and not reads_texts:
            raise Error(f"a network of kind {kind} reads no texts, and has no alphabet")
        if alphabet is None:
            alphabet = "" if not reads_texts else MATHEMATICAL_SIGNS if domain is None else _native.alphabet_of(domain)
        TextColumn([]).padded(alphabet=alphabet)  # raises Error for what is none
        self.alphabet = alphabet
        self.unknown_characters = 0  # of all texts so far
        self.skips_spaces = skips_spaces
        self.domain = domain
        self.meaning = meaning or _HEADS[self.head]
        self.metadata = dict(metadata or {})
        if domain is not None:
            self.metadata.setdefault("domain", domain.spec)
            self.metadata.setdefault("full_domain", _full_spec(domain))
        for name in sizes:
            if name not in _SIZES[kind]:
                raise Error(f"a network of kind {kind} has no {name}; its sizes are: {', '.join(_SIZES[kind])}")
        self.sizes = {**_SIZES[kind], **sizes}
        self._moves: Tensor | None = None
        if not reads_texts and domain is not None:
            moves = _native.layout_moves(domain)
            if moves is None:
                raise Error(f"the states of {domain.name} have no fixed layout")
            self._moves = torch.from_numpy(moves.astype(np.int64))
            self.sizes.update(cells=moves.shape[1], colours=_native.layout_colours(domain), actions=len(moves))
        for name, size in self.sizes.items():
            if size < 1:
                raise Error(f"{name} must be at least 1")
        self._make_layers()

    def _make_layers(self) -> None:
        size = self.sizes
        hidden = size["hidden"]
        if self.kind == "lstm":
            self.vector_size = 2 * hidden
            self.embedding = nn.Embedding(VOCABULARY_SIZE + len(self.alphabet), size["embedding"])
            self.lstm = nn.LSTM(size["embedding"], hidden, size["layers"], batch_first=True, bidirectional=True)
        elif self.kind == "bag":
            self.vector_size = hidden
            self.window = _Window(size["window"], VOCABULARY_SIZE + len(self.alphabet), hidden)
        else:
            self.vector_size = hidden
            self.input = nn.Linear(size["cells"] * size["colours"], size["wide"])
            self.narrow = nn.Linear(size["wide"], hidden)
            self.block = nn.ModuleList(_two_layers(hidden) for _ in range(size["blocks"]))
            self.action = nn.Linear(hidden, size["actions"])
            return
        self.mlp = _two_layers(self.vector_size)
        if self.head == "bilinear":
            # `score` is the method's name; the module has it only in the state_dict, where names are those of files.
            self._modules["score"] = nn.Linear(self.vector_size, self.vector_size, bias=False)
        else:
            self.value = nn.Linear(self.vector_size, 1)

    # --- Files ---

    @classmethod
    def from_file(cls, path_or_domain: str | os.PathLike[str], *, any_domain: bool = False) -> "Policy":
        """The network in a file, or the one that comes with conpole for the domain of this name, with weights in float32.

        With `any_domain` it takes texts as they are, whatever domain it was trained for. Raises Error for what is no model.
        """
        path = Path(path_or_domain)
        if isinstance(path_or_domain, str) and path_or_domain in _native.domain_names():
            shipped = shipped_model(path_or_domain)
            if shipped is None:
                raise Error(f"no model comes with conpole for {path_or_domain}; name a file")
            path = shipped
        tensors, metadata = _read_safetensors(path)

        def take(key: str, otherwise: str | None = None) -> str:
            value = metadata.pop(f"conpole.{key}", otherwise)
            if value is None:
                raise Error(f"{path}: has no metadata 'conpole.{key}': not a model of this program")
            return value

        if (version := take("format_version")) not in ("1", "2", "3"):
            raise Error(f"{path}: is a model file of version {version!r}; this program reads versions 1 to 3")
        kind = take("kind", "lstm")
        if kind not in _SIZES:
            raise Error(f"{path}: unknown kind of network {kind!r}; there are: {', '.join(_SIZES)}")
        try:
            sizes = {name: int(take(name)) for name in _SIZES[kind]}
        except ValueError as error:
            raise Error(f"{path}: the sizes of the network are not whole numbers") from error
        head = take("head")
        if (spaces := take("spaces", "read")) not in ("read", "skipped"):
            raise Error(f"{path}: its spaces are {spaces!r}; they can be: read, skipped")
        policy = cls(
            kind,
            head,
            domain=None if any_domain else _domain_of(metadata),
            meaning=take("meaning", _HEADS.get(head, "")),
            skips_spaces=spaces == "skipped",
            alphabet=take("alphabet", ""),
            metadata=metadata,
            **sizes,
        )
        expected = policy.named_tensors()
        if expected.keys() != tensors.keys():
            odd = sorted(expected.keys() ^ tensors.keys())
            raise Error(f"{path}: its tensors are not those of its architecture: {', '.join(odd)}")
        with torch.no_grad():
            for name, parameter in expected.items():
                if parameter.shape != tensors[name].shape:
                    raise Error(f"{path}: tensor '{name}' has the shape {list(tensors[name].shape)}, not {list(parameter.shape)}")
                parameter.copy_(tensors[name])
        return policy

    def save(self, path: str | os.PathLike[str], *, half: bool = False) -> None:
        """Writes the network to a file, whole or not at all: in float32, or in half precision, as training writes models."""
        metadata = dict(self.metadata)
        for key, value in metadata.items():
            if key.startswith("conpole."):
                raise Error(f"the metadata key '{key}' is reserved")
            if not isinstance(value, str):
                raise Error(f"metadata are text: '{key}' is {value!r}")
        version = "3" if self.alphabet else "2" if self.skips_spaces else "1"
        metadata |= {"conpole.format_version": version, "conpole.kind": self.kind, "conpole.head": self.head}
        if self.alphabet:
            metadata |= {"conpole.alphabet": self.alphabet}
        if self.skips_spaces:
            metadata |= {"conpole.spaces": "skipped"}
        metadata |= {"conpole.meaning": self.meaning}
        metadata |= {f"conpole.{name}": str(size) for name, size in self.sizes.items()}
        header: dict[str, Any] = {"__metadata__": metadata}
        values: list[bytes] = []
        end = 0
        for name, parameter in sorted(self.named_tensors().items()):
            tensor = parameter.detach().to("cpu", torch.float32)
            largest = float(tensor.abs().max())
            if not math.isfinite(largest):
                raise Error(f"tensor '{name}' has values that are not finite")
            if half and largest > _LARGEST_HALF:
                raise Error(f"tensor '{name}' has values beyond {_LARGEST_HALF:.0f}, the greatest that F16 has")
            values.append(tensor.numpy().astype("<f2" if half else "<f4").tobytes())
            begin, end = end, end + len(values[-1])
            header[name] = {"dtype": "F16" if half else "F32", "shape": list(tensor.shape), "data_offsets": [begin, end]}
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        place = Path(path)
        unfinished = place.with_name(f"{place.name}.{os.getpid()}.tmp")
        try:
            with open(unfinished, "wb") as file:
                file.write(struct.pack("<Q", len(text)) + text)
                file.writelines(values)
            os.replace(unfinished, place)
        finally:
            unfinished.unlink(missing_ok=True)

    def named_tensors(self) -> dict[str, nn.Parameter]:
        """Its parameters by the names that files and `state_dict` have for them."""
        return dict(self.named_parameters())

    # --- Vectors and scores ---

    def encode(self, states: Sequence[str]) -> Tensor:
        """The vectors of states: [states, vector_size]. They are read in the notation of the domain, if there is one; raises
        MalformedError for what is no state of it."""
        texts = list(states)
        if self.domain is not None:
            texts = _native.read_for_policy(self.domain, texts)
        if self.kind == "residual":
            return self.encode_cells(self._cells(texts))
        padded, lengths = TextColumn(texts).padded(fill=ord(" "), alphabet=self.alphabet, skips_spaces=self.skips_spaces)
        others = (padded == 127) if self.alphabet else (padded < 32) | (padded == 127) | (padded >= 192)
        unknown = int(others.sum())
        if unknown and not self.unknown_characters:
            warnings.warn(
                f"the network does not know {unknown} of the characters: its alphabet is {self.alphabet!r}", stacklevel=2
            )
        self.unknown_characters += unknown
        return self.encode_characters(torch.from_numpy(padded), torch.from_numpy(lengths))

    def encode_characters(self, characters: Tensor, lengths: Tensor) -> Tensor:
        """The same for texts as bytes, [texts, longest], with the length of each, as `conpole.TextColumn.padded` gives them with the
        network's alphabet; they are taken as they are, spaces included."""
        device = next(self.parameters()).device
        indices = characters.to(device).to(torch.uint8) - ord(" ")  # modulo 256
        indices = torch.where(indices < VOCABULARY_SIZE + len(self.alphabet), indices, VOCABULARY_SIZE - 1).to(torch.int64)
        lengths = lengths.to("cpu", torch.int64)
        if self.kind == "bag":
            return _run(self.mlp, self.window(indices, lengths.to(device)))
        last = torch.zeros(len(indices), self.vector_size, dtype=self.embedding.weight.dtype, device=device)
        some = torch.nonzero(lengths > 0).flatten()
        if len(some) > 0:
            packed = nn.utils.rnn.pack_padded_sequence(
                self.embedding(indices[some.to(device)]), lengths[some], batch_first=True, enforce_sorted=False
            )
            _, (hidden, _) = self.lstm(packed)
            last = last.index_copy(0, some.to(device), torch.cat((hidden[-2], hidden[-1]), dim=1))
        return _run(self.mlp, last)

    def encode_column(self, texts: TextColumn) -> Tensor:
        """The same for texts in a column, which are taken as they are. On a processor it is fastest for texts of about one length."""
        padded, lengths = texts.padded(fill=127, alphabet=self.alphabet, skips_spaces=self.skips_spaces)
        characters, sizes = torch.from_numpy(padded), torch.from_numpy(lengths)
        if self.kind != "lstm" or next(self.parameters()).is_cuda or not bool((sizes > 0).all()):
            return self.encode_characters(characters, sizes)
        # Each direction by itself on padded texts, which PyTorch has a fast kernel for; packed sequences have none.
        codes = characters.T - ord(" ")  # modulo 256
        codes = torch.where(codes < self.embedding.num_embeddings, codes, VOCABULARY_SIZE - 1).int()
        place, last = torch.arange(len(codes))[:, None], sizes - 1
        turned = torch.where(place <= last, last - place, place)  # a text backwards, and its padding where it was
        both = [self.embedding(codes), self.embedding(codes.gather(0, turned))]
        for layer in range(self.sizes["layers"]):
            if layer > 0:
                places = turned[:, :, None].expand_as(both[0])
                both = [torch.cat((both[0], both[1].gather(0, places)), 2), torch.cat((both[0].gather(0, places), both[1]), 2)]
            both = [self._direction(f"l{layer}", both[0]), self._direction(f"l{layer}_reverse", both[1])]
        ends = torch.cat([output[last, torch.arange(len(last))] for output in both], dim=1)
        return _run(self.mlp, ends)

    def _direction(self, name: str, inputs: Tensor) -> Tensor:
        start = [inputs.new_zeros(1, inputs.shape[1], self.sizes["hidden"])] * 2
        weights = [getattr(self.lstm, f"{kind}_{name}") for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        output: Tensor = torch.lstm(inputs, start, weights, True, 1, 0.0, self.training, False, False)[0]
        return output

    def encode_cells(self, cells: Tensor) -> Tensor:
        """The same for states of a fixed layout: the colour of each cell, [states, cells]."""
        first = torch.arange(self.sizes["cells"], device=self.input.weight.device) * self.sizes["colours"]
        columns = cells.to(first.device, torch.int64) + first
        wide = torch.relu(nn.functional.embedding(columns, self.input.weight.T).sum(dim=1) + self.input.bias)
        vectors = torch.relu(_run(self.narrow, wide))
        for block in self.block:
            vectors = torch.relu(vectors + _run(block, vectors))
        return vectors

    def score(self, parents: Sequence[str], candidates: Sequence[str]) -> Tensor:
        """[candidates]: how good each candidate is as the next state after its parent; higher is better. Differentiable."""
        if len(parents) != len(candidates):
            raise Error(f"there are {len(parents)} parents and {len(candidates)} candidates")
        if self.head == "actions":
            return self._score_actions(parents, candidates)
        needed = [*parents, *candidates] if self.head == "bilinear" else [*candidates]
        place = {text: i for i, text in enumerate(dict.fromkeys(needed))}
        vectors = self.encode(list(place))
        of_candidates = vectors[torch.tensor([place[text] for text in candidates], dtype=torch.int64, device=vectors.device)]
        if self.head == "value":
            return _run(self.value, of_candidates).squeeze(1)
        of_parents = vectors[torch.tensor([place[text] for text in parents], dtype=torch.int64, device=vectors.device)]
        return self.score_vectors(of_parents, of_candidates)

    def score_vectors(self, parents: Tensor, candidates: Tensor) -> Tensor:
        """The scores of a bilinear head for vectors, the last dimension of both: phi(candidate)^T W phi(parent)."""
        return (candidates * _run(self._modules["score"], parents)).sum(dim=-1)

    def score_actions(self, states: Sequence[str]) -> Tensor:
        """Of a residual network: the log-preference of each action, [states, actions]."""
        return _run(self.action, self.encode(states))

    def forward(self, parents: Sequence[str], candidates: Sequence[str]) -> Tensor:
        """The same as score."""
        return self.score(parents, candidates)

    def scorer(self) -> Callable[[list[str], list[str]], NDArray[np.float32]]:
        """This network as what guides `conpole.search`, without gradients. It changes as the network learns. Its scores mean
        what `meaning` says."""

        def score(parents: list[str], candidates: list[str]) -> NDArray[np.float32]:
            with torch.inference_mode():
                scores: NDArray[np.float32] = self.score(parents, candidates).float().cpu().numpy()
                return scores

        return score

    def _cells(self, texts: list[str]) -> Tensor:
        if self.domain is None:
            raise Error("a residual network of no domain reads cells, not texts")
        return torch.from_numpy(_native.pack_states(self.domain, texts))

    def _score_actions(self, parents: Sequence[str], candidates: Sequence[str]) -> Tensor:
        before = self._cells(list(parents)).to(torch.int64)
        after = self._cells(list(candidates)).to(torch.int64)
        assert self._moves is not None
        leads_there = (before[:, self._moves] == after[:, None, :]).all(dim=2)
        if not bool(leads_there.any(dim=1).all()):
            raise Error("a policy over actions was asked about a state that no action leads to")
        scores = _run(self.action, self.encode_cells(before))
        return scores.masked_fill(~leads_there.to(scores.device), -math.inf).amax(dim=1)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}={size}" for name, size in self.sizes.items())
        domain = f", domain={self.domain.spec!r}" if self.domain is not None else ""
        return f"Policy({self.kind!r}, {self.head!r}{domain}, {sizes})"


class _Window(nn.Module):
    """The mean over the places of a text of what the next few characters stand for, after ReLU."""

    def __init__(self, window: int, characters: int, hidden: int) -> None:
        super().__init__()
        for k in range(window):
            self.add_module(str(k), nn.Embedding(characters, hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))

    def forward(self, indices: Tensor, lengths: Tensor) -> Tensor:
        width = indices.shape[1]
        places = torch.arange(width, device=indices.device)
        total = self.bias.expand(len(indices), width, -1)
        for k, (_, embedding) in enumerate(self.named_children()):
            if k >= width:
                break
            values: Tensor = embedding(indices[:, k:])
            inside = (places[: width - k] + k < lengths[:, None]).unsqueeze(2)
            total = total + nn.functional.pad(values * inside, (0, 0, 0, k))
        kept = torch.relu(total) * (places < lengths[:, None]).unsqueeze(2)
        return kept.sum(dim=1) / lengths.clamp(min=1)[:, None]


def _two_layers(size: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, size))


def _run(module: nn.Module | None, values: Tensor) -> Tensor:
    assert module is not None
    result: Tensor = module(values)
    return result


def _full_spec(domain: Domain) -> str:
    values = ",".join(f"{name}={value}" for name, value in domain.parameters.items())
    return f"{domain.name}:{values}" if values else domain.name


def _domain_of(metadata: Mapping[str, str]) -> Domain | None:
    """By its name alone: parameters say how problems are made, not how states are written."""
    name = metadata.get("domain", "").split(":")[0]
    return Domain(name) if name in _native.domain_names() else None


def _read_safetensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Error(f"{path}: cannot be read: {error.strerror}") from error
    try:
        (length,) = struct.unpack("<Q", data[:8])
        if length > min(_LARGEST_HEADER, len(data) - 8):
            raise ValueError("its header is longer than the file")
        header = json.loads(data[8 : 8 + length])
        metadata = {str(key): str(value) for key, value in header.pop("__metadata__", {}).items()}
        tensors: dict[str, Tensor] = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= len(data) - 8 - length:
                raise ValueError(f"tensor {name!r} is not inside the file")
            part = bytearray(data[8 + length + begin : 8 + length + end])
            tensors[name] = torch.frombuffer(part, dtype=_DTYPES[entry["dtype"]]).reshape(entry["shape"]).float()
            if not bool(tensors[name].isfinite().all()):
                raise ValueError(f"tensor {name!r} has values that are not finite")
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError, struct.error) as error:
        raise Error(f"{path}: is not a model file: {error}") from error
    return tensors, metadata


from conpole._torch_learner import Learner  # noqa: E402 (it needs what is above)
