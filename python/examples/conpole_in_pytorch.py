"""ConPoLe in PyTorch: contrastive policy learning (Poesia, Dong, Goodman, NeurIPS 2021) with a network and a loss of one's own.

conpole searches, keeps what searches teach, draws batches and evaluates; the learner scores and learns. Its network is that of the
paper, with the names and shapes that conpole gives the tensors, so that it leaves models that every part of conpole reads.

    python python/examples/conpole_in_pytorch.py --out runs/sorting-in-pytorch
"""

import argparse
import io

import torch
from torch import Tensor, nn

import conpole


class Network(nn.Module):
    """Prefers candidate c of parent p by phi(c) W phi(p), where phi is an LSTM that reads both ways, and two layers on top."""

    def __init__(self, embedding: int, hidden: int, layers: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(96, embedding)  # printable ASCII, and one for everything else
        self.lstm = nn.LSTM(embedding, hidden, layers, bidirectional=True)
        self.mlp = nn.Sequential(nn.Linear(2 * hidden, 2 * hidden), nn.ReLU(), nn.Linear(2 * hidden, 2 * hidden))
        self.score = nn.Linear(2 * hidden, 2 * hidden, bias=False)

    def encode(self, texts: conpole.TextColumn) -> Tensor:
        characters, lengths = (torch.from_numpy(column).T for column in texts.padded(fill=127))
        hidden = self.embedding(torch.where((characters < 32) | (characters > 126), 127, characters).int() - 32)
        time, last = torch.arange(len(hidden))[:, None], lengths.clamp(min=1) - 1
        backwards = torch.where(time <= last, last - time, time)[:, :, None]
        # Each direction by itself on padded texts, which PyTorch has a fast kernel for; packed sequences have none.
        for layer in range(self.lstm.num_layers):
            both = []
            for suffix in ("", "_reverse"):
                order = backwards.expand_as(hidden)
                start = hidden.new_zeros(1, hidden.shape[1], self.lstm.hidden_size)
                names = (f"{name}_l{layer}{suffix}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
                weights = [getattr(self.lstm, name) for name in names]
                inputs = hidden.gather(0, order) if suffix else hidden
                both.append(torch.lstm(inputs, (start, start), weights, True, 1, 0.0, self.training, False, False)[0])
            ends = torch.cat([output[last, torch.arange(len(last))] for output in both], dim=1)
            hidden = torch.cat([both[0], both[1].gather(0, backwards.expand_as(both[1]))], dim=2)
        return self.mlp(ends)

    def forward(self, batch: conpole.PairBatch) -> Tensor:
        vectors = self.encode(batch.texts)
        return (vectors[batch.candidates] * self.score(vectors[batch.parents])).sum(dim=1)


class ConpoleLearner:
    """What `conpole.train` asks of a learner, with AdamW and InfoNCE."""

    native_scores = True  # searches ask conpole's engine, with the weights below: it is faster on a processor

    def begin(self, start: conpole.LearnerStart) -> None:
        self.network = Network(**start.sizes)
        self.network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in start.weights.items()})
        self.optimiser = torch.optim.AdamW(self.network.parameters(), weight_decay=start.weight_decay, foreach=True)
        self.clip = start.clip
        torch.set_num_threads(start.threads or torch.get_num_threads())

    @torch.no_grad()
    def score(self, batch: conpole.PairBatch) -> Tensor:
        return self.network(batch)

    def learn(self, batch: conpole.PairBatch, learning_rate: float) -> Tensor:
        scores = self.network(batch)
        examples = torch.tensor_split(scores, torch.from_numpy(batch.first[1:-1]))
        # The right pair of each example is its first one.
        rows = nn.utils.rnn.pad_sequence(list(examples), batch_first=True, padding_value=-1e9)
        loss = nn.functional.cross_entropy(rows, torch.zeros(len(examples), dtype=torch.long))
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        self.optimiser.step()
        return loss.detach()

    def weights(self) -> dict[str, Tensor]:
        return self.network.state_dict()

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
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    settings = dict(steps=given.steps, eval_every=2_000, in_flight=64, batch=24, negatives_sampled=16, gradient_steps=0.5)
    settings |= dict(embedding=16, hidden=32, layers=1, threads=given.threads)  # all as in configs/sorting-cpu.toml
    result = conpole.train(given.domain, out=given.out, learner=ConpoleLearner(), progress=show, **settings)
    print(f"{result.status.get('eval_success', 0):.1%} of the test problems are solved: {result.best_model}")


def show(event: dict[str, object]) -> None:
    if event["event"] == "evaluated":
        print(f"{event['step']} steps, {event['seconds']:.1f} s: greedy {event['eval_success']:.1%}, loss {event['loss']:.3f}")


if __name__ == "__main__":
    main()
