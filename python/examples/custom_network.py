"""A network of one's own for conpole, in PyTorch: convolutions over the characters of a state, and a score for each candidate.

conpole knows no such network, so the searches ask it through Python, and the run leaves what `save` gives: best.learner.

    python python/examples/custom_network.py --out runs/convolutions
"""

import argparse
import io

import torch
from torch import Tensor, nn

import conpole


class Convolutions(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(256, width)
        self.layers = nn.ModuleList(nn.Conv1d(width, width, 5, padding=2) for _ in range(2))
        self.candidate = nn.Linear(width, width)
        self.parent = nn.Linear(width, width)

    def forward(self, batch: conpole.PairBatch) -> Tensor:
        characters, _ = batch.texts.padded(width=max(8, int(batch.texts.lengths.max())))
        hidden = self.embedding(torch.from_numpy(characters).int()).transpose(1, 2)
        for layer in self.layers:
            hidden = hidden + torch.relu(layer(hidden))
        vectors = hidden.amax(dim=2)
        return (self.candidate(vectors)[batch.candidates] * self.parent(vectors)[batch.parents]).sum(dim=1)


class ConvolutionLearner:
    def __init__(self) -> None:
        torch.manual_seed(1)
        self.network = Convolutions(32)
        self.optimiser = torch.optim.AdamW(self.network.parameters())

    @torch.no_grad()
    def score(self, batch: conpole.PairBatch) -> Tensor:
        return self.network(batch)

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> Tensor:
        examples = torch.tensor_split(self.network(batch), torch.from_numpy(batch.first[1:-1]))
        rows = nn.utils.rnn.pad_sequence(list(examples), batch_first=True, padding_value=-1e9)
        loss = nn.functional.cross_entropy(rows, torch.zeros(len(examples), dtype=torch.long))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        self.optimiser.step()
        return loss.detach()

    def save(self) -> bytes:
        file = io.BytesIO()
        torch.save({"network": self.network.state_dict(), "optimiser": self.optimiser.state_dict()}, file)
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        state = torch.load(io.BytesIO(saved), weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--domain", default="sorting")
    arguments.add_argument("--steps", type=int, default=20_000)
    given = arguments.parse_args()
    settings = dict(steps=given.steps, eval_every=2_000, in_flight=64, batch=24, negatives_sampled=16, gradient_steps=0.5, threads=1)
    torch.set_num_threads(1)
    result = conpole.train(given.domain, out=given.out, learner=ConvolutionLearner(), **settings)
    print(f"{result.status.get('eval_success', 0):.1%} of the test problems are solved: {result.best_model}")

    # The policy is a scorer for every search.
    best = ConvolutionLearner()
    if result.best_model is not None:
        best.restore(result.best_model.read_bytes())
    domain = conpole.Domain(given.domain)
    print(conpole.search(domain, [domain.generate(1)], conpole.by_columns(best.score), algorithm="greedy"))


if __name__ == "__main__":
    main()
