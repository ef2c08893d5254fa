#!/usr/bin/env bash
# Builds the documentation site into build/site, with MkDocs from PyPI in an environment of its own, and fails on any warning: a link
# that leads nowhere, or a page that is missing in mkdocs.yml.
#
#   scripts/docs.sh          builds it
#   scripts/docs.sh serve    shows it at http://127.0.0.1:8000/, and follows changes
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
environment=build/docs-environment
if [[ ! -e $environment/complete || docs/requirements.txt -nt $environment/complete ]]; then
  python3 -m venv --clear "$environment"
  "$environment/bin/pip" install --quiet --requirement docs/requirements.txt
  touch "$environment/complete"
fi
if [[ ${1:-build} == serve ]]; then exec "$environment/bin/mkdocs" serve; fi
exec "$environment/bin/mkdocs" build --strict
