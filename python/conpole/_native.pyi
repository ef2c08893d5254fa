from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Final, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Indices: TypeAlias = ArrayLike
_Texts: TypeAlias = Iterable[str] | TextColumn | Expansion
# Of environments: characters, lengths, masks of actions, numbers of actions.
_View: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]

__version__: str
commit: str

class Error(ValueError): ...

class MalformedError(Error):
    text: str
    message: str
    position: int

class TextColumn:
    def __init__(self, texts: Iterable[str] | TextColumn | Expansion) -> None: ...
    @staticmethod
    def from_arrays(text: bytes | bytearray | memoryview | NDArray[np.uint8], offsets: NDArray[np.int64]) -> TextColumn: ...
    text: Final[memoryview]
    offsets: Final[NDArray[np.int64]]
    lengths: Final[NDArray[np.int64]]
    hashes: Final[NDArray[np.uint64]]
    def padded(
        self, *, width: int | None = None, fill: int = 0, alphabet: str = "", skips_spaces: bool = False
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
    def take(self, indices: _Indices) -> TextColumn: ...
    def tolist(self) -> list[str]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __iter__(self) -> Iterator[str]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class PairBatch:
    texts: Final[TextColumn]
    parents: Final[NDArray[np.int64]]
    candidates: Final[NDArray[np.int64]]
    targets: Final[NDArray[np.float32] | None]
    first: Final[NDArray[np.int64]]
    def __len__(self) -> int: ...

class Expansion:
    text: Final[memoryview]
    offsets: Final[NDArray[np.int64]]
    parents: Final[NDArray[np.int32]]
    first: Final[NDArray[np.int64]]
    solved: Final[NDArray[np.bool_]]
    labels: Final[TextColumn]
    def take(self, indices: _Indices) -> TextColumn: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> str: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __copy__(self) -> Expansion: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Expansion: ...

class Domain:
    def __init__(self, spec: str, **parameters: object) -> None: ...
    @staticmethod
    def from_text(text: str) -> Domain: ...
    @property
    def name(self) -> str: ...
    @property
    def spec(self) -> str: ...
    @property
    def parameters(self) -> dict[str, str]: ...
    @property
    def axioms(self) -> dict[str, str]: ...
    def generate(self, seed: int) -> str: ...
    def generate_batch(self, seeds: Iterable[int], *, threads: int = 0) -> list[str]: ...
    def parse(self, text: str) -> str: ...
    def solved(self, state: str) -> bool: ...
    def step(self, states: _Texts, *, threads: int = 0) -> list[tuple[bool, list[str], list[str]]]: ...
    def expand(
        self, states: _Texts, indices: _Indices | None = None, *, labels: bool = False, threads: int = 0
    ) -> Expansion: ...
    def apply(self, state: str, axiom: str) -> list[tuple[str, str]]: ...

class PythonDomain(Domain):
    def __init__(self, name: str, summary: str, axioms: Mapping[str, str]) -> None: ...
    def _describe(self, name: str, summary: str, axioms: Mapping[str, str]) -> None: ...

class Environments:
    def __init__(
        self,
        domain: Domain,
        *,
        count: int,
        max_steps: int,
        max_actions: int,
        max_length: int,
        autoreset: str,
        threads: int,
    ) -> None: ...
    ready: Final[bool]
    cut_actions: Final[bool]
    cut_characters: Final[bool]
    def expansion(self) -> tuple[TextColumn, NDArray[np.int64]]: ...
    def reset(
        self,
        chosen: NDArray[np.bool_],
        seeded: Sequence[int],
        seeds: NDArray[np.uint64],
        problems: Sequence[str | None],
    ) -> _View: ...
    def step(self, actions: NDArray[Any]) -> tuple[_View, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]: ...
    def states(self) -> list[str]: ...
    def final_states(self, chosen: Sequence[int]) -> list[str]: ...
    def final_characters(self, chosen: Sequence[int]) -> NDArray[np.uint8]: ...
    def save(self) -> tuple[Any, ...]: ...
    def restore(self, saved: tuple[Any, ...]) -> _View: ...

class Model:
    def __init__(self, path: str | PathLike[str], domain: Domain | None = None, *, any_domain: bool = False) -> None: ...
    metadata: Final[dict[str, str]]
    domain: Final[str | None]
    vector_size: Final[int]
    kind: Final[str]
    alphabet: Final[str]
    unknown_characters: Final[int]
    head: Final[str]
    meaning: Final[str]
    def embed(self, states: _Texts, *, threads: int = 0) -> NDArray[np.float32]: ...
    def save_pretrained(self, folder: str | PathLike[str]) -> None: ...
    @staticmethod
    def from_pretrained(name: str | PathLike[str], *, any_domain: bool = False) -> Model: ...
    def score(self, parents: _Texts, candidates: _Texts, *, threads: int = 0) -> NDArray[np.float32]: ...
    def __call__(self, parents: _Texts, candidates: _Texts, *, threads: int = 0) -> NDArray[np.float32]: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Model: ...

class SearchOptions:
    def __init__(
        self,
        *,
        algorithm: str = "beam",
        max_steps: int = 30,
        beam: int = 10,
        beam_value: str | None = None,
        max_edges: int = 1_000_000,
        weight: float = 1.0,
        batch: int | None = None,
        max_expanded: int = 100_000,
        views: int = 1,
        endgame: bool = True,
    ) -> None: ...

class SearchResult:
    outcome: Final[str]
    solved: Final[bool]
    path: Final[list[str]]
    steps: Final[int]
    expanded: Final[int]
    edges: Final[int]

class SearchTrace:
    states: Final[TextColumn]
    parents: Final[NDArray[np.int64]]
    scores: Final[NDArray[np.float32]]
    solved: Final[NDArray[np.bool_]]
    first: Final[NDArray[np.int64]]
    chosen: Final[NDArray[np.int64]]
    first_chosen: Final[NDArray[np.int64]]
    solution: Final[NDArray[np.int64]]
    steps: Final[int]
    def __len__(self) -> int: ...

class TracedResult(SearchResult):
    trace: Final[SearchTrace]

class ReplayBuffer:
    def __init__(self, capacity: int = 200_000, *, seed: int = 0) -> None: ...
    def add(self, parents: _Texts, candidates: _Texts, targets: Any = None) -> None: ...
    def add_solution(self, trace: SearchTrace, *, negatives: str = "own-parent", kept: int = 255) -> int: ...
    def sample(self, examples: int, *, negatives: int | None = None) -> PairBatch: ...
    capacity: Final[int]
    added: Final[int]
    memory_used: Final[int]
    def __len__(self) -> int: ...

class StepCheck:
    kind: Final[str]
    correct: Final[bool]
    state: Final[str]
    reading: Final[str]
    message: Final[str]
    changes_solutions: Final[bool]
    side: Final[str | None]
    mistake: Final[str | None]
    also: Final[str | None]
    reminder: Final[str | None]
    is_true: Final[bool | None]
    is_step: Final[bool | None]
    helps: Final[str | None]
    operation: Final[str | None]
    operand: Final[str | None]
    detour: Final[str | None]
    after_mistake: Final[bool]

class Markup:
    notation: Final[str]
    mathml: Final[str]
    speech: Final[str]

class StepMarkup(Markup):
    before_mathml: Final[str]

class TutorStep:
    label: Final[str]
    before: Final[str]
    after: Final[str]
    text: Final[str]
    axioms: Final[list[TutorStep]]
    axioms_domain: Final[str]
    axioms_note: Final[str]
    why: Final[list[str]]

class TutorSolution:
    status: Final[str]
    problem: Final[str]
    answer: Final[str]
    answer_notation: Final[str]
    verified: Final[bool | None]
    exceptions: Final[list[str]]
    irrational_exceptions: Final[int]
    message: Final[str]
    steps: Final[list[TutorStep]]
    outcome: Final[str]
    expanded: Final[int]

class TutorHint:
    status: Final[str]
    text: Final[str]
    step: Final[TutorStep | None]
    mistake: Final[str | None]

class TutorNextStep:
    step: Final[TutorStep]
    probability: Final[float]

class Tutor:
    def __init__(
        self,
        domain: Domain,
        scorer: Any,
        *,
        meaning: str,
        seed: int,
        language: str,
        detail: str,
        abstractions: str,
        milliseconds: int,
        expansions: int,
        threads: int,
    ) -> None: ...
    def solve(self, problem: str, search: SearchOptions | None) -> TutorSolution: ...
    def hint(self, state: str, level: int, tried: str = "") -> TutorHint: ...
    def next_steps(self, state: str) -> list[TutorNextStep]: ...
    def check(self, current: str, line: str) -> StepCheck: ...
    def check_lines(self, problem: str, lines: list[str]) -> list[StepCheck]: ...
    def exercise(self, level: int, seed: int) -> str: ...

class ProblemIndex:
    def __init__(self, domain: Domain, model: Model) -> None: ...
    @staticmethod
    def read(path: str | PathLike[str], domain: Domain, model: Model) -> ProblemIndex: ...
    @staticmethod
    def domain_of_file(path: str | PathLike[str]) -> str: ...
    domain: Final[Domain]
    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> str: ...
    def add(self, states: Sequence[str], *, threads: int) -> None: ...
    def add_generated(self, first: int, end: int, *, threads: int) -> None: ...
    def similar(self, state: str, count: int, *, threads: int) -> list[tuple[str, float]]: ...
    def write(self, path: str | PathLike[str]) -> None: ...

def domain_names() -> list[str]: ...
def survey_walks(domain: Domain, problems: int, steps: int) -> tuple[int, int, bool]: ...
def read_for_policy(domain: Domain, states: Iterable[str]) -> list[str]: ...
def alphabet_of(domain: Domain) -> str: ...
def pack_states(domain: Domain, states: Iterable[str]) -> NDArray[np.uint8]: ...
def layout_moves(domain: Domain) -> NDArray[np.uint8] | None: ...
def layout_colours(domain: Domain) -> int: ...
def default_scorer(domain: Domain) -> str: ...
def heuristic_suffices(domain: Domain) -> bool: ...
def search(
    domain: Domain,
    problems: Sequence[str],
    scorer: Any,
    options: SearchOptions,
    *,
    trace: bool,
    choose: Callable[[SearchTrace], Any] | None,
    meaning: str,
    seed: int,
    abstractions: str,
    threads: int,
) -> list[SearchResult]: ...
def train(
    *,
    folder: str,
    resume: bool,
    config: str,
    given: Mapping[str, str],
    domain: Domain | None,
    learner: Any,
    agent: Any,
    observe: Callable[[dict[str, Any]], None],
    version: str,
    record: Mapping[str, str],
) -> dict[str, Any]: ...
def write_traces(
    domain: Domain,
    scorer: Any,
    *,
    path: str,
    format: str,
    count: int,
    first: int,
    shard: str,
    wrong: int,
    alternatives: int,
    seed: int,
    beam: int,
    max_steps: int,
    language: str,
    resume: bool,
    scorer_name: str,
    version: str,
    threads: int,
) -> dict[str, Any]: ...
def check_batch(
    domain: Domain, current: _Texts, lines: _Texts, language: str, threads: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]: ...
def all_settings() -> list[tuple[str, str, str, str, str]]: ...
def run_record(path: str) -> dict[str, str]: ...
def write_seed_summary(folder: str | PathLike[str], runs: Sequence[tuple[int, str]]) -> None: ...
def write_model(model: Model, path: str | PathLike[str]) -> None: ...
def labels_of_path(domain: Domain, path: Sequence[str]) -> list[str]: ...
def read_notation(domain: Domain, text: str, language: str = "en", to_check: bool = False) -> tuple[str, str]: ...
def write_notation(domain: Domain, state: str) -> str: ...
def write_latex(domain: Domain, state: str) -> str: ...
def markup(domain: Domain, state: str, language: str = "en") -> Markup: ...
def markup_step(domain: Domain, before: str, after: str, language: str = "en") -> StepMarkup: ...
def draw_lines(domain: Domain, states: Sequence[str], as_balance: bool) -> str | None: ...
def guess_domain(text: str, language: str = "en") -> str: ...
def guess_domain_of_lines(text: str, language: str = "en") -> str: ...
def lines_of(domain: Domain, texts: Sequence[str]) -> list[str]: ...
def skills() -> dict[str, int]: ...
def skill_exercise(skill: str, level: int, seed: int) -> str: ...
def verify_path(domain: Domain, path: Sequence[str]) -> str: ...
