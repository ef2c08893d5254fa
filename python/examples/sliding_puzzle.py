"""A domain written in Python: the 8-puzzle, solved by searches with a heuristic written in Python.

Run it with the package installed: python python/examples/sliding_puzzle.py
"""

import random
from collections.abc import Iterable

import conpole


class SlidingPuzzle(conpole.PyDomain):
    """Tiles 1 to 8 on a board of 3 x 3; a tile beside the hole _ moves into it. A state is its rows: 123/456/78_."""

    summary = "slide tiles until they are in order"
    axiom_meanings = {"up": "a tile moves up", "down": "and down", "left": "to the left", "right": "to the right"}
    goal = "123/456/78_"
    # Where the moving tile comes from, seen from the hole.
    moves = {"up": (1, 0), "down": (-1, 0), "left": (0, 1), "right": (0, -1)}

    def __init__(self, scramble: int = 30) -> None:
        super().__init__("sliding-puzzle")
        self.scramble = scramble

    def generate(self, seed: int) -> str:
        generator = random.Random(seed)
        state = self.goal
        for _ in range(self.scramble):
            state = generator.choice(list(self.successors(state)))[1]
        return state

    def successors(self, state: str) -> Iterable[tuple[str, str]]:
        row, column = divmod(state.index("_"), 4)
        for action, (down, right) in self.moves.items():
            if 0 <= row + down < 3 and 0 <= column + right < 3:
                tile = state[4 * (row + down) + column + right]
                yield f"{action} {tile}", state.replace("_", "*").replace(tile, "_").replace("*", tile)

    def solved(self, state: str) -> bool:
        return state == self.goal

    def parse(self, text: str) -> str:
        if len(text) != 11 or sorted(text) != sorted(self.goal) or text[3] != "/" or text[7] != "/":
            raise ValueError("expected three rows of the tiles 1 to 8 and _, such as 123/456/78_")
        return text


def minus_distance(parents: list[str], candidates: list[str]) -> list[float]:
    """Minus the steps that the tiles of each candidate are away from their places: never more than are needed."""
    return [-float(sum(map(_distance, "12345678", [state] * 8))) for state in candidates]


def _distance(tile: str, state: str) -> int:
    row, column = divmod(state.index(tile), 4)
    goal_row, goal_column = divmod(SlidingPuzzle.goal.index(tile), 4)
    return abs(row - goal_row) + abs(column - goal_column)


def main() -> None:
    domain = SlidingPuzzle()
    problem = domain.generate(7)
    print(conpole.solve(problem, domain, minus_distance, algorithm="bwas", meaning="negative cost"))
    for algorithm in ("greedy", "beam", "bwas", "bfs"):
        report = conpole.evaluate(domain, range(20), minus_distance, algorithm=algorithm, meaning="negative cost", batch=1)
        print(f"{algorithm}: solved {report.solved} of 20, {report.expanded} states expanded, {report.mean_length:.1f} steps")


if __name__ == "__main__":
    main()
