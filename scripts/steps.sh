# Shared by the set-up scripts: what is done is said, and done once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'set-up: %s\n' "$*"; }
fail() { printf 'set-up: %s\n' "$*" >&2; exit 1; }
digest() { { printf '%s\n' "$PWD"; cat "$@"; } | git hash-object --stdin; }
done_before() { [ "$(cat "$1" 2>/dev/null || true)" = "$2" ]; }
mark_done() { printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"; }

# twice WHAT COMMAND...: a registry may hiccup once; a second failure is final.
twice() {
    local what=$1 log started=$SECONDS
    shift
    log=$(mktemp)
    if "$@" >"$log" 2>&1 || { say "$what failed, trying once more"; "$@" >"$log" 2>&1; }; then
        rm -f "$log"
        say "$what: done in $((SECONDS - started)) s"
    else
        tail -n 30 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }
apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    twice "Debian packages ($*)" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' sh "$@"
}
