#!/usr/bin/env bash
# bubblewrap, in which agents are run; with the argument `tests` also strace, with which tests watch it.
# A missing sandbox stops a test run in CI and is only said elsewhere.
. "$(dirname "$0")/steps.sh"

wanted=()
command -v bwrap >/dev/null || wanted+=(bubblewrap)
if [ "${1:-}" = tests ] && ! command -v strace >/dev/null; then wanted+=(strace); fi

if [ ${#wanted[@]} -gt 0 ]; then
    if can_apt; then
        say "installing ${wanted[*]} with apt-get"
        apt_install "${wanted[@]}" || say "apt-get could not install ${wanted[*]}"
    else
        say "${wanted[*]} missing, and cannot be installed from here: ask for 'apt-get install ${wanted[*]}'"
    fi
fi

problem=
if ! command -v bwrap >/dev/null; then
    problem="bubblewrap is missing"
elif ! bwrap --unshare-all --unshare-user --ro-bind / / true 2>/dev/null; then
    problem="bubblewrap is installed but may not make a sandbox here (Ubuntu 24.04: an AppArmor profile for bwrap is needed)"
elif [ "${1:-}" = tests ] && ! command -v strace >/dev/null; then
    problem="strace is missing"
fi
[ -z "$problem" ] && exit 0

if [ "${1:-}" = tests ] && [ "${CI:-}" = true ]; then
    fail "$problem, and in CI no test may go without it"
fi
case "${1:-}" in
    tests) say "$problem: tests that need it will fail" ;;
    *) say "$problem: scripted agents of the demo run without a sandbox" ;;
esac
