#!/usr/bin/env bash
# .venv with what requirements.lock names, each file checked by its hash, and brat itself.
. "$(dirname "$0")/steps.sh"

stamp=.venv/.set-up
want=$(digest requirements.lock pyproject.toml scripts/setup-venv.sh)
if done_before "$stamp" "$want" && .venv/bin/python -c 'import app, rich' 2>/dev/null; then exit 0; fi

find_python() {
    local each
    for each in ${PYTHON:-} python3.11 python3 python3.12 python3.13 python3.14; do
        if "$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo "$each" && return; fi
    done
    fail "no Python 3.11 or newer found. Install it (Debian: apt-get install python3), or name it: make PYTHON=/path/to/python3"
}

make_venv() {
    "$python" -m venv "$@" .venv >/dev/null 2>&1
}

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    say "making .venv with $("$python" --version)"
    if ! make_venv --clear; then
        can_apt || fail "'$python -m venv' does not work here. Debian and Ubuntu: apt-get install python3-venv, then again"
        apt_install python3-venv || fail "apt-get could not install python3-venv (see above)"
        make_venv --clear || fail "'$python -m venv' still does not work: run it by hand to see why"
    fi
fi

say "installing $(grep -c '==' requirements.lock) Python packages from requirements.lock, checked by hash, into .venv"
twice "Python packages" .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --require-hashes --no-deps -r requirements.lock ||
    fail "pip could not install requirements.lock (see above): is the package registry reachable?"
twice "brat itself, editable" .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
    --no-deps --no-build-isolation -e . || fail "pip could not install brat itself (see above)"
mark_done "$stamp" "$want"
