# shellcheck shell=bash
# Building the page (web/). Sourced by ./run and ./test after build.sh, with the repository root as working directory.

# What the page needs and is not there, one per line.
missing_for_page() {
  command -v npm >/dev/null || echo "npm (the package npm)"
  command -v emcc >/dev/null || echo "Emscripten (the package emscripten)"
}

# build_page [DIR]: the engine, then the page into DIR (web/dist).
build_page() {
  local out=${1:-web/dist} missing
  missing=$(missing_for_page)
  if [[ -n $missing ]]; then
    printf 'The page cannot be built without\n%s\n' "$missing" >&2
    return 1
  fi
  out=$(realpath -m -- "$out")
  build_preset wasm all || return
  if [[ ! -e web/node_modules/.package-lock.json || web/package-lock.json -nt web/node_modules/.package-lock.json ]]; then
    echo "Installing what the page is built with" >&2
    quietly npm --prefix web ci || return
    touch web/node_modules/.package-lock.json
  fi
  echo "Building the page" >&2
  node web/build.mjs --out "$out" >&2
}
