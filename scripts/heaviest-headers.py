#!/usr/bin/env python3
"""Prints the ten headers from outside the project that cost the compiler most: how many files read each, directly or not, times the
lines that it becomes.

    scripts/heaviest-headers.py [COMPILER]
"""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "cli", "experiments")
INCLUDE = re.compile(r"^#include [<\"]([^>\"]+)[>\"]", re.MULTILINE)


def main() -> None:
    compiler = sys.argv[1] if len(sys.argv) > 1 else "g++"
    includes = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".h", ".cc") and not path.name.endswith("_test.cc") and "torch" not in path.parts:
                includes[path] = INCLUDE.findall(path.read_text())

    readers = Counter()
    for source in (path for path in includes if path.suffix == ".cc"):
        seen, open_files, outside = set(), [source], set()
        while open_files:
            for name in includes[open_files.pop()]:
                own = next((base / name for base in (ROOT / "src", ROOT / "include", ROOT) if base / name in includes), None)
                if own is None:
                    outside.add(name)
                elif own not in seen:
                    seen.add(own)
                    open_files.append(own)
        readers.update(outside)

    rows = []
    for name, count in readers.items():
        text = subprocess.run([compiler, "-std=c++20", "-E", "-P", "-x", "c++", "-"], input=f"#include <{name}>\n",
                              capture_output=True, text=True, check=False).stdout
        rows.append((count * text.count("\n"), count, text.count("\n"), name))
    print("   lines in all  files  lines  header")
    for total, count, lines, name in sorted(rows, reverse=True)[:10]:
        print(f"{total:15,} {count:6} {lines:6} {name}")


main()
