"""The command `conpole` and `python -m conpole`: the program inside the package."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import conpole
from conpole._searching import shipped_model

PROGRAM = Path(conpole.__file__).parent / "bin" / "conpole"
HAS_PROGRAM = pytest.mark.skipif(not PROGRAM.exists(), reason="the program was not built")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {name: value for name, value in os.environ.items() if name != "CONPOLE_PROGRAM"}
    return subprocess.run(
        [sys.executable, "-m", "conpole", *arguments],
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@HAS_PROGRAM
def test_it_solves_with_the_models_of_the_package() -> None:
    ended = run("solve", "equations", "x + 3 = 7")
    assert ended.returncode == 0 and "x = 4 is the answer, and it was verified" in ended.stdout
    assert conpole.Domain("sorting").generate(7) in run("generate", "sorting", "--seed", "7").stdout


def evaluated(domain: conpole.Domain, first: int, end: int) -> tuple[dict[str, object], conpole.Evaluation]:
    """What the program says of the problems with these seeds, and what Python says."""
    ended = run("eval", domain.spec, "--seeds", f"{first}:{end}", "--json", "--failures")
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout), conpole.evaluate(domain, range(first, end))


def agree(domain: conpole.Domain, many: int) -> conpole.Evaluation:
    there, here = evaluated(domain, 0, many)
    counted = (there["solved"], there["verified"], there["wrong"], there["cannot_tell"], there["expanded"], there["edges"])
    assert counted == (here.solved, here.verified, here.wrong, here.cannot_tell, here.expanded, here.edges)
    assert there["mean_length"] == pytest.approx(here.mean_length)
    assert [one["problem"] for one in there["failures"]] == here.failures  # type: ignore[attr-defined]
    return here


GALLERY = Path(__file__).parents[2] / "gallery"


@HAS_PROGRAM
@pytest.mark.parametrize("name", sorted(file.stem for file in GALLERY.glob("*.domain")))
def test_they_agree_in_domain_files(name: str) -> None:
    agree(conpole.Domain(str(GALLERY / f"{name}.domain")), 3)


@HAS_PROGRAM
def test_eval_and_evaluate_agree_problem_by_problem(domain: conpole.Domain) -> None:
    if shipped_model(domain.name) is None:
        pytest.skip("its model is missing")
    many = 5 if domain.name == "equations" else 20  # an equation takes half a second
    here = agree(domain, many)
    # Each by itself. What is looked at together must not change what is found.
    for seed in (*range(2), *(here.problems.index(failure) for failure in here.failures[:2])):
        alone, _ = evaluated(domain, seed, seed + 1)
        result = here.results[seed]
        assert (alone["solved"], alone["expanded"], alone["edges"]) == (int(result.solved), result.expanded, result.edges), seed
        assert alone["mean_length"] == (result.steps if result.solved else 0), seed


@HAS_PROGRAM
def test_its_status_is_that_of_the_program() -> None:
    ended = run("solve", "equations", "x = = 3")
    assert ended.returncode == 2 and ended.stderr.startswith("conpole: ")


def test_another_program_can_be_named(tmp_path: Path) -> None:
    script = tmp_path / "other"
    script.write_text('#!/bin/sh\necho "other $@"\nexit 3\n')
    script.chmod(0o755)
    ended = run("solve", "x = 1", CONPOLE_PROGRAM=str(script))
    assert (ended.returncode, ended.stdout) == (3, "other solve x = 1\n")
    ended = run(CONPOLE_PROGRAM=str(tmp_path / "none"))
    assert ended.returncode == 2 and "none cannot be run: No such file or directory" in ended.stderr


def test_a_package_whose_program_cannot_train_lists_the_settings(tmp_path: Path) -> None:
    script = tmp_path / "lean"
    script.write_text("#!/bin/sh\nexit 2\n")
    script.chmod(0o755)
    listed = run("train", "--help", CONPOLE_PROGRAM=str(script))
    assert listed.returncode == 0 and "--json" not in listed.stdout, "by which it is told from the program"
    for setting in conpole.settings():
        assert "--" + setting.name.replace("_", "-") in listed.stdout
    refused = run("train", "--domain", "sorting", "sorting", CONPOLE_PROGRAM=str(script))
    assert refused.returncode == 2 and "the domain is given twice" in refused.stderr
    assert run("train", CONPOLE_PROGRAM=str(script)).returncode == 2


def test_the_command_does_not_run_itself_for_ever(tmp_path: Path) -> None:
    command = tmp_path / "conpole"
    command.write_text(f"#!{sys.executable}\nimport sys\nfrom conpole_command import main\nsys.exit(main())\n")
    command.chmod(0o755)
    environment = {**os.environ, "CONPOLE_PROGRAM": str(command)}
    ended = subprocess.run([command, "--version"], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == (0 if PROGRAM.exists() else 2), ended.stderr
