# shellcheck shell=bash
# Building the page (web/) around the engine in WebAssembly. Sourced by ./run and ./test after build.sh, with the repository root
# as working directory.

# What the page needs and is not there, one per line.
missing_for_page() {
  command -v npm >/dev/null || echo "npm (the package npm)"
  command -v emcc >/dev/null || echo "Emscripten (the package emscripten)"
}

# The packages that package-lock.json names, fetched only if it has changed.
npm_packages() {
  if [[ -e web/node_modules/.package-lock.json && ! web/package-lock.json -nt web/node_modules/.package-lock.json ]]; then return; fi
  echo "Fetching the page's packages with npm" >&2
  quietly npm --prefix web ci || return
  touch web/node_modules/.package-lock.json
}

# Whether web/dist is of the files as they are.
page_is_new() {
  [[ -e web/dist/index.html && -z $(find web/src web/engine web/index.html web/build.mjs web/package-lock.json models gallery \
    build-wasm/web/engine/conpole.wasm build-wasm/web/engine/languages -type f -newer web/dist/index.html -print -quit) ]]
}

# build_page [DIR [-DNAME=VALUE...]]: the engine, then the page into DIR, or, where that is empty, into web/dist, where `conpole serve`
# finds it. Settings are for a new build of the engine.
build_page() {
  local out=${1:-} missing
  missing=$(missing_for_page)
  if [[ -n $missing ]]; then
    printf 'The page cannot be built without\n%s\n' "$missing" >&2
    return 1
  fi
  build_preset wasm all "${@:2}" || return
  npm_packages || return
  if [[ -z $out ]] && page_is_new; then return; fi
  echo "Building the page" >&2
  node web/build.mjs ${out:+--out "$out"} >&2
}
