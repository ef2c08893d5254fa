"""Models in folders as hubs have them: the file of a model, and a card that says what it is."""

import os
from pathlib import Path

from conpole import _native
from conpole._native import Error, Model

FILE = "model.safetensors"


def save_pretrained(model: Model, folder: str | os.PathLike[str]) -> None:
    """Writes a model and its card, README.md, to a folder, which is made if it is not there."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    _native.write_model(model, place / FILE)
    (place / "README.md").write_text(_card(model, place.name), encoding="utf-8")


def from_pretrained(name: str | os.PathLike[str], *, any_domain: bool = False) -> Model:
    """The model in a folder, or in the local cache of the Hugging Face hub under a name like user/model. Nothing is downloaded."""
    place = Path(name)
    if place.is_dir():
        files = [place / FILE] if (place / FILE).exists() else sorted(place.glob("*.safetensors"))
        if len(files) != 1:
            raise Error(f"{place} has {len(files)} model files, and not one")
        return Model(files[0], any_domain=any_domain)
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    cache = Path(os.environ.get("HF_HUB_CACHE", home / "hub")) / ("models--" + os.fspath(name).replace("/", "--"))
    main = cache / "refs" / "main"
    if not main.exists():
        raise Error(f"{name} is no folder, and {cache} is not in the local cache of the hub")
    return from_pretrained(cache / "snapshots" / main.read_text(encoding="utf-8").strip(), any_domain=any_domain)


def _card(model: Model, name: str) -> str:
    about = dict(model.metadata)
    domain = (model.domain or "any domain").split(":")[0].split("\n")[0]
    rows = [("network", model.kind), ("head", model.head), ("scores", model.meaning), ("domain", model.domain or "any")]
    rows += [(key, about[key]) for key in ("agent", "steps", "seed", "eval_success", "eval_verified", "version") if key in about]
    table = "\n".join(f"| {key} | {str(value).splitlines()[0] if value else ''} |" for key, value in rows)
    return f"""---
library_name: conpole
license: apache-2.0
pipeline_tag: other
tags:
- conpole
- symbolic-mathematics
- {domain}
---

# A policy for {domain}

It ranks the steps of problems, so that a search finds solutions.

| | |
|---|---|
{table}

```python
import conpole

model = conpole.from_pretrained("{name}")
conpole.evaluate("{domain}", range(100), model)
```
"""


# As methods, too: a class of C++ knows no folders.
def _save_pretrained(self: Model, folder: str | os.PathLike[str]) -> None:
    save_pretrained(self, folder)


setattr(Model, "save_pretrained", _save_pretrained)  # noqa: B010
setattr(Model, "from_pretrained", staticmethod(from_pretrained))  # noqa: B010
