"""The notebooks of the documentation: every cell runs, and what it ends with can be shown."""

import ast
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SMALL = 20_000


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    book: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    return [cell for cell in book["cells"] if cell["cell_type"] == "code"]


def test_there_are_notebooks_without_outputs() -> None:
    assert [notebook.stem for notebook in NOTEBOOKS] == ["data-and-judging", "solve-and-tutor", "train-a-domain"]
    for notebook in NOTEBOOKS:
        assert notebook.stat().st_size < SMALL
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells_of(notebook))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run_and_show_something(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Jupyter: as it does, the last expression of a cell is shown."""
    monkeypatch.delenv("CONPOLE_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "")  # as after pip: no program that trains
    names: dict[str, Any] = {}
    for cell in cells_of(notebook):
        tree = ast.parse("".join(cell["source"]))
        *_, last = tree.body
        assert isinstance(last, ast.Expr), "a cell ends with what it shows"
        exec(compile(ast.Module(tree.body[:-1], []), notebook.name, "exec"), names)  # noqa: S102
        value = eval(compile(ast.Expression(last.value), notebook.name, "eval"), names)  # noqa: S307
        shown = value._repr_svg_() if isinstance(value, str) else "" if isinstance(value, (list, float)) else value._repr_html_()
        assert isinstance(value, (list, float)) or shown.startswith(("<div", "<svg"))


@pytest.mark.skipif(find_spec("nbclient") is None or find_spec("ipykernel") is None, reason="there is no Jupyter")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_jupyter_runs_them(notebook: Path) -> None:
    import nbclient
    import nbformat

    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=600).execute()
    shown = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert all("text/html" in output.data or "text/plain" in output.data for output in shown if output.output_type == "execute_result")
