"""Symbolic domains, searches and policies that solve problems step by step.

Where Gymnasium is installed, importing this package registers the environments conpole/Equations-v0 and so on.
"""

from importlib.util import find_spec

from conpole._native import (
    Domain,
    Error,
    Expansion,
    MalformedError,
    Model,
    PairBatch,
    ReplayBuffer,
    SearchResult,
    SearchTrace,
    StepCheck,
    TextColumn,
    TracedResult,
    __version__,
    domain_names,
)
from conpole._data import CheckedLines, Export, Task, TaskSet, check_batch, export
from conpole._hub import from_pretrained, save_pretrained
from conpole._py_domain import PyDomain
from conpole._searching import ColumnScorer, Evaluation, Scorer, by_columns, evaluate, load_model, search
from conpole._show import Shown, show
from conpole._similarity import ProblemIndex, SimilarProblem, similar
from conpole._solving import (
    Hint,
    NextStep,
    Solution,
    Step,
    check,
    check_lines,
    exercise,
    hint,
    next_steps,
    skill_exercise,
    skills,
    solve,
)
from conpole._training import (
    Agent,
    Learner,
    LearnerStart,
    SeedsResult,
    Setting,
    TrainingReport,
    TrainingResult,
    settings,
    train,
    train_seeds,
)
from conpole._vector_environment import VectorEnvironment

__all__ = [
    "Agent",
    "CheckedLines",
    "ColumnScorer",
    "Domain",
    "Error",
    "Evaluation",
    "Expansion",
    "Export",
    "Hint",
    "Learner",
    "LearnerStart",
    "MalformedError",
    "Model",
    "NextStep",
    "PairBatch",
    "ProblemIndex",
    "PyDomain",
    "ReplayBuffer",
    "Scorer",
    "SearchResult",
    "SearchTrace",
    "SeedsResult",
    "Setting",
    "Shown",
    "SimilarProblem",
    "Solution",
    "Step",
    "StepCheck",
    "Task",
    "TaskSet",
    "TextColumn",
    "TracedResult",
    "TrainingReport",
    "TrainingResult",
    "VectorEnvironment",
    "__version__",
    "by_columns",
    "check",
    "check_batch",
    "check_lines",
    "domain_names",
    "evaluate",
    "exercise",
    "export",
    "from_pretrained",
    "hint",
    "load_model",
    "next_steps",
    "save_pretrained",
    "search",
    "settings",
    "show",
    "similar",
    "skill_exercise",
    "skills",
    "solve",
    "train",
    "train_seeds",
]

if find_spec("gymnasium") is not None:
    from conpole import environments

    environments.register_all()
