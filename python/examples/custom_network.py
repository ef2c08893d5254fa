"""A network of one's own for conpole, in PyTorch: convolutions over the characters of a state, and a score for each candidate.

conpole knows no such network, so the searches ask it through Python, and the run leaves what `save` gives: best.learner. All but the
network is that of conpole_in_pytorch.py.

    python python/examples/custom_network.py runs/convolutions
"""

import sys

import torch
from conpole_in_pytorch import ContrastiveLearner
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


class ConvolutionLearner(ContrastiveLearner):
    def begin(self, start: conpole.LearnerStart) -> None:
        torch.manual_seed(1)
        self.begin_with(Convolutions(32), start)


if __name__ == "__main__":
    out, domain, steps = (sys.argv[1:] + ["sorting", "20000"])[:3]
    settings = dict(steps=steps, curriculum="short", gradient_steps=0.5, learning_rate=0.001, threads=1)
    learner = ConvolutionLearner()
    result = conpole.train(domain, out=out, learner=learner, **settings)
    print(f"{result.status.get('eval_success', 0):.1%} of the test problems are solved: {result.best_model}")

    # The policy is a scorer for every search.
    if result.best_model is not None:
        learner.restore(result.best_model.read_bytes())
    problem = conpole.Domain(domain).generate(1)
    print(conpole.search(conpole.Domain(domain), [problem], conpole.by_columns(learner.score), algorithm="greedy"))
