"""Sends the metrics of a training run to Weights & Biases, while it goes on or afterwards:

    pip install wandb
    python follow_metrics.py runs/sorting --project conpole

It follows `metrics.jsonl` of the run, so that training itself needs no network. Ctrl-C ends it; what was sent before is not sent
again if it is given the same --id.
"""

import argparse
import json
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def follow(path: Path, pause: float = 2.0, patience: float | None = None) -> Iterator[dict[str, Any]]:
    """The lines of a file that grows, each once and only when it is whole. Ends when nothing came for `patience` seconds.

    A run that is resumed takes its last lines back and writes them again; those that were there already are passed over.
    """
    last_step = -1
    place = 0
    waited = 0.0
    while patience is None or waited <= patience:
        if path.exists():
            data = path.read_bytes()
            if len(data) < place:  # the run was resumed
                place = 0
            whole = data[place : data.rfind(b"\n") + 1]
            place += len(whole)
            for line in map(json.loads, whole.splitlines()):
                if line["step"] > last_step:
                    last_step = line["step"]
                    waited = 0.0
                    yield line
        time.sleep(pause)
        waited += pause


def settings_of(run: Path) -> dict[str, Any]:
    """What config.toml has: the settings, and under `record` what made the run."""
    config = run / "config.toml"
    return tomllib.loads(config.read_text(encoding="utf-8")) if config.exists() else {}


def main() -> None:
    parser = argparse.ArgumentParser(description="Sends the metrics of a training run to Weights & Biases.")
    parser.add_argument("run", type=Path, help="the folder of the run")
    parser.add_argument("--project", default="conpole")
    parser.add_argument("--id", help="of a run at Weights & Biases that goes on")
    parser.add_argument("--patience", type=float, help="seconds without a new line after which it ends")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between looks at the file")
    arguments = parser.parse_args()
    import wandb

    run = wandb.init(
        project=arguments.project,
        name=arguments.run.name,
        id=arguments.id,
        resume="allow" if arguments.id else None,
        config=settings_of(arguments.run),
    )
    sent = int(run.summary.get("step", -1)) if arguments.id else -1
    try:
        for line in follow(arguments.run / "metrics.jsonl", arguments.pause, arguments.patience):
            if line["step"] > sent:
                run.log({name: value for name, value in line.items() if value is not None}, step=line["step"])
    except KeyboardInterrupt:
        pass
    finally:
        run.finish()


if __name__ == "__main__":
    main()
