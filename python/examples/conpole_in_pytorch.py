"""ConPoLe (Poesia, Dong, Goodman, NeurIPS 2021) in PyTorch: python python/examples/conpole_in_pytorch.py runs/in-pytorch

conpole searches, draws batches and evaluates; the learner scores and learns. Its network is that of the paper, with the names and
shapes that conpole gives the tensors, so that it leaves models that every part of conpole reads.
"""

import io
import sys

import numpy as np
import torch
from torch import Tensor, nn

import conpole


class Network(nn.Module):
    """Prefers candidate c of parent p by phi(c) W phi(p), where phi is an LSTM that reads both ways, and two layers on top."""

    def __init__(self, embedding: int, hidden: int, layers: int, alphabet: str = "") -> None:
        super().__init__()
        self.alphabet = alphabet
        self.embedding = nn.Embedding(96 + len(alphabet), embedding)  # printable ASCII, one for what is unknown, and signs
        self.lstm = nn.LSTM(embedding, hidden, layers, bidirectional=True)
        self.mlp = nn.Sequential(nn.Linear(2 * hidden, 2 * hidden), nn.ReLU(), nn.Linear(2 * hidden, 2 * hidden))
        self.score = nn.Linear(2 * hidden, 2 * hidden, bias=False)

    def forward(self, batch: conpole.PairBatch) -> Tensor:
        order = np.argsort(batch.texts.lengths)  # so that texts of about the same length are read together
        ends = torch.cat([self.read(batch.texts.take(part)) for part in np.array_split(order, 2) if len(part) > 0])
        vectors = self.mlp(ends[np.argsort(order)])
        return (vectors[batch.candidates] * self.score(vectors[batch.parents])).sum(dim=1)

    def read(self, texts: conpole.TextColumn) -> Tensor:
        """Each direction by itself on padded texts, which PyTorch has a fast kernel for; packed sequences have none."""
        padded, lengths = (torch.from_numpy(column) for column in texts.padded(fill=127, alphabet=self.alphabet))
        codes = torch.where(padded.T - 32 < self.embedding.num_embeddings, padded.T - 32, 95).int()  # modulo 256
        place, last = torch.arange(len(codes))[:, None], lengths - 1
        turned = torch.where(place <= last, last - place, place)  # a text backwards, and its padding where it was
        both = [self.embedding(codes), self.embedding(codes.gather(0, turned))]
        for layer in range(self.lstm.num_layers):
            if layer > 0:
                places = turned[:, :, None].expand_as(both[0])
                both = [torch.cat((both[0], both[1].gather(0, places)), 2), torch.cat((both[0].gather(0, places), both[1]), 2)]
            both = [self.run(f"l{layer}", both[0]), self.run(f"l{layer}_reverse", both[1])]
        return torch.cat([output[last, torch.arange(len(last))] for output in both], dim=1)

    def run(self, name: str, inputs: Tensor) -> Tensor:
        start = [inputs.new_zeros(1, inputs.shape[1], self.lstm.hidden_size)] * 2
        weights = [getattr(self.lstm, f"{kind}_{name}") for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        return torch.lstm(inputs, start, weights, True, 1, 0.0, self.training, False, False)[0]


class ContrastiveLearner:  # by InfoNCE and AdamW, with the methods that `conpole.train` asks for
    def begin_with(self, network: nn.Module, start: conpole.LearnerStart) -> None:
        self.network, self.clip = network, start.clip
        self.optimiser = torch.optim.AdamW(network.parameters(), weight_decay=start.weight_decay, fused=True)
        torch.set_num_threads(start.threads or torch.get_num_threads())

    @torch.no_grad()
    def score(self, batch: conpole.PairBatch) -> Tensor:
        return self.network(batch)

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> Tensor:
        examples = torch.tensor_split(self.network(batch), torch.from_numpy(batch.first[1:-1]))
        rows = nn.utils.rnn.pad_sequence(list(examples), batch_first=True, padding_value=-1e9)
        loss = nn.functional.cross_entropy(rows, torch.zeros(len(rows), dtype=torch.long))  # the first pair of each is right
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
        self.optimiser.param_groups[0]["lr"] = learning_rate
        self.optimiser.step()
        return loss.detach()

    def save(self) -> bytes:
        torch.save([part.state_dict() for part in (self.network, self.optimiser)], file := io.BytesIO())
        return file.getvalue()

    def restore(self, saved: bytes) -> None:
        for part, state in zip((self.network, self.optimiser), torch.load(io.BytesIO(saved)), strict=True):
            part.load_state_dict(state)


class ConpoleLearner(ContrastiveLearner):
    native_scores = True  # searches ask conpole's engine, with the weights below: it is faster on a processor

    def begin(self, start: conpole.LearnerStart) -> None:
        self.begin_with(Network(**start.sizes, alphabet=start.alphabet), start)
        self.network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in start.weights.items()})

    def weights(self) -> dict[str, Tensor]:
        return self.network.state_dict()


if __name__ == "__main__":
    out, domain, steps = (sys.argv[1:] + ["sorting", "20000"])[:3]
    settings = dict(steps=steps, curriculum="short", gradient_steps=0.5, learning_rate=0.001, threads=1)
    settings |= dict(network="lstm:embedding=16,hidden=32,layers=1")
    result = conpole.train(domain, out=out, learner=ConpoleLearner(), **settings)
    print(f"{result.status.get('eval_success', 0):.1%} of the test problems are solved: {result.best_model}")
