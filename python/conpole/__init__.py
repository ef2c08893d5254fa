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
    SearchResult,
    StepCheck,
    __version__,
    domain_names,
)
from conpole._py_domain import PyDomain
from conpole._searching import Evaluation, Scorer, evaluate, load_model, search
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
from conpole._training import TrainingResult, train

__all__ = [
    "Domain",
    "Error",
    "Evaluation",
    "Expansion",
    "Hint",
    "MalformedError",
    "Model",
    "NextStep",
    "ProblemIndex",
    "PyDomain",
    "Scorer",
    "SearchResult",
    "Shown",
    "SimilarProblem",
    "Solution",
    "Step",
    "StepCheck",
    "TrainingResult",
    "__version__",
    "check",
    "check_lines",
    "domain_names",
    "evaluate",
    "exercise",
    "hint",
    "load_model",
    "next_steps",
    "search",
    "show",
    "similar",
    "skill_exercise",
    "skills",
    "solve",
    "train",
]

if find_spec("gymnasium") is not None:
    from conpole import environments

    environments.register_all()
