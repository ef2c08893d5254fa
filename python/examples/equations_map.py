# %% [markdown]
# # A learning curve and a map of equations
#
# Two pictures of a policy: how the share of problems that it solves grows while it is trained, and where its network puts
# equations. Run it as a script (`python python/examples/equations_map.py --out pictures`) or cell by cell in an editor or
# notebook that knows `# %%`. It needs matplotlib (`pip install '.[examples]'`) and, if there is no run yet, the program
# conpole with LibTorch.

# %%
import argparse
import json
import subprocess
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import conpole

parser = argparse.ArgumentParser(description="Draws a learning curve and a map of equations.")
parser.add_argument(
    "--run", type=Path, default=Path("runs/ternary-addition-small"), help="a run of conpole train, or where to make one"
)
parser.add_argument("--program", default="build/conpole", help="the program that trains")
parser.add_argument("--steps", type=int, default=20_000, help="environment steps of a run that is made")
parser.add_argument("--model", help="the model to draw; by default the one that comes with conpole")
parser.add_argument("--problems", type=int, default=400, help="equations on the map")
parser.add_argument("--out", type=Path, default=Path("."), help="the folder for the pictures")
options, _ = parser.parse_known_args()  # a notebook has arguments of its own
options.out.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## The learning curve
#
# By default of a small network that learns to add, on a CPU in minutes.

# %%
if not (options.run / "metrics.jsonl").exists():
    length = ["--steps", str(options.steps), "--eval-every", str(max(1, options.steps // 40))]
    subprocess.run(
        [options.program, "train", "ternary-addition", "--device", "cpu", "--out", options.run, *length], check=True
    )
metrics = [json.loads(line) for line in (options.run / "metrics.jsonl").read_text().splitlines()]
evaluated = [line for line in metrics if line.get("eval_success") is not None]

# %%
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
thousands = [line["step"] / 1000 for line in evaluated]
for metric, label in (("eval_success", "test problems"), ("validation_success", "validation problems")):
    axes.plot(thousands, [100 * line[metric] for line in evaluated], marker=".", label=label)
axes.set(
    xlabel="environment steps in thousands",
    ylabel="solved greedily, in %",
    ylim=(0, 103),
    title=f"Learning curve of {options.run.name}",
)
axes.grid(alpha=0.3)
axes.legend()
figure.savefig(options.out / "learning-curve.png", dpi=150)

# %% [markdown]
# ## The map
#
# Every equation is a point where the network puts it, in the two directions in which the points differ most. Coloured twice: by
# the axiom that the policy's solution begins with, and by how many steps it has.

# %%
domain = conpole.Domain("equations")
model = conpole.load_model(options.model or "equations")
problems = [problem for problem in domain.generate_batch(range(2 * options.problems)) if not domain.solved(problem)]
problems = problems[: options.problems]


def principal_components(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The two coordinates of each vector, and the part of the variance that each of them explains."""
    centred = vectors - vectors.mean(axis=0)
    left, scales, _ = np.linalg.svd(centred, full_matrices=False)
    return left[:, :2] * scales[:2], scales[:2] ** 2 / np.sum(scales**2)


points, explained = principal_components(model.embed(problems))
results = conpole.search(domain, problems, model, algorithm="greedy")
first_axioms = [
    actions[next_states.index(result.path[1])].split()[0] if result.solved else "not solved"
    for (_, actions, next_states), result in zip(domain.step(problems), results, strict=True)
]

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(14, 6.5), layout="constrained", sharex=True, sharey=True)
solved = np.array([result.solved for result in results])
frequent = sorted(set(first_axioms) - {"not solved"}, key=first_axioms.count, reverse=True)[:7]
colours = dict(zip(frequent, plt.get_cmap("tab10").colors, strict=False)) | {"other": "silver", "not solved": "black"}
shown = np.array([axiom if axiom in colours else "other" for axiom in first_axioms])
for axiom, colour in colours.items():
    chosen = shown == axiom
    label = f"{axiom}: {domain.axioms[axiom]}" if axiom in domain.axioms else axiom
    marker = "x" if axiom == "not solved" else "o"
    left.scatter(*points[chosen].T, s=18, color=colour, marker=marker, alpha=0.8, label=f"{label} ({chosen.sum()})")
left.set_title("by the first axiom of the solution")
right.scatter(*points[~solved].T, s=18, color="black", marker="x")
lengths = np.array([result.steps for result in results])
coloured = right.scatter(*points[solved].T, s=18, c=lengths[solved], cmap="viridis")
figure.colorbar(coloured, ax=right, label="steps of the solution")
right.set_title("by the length of the solution")
for axes in (left, right):
    axes.set_xlabel(f"first component ({explained[0]:.0%} of the variance)")
left.set_ylabel(f"second component ({explained[1]:.0%})")
figure.suptitle(f"{len(problems)} equations where the network puts them")
figure.legend(loc="outside lower center", ncols=2, fontsize="small")
figure.savefig(options.out / "equations-map.png", dpi=150)
print(f"{len(evaluated)} evaluations in learning-curve.png, {len(problems)} equations in equations-map.png")
