"""A hook of MkDocs. Links from docs/ to other files of the repository, and to folders, lead to the repository on the web
(repo_url); where that is not known, their text stays without a link. MkDocs itself checks all other links."""

import posixpath
import re
from pathlib import Path

# Blocks of code, which stay as they are, or a relative link: its text and its target.
CODE_OR_LINK = re.compile(r"^```.*?^```$|(?<!!)\[([^\]\n]*)\]\((?![a-z]+:|#)([^)\s#]*)[^)\s]*\)", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown, page, config, files):
    root = Path(config.config_file_path).parent
    address = re.sub(r"\.git$", "", config.repo_url or "")

    def replace(match):
        if match[2] is None:
            return match[0]
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), match[2]))
        path = root / target
        if not path.exists() or (target.startswith("docs/") and path.is_file()):
            return match[0]
        return f"[{match[1]}]({address}/blob/HEAD/{target})" if address.startswith("https:") else match[1]

    return CODE_OR_LINK.sub(replace, markdown)
