"""Labelled solutions by tasks of Ray, one shard each (docs/traces.md):

    python deploy/traces_ray.py DOMAIN COUNT FOLDER SHARDS

A task that dies is begun again by Ray, and goes on with its file, if FOLDER is one that all machines see.
"""

import sys
from pathlib import Path

import ray

import conpole


@ray.remote(num_cpus=1)
def part(domain: str, count: int, folder: str, shard: int, shards: int) -> int:
    out = Path(folder) / f"part-{shard}.jsonl"
    return conpole.export(domain, out, count=count, shard=f"{shard}/{shards}", resume=True, threads=1).steps


def main(domain: str, count: str, folder: str, shards: str) -> int:
    Path(folder).mkdir(parents=True, exist_ok=True)
    parts = [part.remote(domain, int(count), folder, shard, int(shards)) for shard in range(int(shards))]
    return sum(ray.get(parts))


if __name__ == "__main__":
    print(main(*sys.argv[1:]), "labelled steps")
