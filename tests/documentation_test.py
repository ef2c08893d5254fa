"""Every relative link in the Markdown files leads to a file, and to a heading where it names one.

Usage: documentation_test.py REPOSITORY
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|^    [^\n]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)")


def pages():
    for path in sorted(ROOT.rglob("*.md")):
        parts = path.relative_to(ROOT).parts
        if "node_modules" not in parts and not parts[0].startswith("build"):
            yield path


def anchors(path):
    """Of all headings, as GitHub makes them: small letters, words joined by hyphens, a number for what comes again."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = []
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return found


count = 0
failures = []
for page in pages():
    for target, anchor in LINK.findall(CODE.sub("", page.read_text())):
        count += 1
        path = (page.parent / target).resolve() if target else page
        where = f"{page.relative_to(ROOT)}: {target}"
        if not path.exists():
            failures.append(f"{where} does not exist")
        elif anchor and anchor not in anchors(path):
            failures.append(f"{where}#{anchor}: there is no such heading")
assert count > 100, f"only {count} links were found"
print("\n".join(failures) or f"{count} links")
sys.exit(bool(failures))
