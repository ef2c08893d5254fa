"""The learner of `conpole.train` in PyTorch: what the program's own learner does, for those who have no program that trains."""

import io
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from conpole._native import Error, PairBatch, TextColumn
from conpole._training import LearnerStart
from conpole.torch import Policy


class Learner:
    """Trains the networks lstm and bag by all losses of the agents, with AdamW.

        conpole.train("sorting", out="run", learner=conpole.torch.Learner())

    On a processor searches ask conpole's engine, with the weights as of the last refresh; on a GPU they ask this network.
    """

    def __init__(self) -> None:
        self.native_scores = not torch.cuda.is_available()

    def begin(self, start: LearnerStart) -> None:
        self.start = start
        self.device = torch.device(start.device)
        if self.device.type == "cpu" and not self.native_scores:
            raise Error("conpole.torch.Learner was made for a GPU; set its native_scores to True for the device cpu")
        if start.threads > 0:
            torch.set_num_threads(start.threads)
        self.network = self._new_network()
        self._load(start.weights)
        self.searching = self._new_network()
        self.slow = None if start.target is None else self._new_network()
        self.gradient_steps = 0
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=0.0, weight_decay=start.weight_decay, fused=self.device.type == "cuda"
        )
        for copy in (self.searching, self.slow):
            if copy is not None:
                copy.load_state_dict(self.network.state_dict())

    def _new_network(self) -> Policy:
        start = self.start
        kind = "lstm" if "embedding.weight" in start.weights else "bag"
        head = "value" if "value.weight" in start.weights else "bilinear"
        sizes: Any = start.sizes
        return Policy(kind, head, skips_spaces=start.skips_spaces, alphabet=start.alphabet, **sizes).to(self.device)

    def _load(self, weights: dict[str, Any]) -> None:
        with torch.no_grad():
            for name, parameter in self.network.named_tensors().items():
                parameter.copy_(torch.from_numpy(np.array(weights[name])))

    def weights(self) -> dict[str, Tensor]:
        return {name: parameter.detach() for name, parameter in self.network.named_tensors().items()}

    def refresh(self) -> None:
        self.searching.load_state_dict(self.network.state_dict())

    def score(self, batch: PairBatch) -> Tensor:
        with torch.inference_mode():
            return self._scores(self.searching, batch)

    def score_by_slow_copy(self, batch: PairBatch) -> Tensor:
        assert self.slow is not None
        with torch.inference_mode():
            return self._scores(self.slow, batch)

    def learn(self, batch: PairBatch, learning_rate: float) -> Tensor:
        scores = self._scores(self.network, batch)
        assert batch.targets is not None
        targets = torch.tensor(batch.targets, device=self.device)
        if self.start.loss == "contrastive":
            loss = _contrastive(scores, targets, torch.tensor(batch.first))
        elif self.start.loss == "binary":
            loss = nn.functional.binary_cross_entropy_with_logits(scores, targets)
        else:
            loss = 0.5 * nn.functional.mse_loss(scores, targets)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.start.clip)
        self.optimiser.param_groups[0]["lr"] = learning_rate
        self.optimiser.step()
        self.gradient_steps += 1
        self._update_slow_copy()
        return loss.detach()

    def save(self) -> bytes:
        parts = {"network": self.network.state_dict(), "optimiser": self.optimiser.state_dict(), "steps": self.gradient_steps}
        if self.slow is not None:
            parts["slow"] = self.slow.state_dict()
        torch.save(parts, file := io.BytesIO())
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        parts = torch.load(io.BytesIO(saved), map_location=self.device, weights_only=True)
        self.network.load_state_dict(parts["network"])
        self.optimiser.load_state_dict(parts["optimiser"])
        self.gradient_steps = parts["steps"]
        if self.slow is not None:
            self.slow.load_state_dict(parts["slow"])

    def _scores(self, network: Policy, batch: PairBatch) -> Tensor:
        parents = torch.tensor(batch.parents, device=self.device)
        candidates = torch.tensor(batch.candidates, device=self.device)
        if network.head == "value":
            texts = batch.texts.take(batch.candidates)
            scores: Tensor = network.value(self._vectors(network, texts)).squeeze(1)
            return scores
        vectors = self._vectors(network, batch.texts)
        return network.score_vectors(vectors[parents], vectors[candidates])

    def _vectors(self, network: Policy, texts: TextColumn) -> Tensor:
        # Texts of about the same length are read together, so that little is padding.
        order = np.argsort(texts.lengths, kind="stable")
        parts = [part for part in np.array_split(order, 4 if self.device.type == "cpu" else 1) if len(part) > 0]
        vectors = torch.cat([network.encode_column(texts.take(part)) for part in parts])
        return vectors[torch.from_numpy(np.argsort(order, kind="stable")).to(self.device)]

    def _update_slow_copy(self) -> None:
        if self.slow is None or self.start.target is None:
            return
        average = self.start.target["average"]
        every = int(self.start.target["every"])
        with torch.no_grad():
            if average != 0:
                for mine, new in zip(self.slow.parameters(), self.network.parameters(), strict=True):
                    mine.lerp_(new, average)
            if every != 0 and self.gradient_steps % every == 0:
                self.slow.load_state_dict(self.network.state_dict())


def _contrastive(scores: Tensor, targets: Tensor, first: Tensor) -> Tensor:
    """The mean over examples of the cross-entropy between the targets of their pairs and the softmax of the scores."""
    lengths = first.diff()
    width = int(lengths.max())
    places = torch.arange(width) < lengths[:, None]
    there = places.to(scores.device)
    rows = scores.new_full(places.shape, -1e9).masked_scatter(there, scores)
    wanted = targets.new_zeros(places.shape).masked_scatter(there, targets)
    return -(wanted * nn.functional.log_softmax(rows, dim=1)).sum(dim=1).mean()
