"""Labelled solutions by a job of Spark, one shard per partition (docs/traces.md):

    spark-submit deploy/traces_spark.py DOMAIN COUNT FOLDER SHARDS

FOLDER is one that all machines see.
"""

import sys
from pathlib import Path


def part(domain: str, count: int, folder: str, shard: int, shards: int) -> int:
    import conpole  # where the part is made

    out = Path(folder) / f"part-{shard}.jsonl"
    return conpole.export(domain, out, count=count, shard=f"{shard}/{shards}", resume=True, threads=1).steps


def main(domain: str, count: str, folder: str, shards: str) -> int:
    from pyspark.sql import SparkSession

    Path(folder).mkdir(parents=True, exist_ok=True)
    context = SparkSession.builder.appName("conpole-traces").getOrCreate().sparkContext
    numbers = context.parallelize(range(int(shards)), int(shards))
    return int(numbers.map(lambda shard: part(domain, int(count), folder, shard, int(shards))).sum())


if __name__ == "__main__":
    print(main(*sys.argv[1:]), "labelled steps")
