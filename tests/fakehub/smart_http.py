"""Git over HTTP: `git http-backend` on the bare repository, with GitHub's rules for who may push what."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tests.fakehub.accounts import Actor, Token
from tests.fakehub.dispatch import Reply, Request, refusal, struck
from tests.fakehub.journal import Asked
from tests.fakehub.people import Project
from tests.fakehub.protecting import check_passes
from tests.fakehub.pushing import ZERO, refs_changed
from tests.fakehub.routes.table import Refused
from tests.fakehub.signing import secret_of, token_of

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["PLACES", "serve_git"]

PLACES = re.compile(r"/(?P<name>[^/]+/[^/]+?)(?:\.git)?/(?P<what>info/refs|git-upload-pack|git-receive-pack)")

# Runs once for each ref: reasons known beforehand are in a file, what needs the objects is looked at here.
_HOOK = r"""#!/bin/sh
say() { printf '%s\t%s\n' "$1" "$2" >> "$FAKEHUB_SAID"; exit 1; }
while IFS='	' read -r ref reason; do
  if [ "$ref" = "$1" ]; then say "$1" "$reason"; fi
done < "$FAKEHUB_REFUSED"
case "$FAKEHUB_WORKFLOWS:$1:$3" in
  no:refs/heads/*:0000000000000000000000000000000000000000) ;;
  no:refs/heads/*)
    found=$(git log --format= --name-only --diff-filter=d "$3" --not --all -- .github/workflows | head -n 1)
    if [ -n "$found" ]; then
      say "$1" "refusing to allow a GitHub App to create or update workflow \`$found\` \
without \`workflows\` permission"
    fi ;;
esac
exit 0
"""


def serve_git(hub: Hub, request: Request, body: BinaryIO) -> Reply:
    """One request of a git client. `body` is spooled to a file."""
    matched = PLACES.fullmatch(request.path)
    assert matched
    what = matched["what"]
    fault = hub.faults.find(request.method, request.path)
    if fault:
        return _noted(hub, request, struck(fault))
    pushes = "git-receive-pack" in (what, request.query.get("service"))
    try:
        repo, token = _allowed(hub, matched["name"], request, pushes=pushes)
    except Refused as refused:
        reply = refusal(refused)
        headers = {**reply.headers, "www-authenticate": 'Basic realm="GitHub"'}
        return _noted(hub, request, Reply(refused.status, headers, refused.body["message"].encode()))
    if what == "git-receive-pack":
        assert token
        with hub.lock:
            reply = _receive(hub, repo, request, body=body, token=token)
    else:
        reply = _backend(repo, request, what, body=body)
    fault = hub.faults.find(request.method, request.path, after=True)
    return _noted(hub, request, struck(fault) if fault else reply, by=token.account.login if token else "-")


def _noted(hub: Hub, request: Request, reply: Reply, *, by: str = "-") -> Reply:
    route = f"GIT {request.path.rsplit('/', 1)[-1]}"
    hub.journal.asked.append(Asked(route, request.path, reply.status, by))
    return reply


def _allowed(hub: Hub, name: str, request: Request, *, pushes: bool) -> tuple[Project, Token | None]:
    repo, secret = hub.find(name), secret_of(request.headers.get("authorization"))
    if secret is None:
        if pushes or repo is None or repo.private:
            raise Refused(401, "Authentication required.")
        return repo, None
    try:
        token = token_of(hub, secret)
    except Refused as refused:
        raise Refused(refused.status, "Invalid username or token.") from refused
    if repo is None:
        raise Refused(404, "Repository not found.")
    if token.installation:
        held = token.repositories if token.repositories is not None else token.installation.repositories
        level = dict(token.permissions).get("contents", "") if repo.id in held else ""
        if not level and (repo.private or repo.id not in held):
            raise Refused(404, "Repository not found.")
        may = level == "write"
    else:
        if not repo.allows(token.account, "read"):
            raise Refused(404, "Repository not found.")
        may = repo.allows(token.account, "write")
    if pushes and not may:
        raise Refused(403, "Write access to repository not granted.")
    return repo, token


def _receive(hub: Hub, repo: Project, request: Request, *, body: BinaryIO, token: Token) -> Reply:
    hook = repo.git.path / "hooks" / "update"
    if not hook.exists():
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(_HOOK)
        hook.chmod(0o755)
    hub.remember(repo)
    with tempfile.TemporaryDirectory() as folder:
        refused, said = Path(folder, "refused"), Path(folder, "said")
        refused.write_text("".join(f"{ref}\t{why}\n" for ref, why in _refused(repo, request, body).items()))
        said.touch()
        workflows = token.installation is None or dict(token.permissions).get("workflows") == "write"
        env = {
            "FAKEHUB_REFUSED": str(refused),
            "FAKEHUB_SAID": str(said),
            "FAKEHUB_WORKFLOWS": "yes" if workflows else "no",
        }
        reply = _backend(repo, request, "git-receive-pack", body=body, env=env)
        reasons = dict(line.split("\t", 1) for line in said.read_text().splitlines())
    app = token.installation.app if token.installation else None
    refs_changed(repo, by=Actor(token.account, app))
    return Reply(reply.status, reply.headers, _worded(reply.body, reasons))


def _refused(repo: Project, request: Request, body: BinaryIO) -> dict[str, str]:
    """Refs that this push may not touch, known without the objects."""
    found: dict[str, str] = {}
    for old, new, ref in _commands(body):
        branch = ref.removeprefix("refs/heads/")
        rules = repo.rules_of(branch) if branch != ref else []
        reason = repo.hub.faults.refused_push(f"{request.path}:{ref}")
        if not reason and rules and (new == ZERO or old == ZERO or not _may_move(repo, new, branch)):
            reason = "protected branch hook declined"
        if reason:
            found[ref] = reason
    return found


def _may_move(repo: Project, new: str, branch: str) -> bool:
    """A protected branch takes a push only where nothing but strictness or history is asked."""
    return all(
        not (rule.queue or rule.approvals) and _passed(repo, new, rule.checks)
        for rule in repo.rules_of(branch)
    )


def _passed(repo: Project, sha: str, checks: tuple[tuple[str, int | None], ...]) -> bool:
    return all(check_passes(repo, sha, context=context, app=app) for context, app in checks)


def _commands(body: BinaryIO) -> list[tuple[str, str, str]]:
    """Old, new and ref of each update, from the request's first packet lines."""
    found = []
    while True:
        size = int(body.read(4) or b"0000", 16)
        if size == 0:
            break
        line = body.read(size - 4).split(b"\0")[0].decode().strip()
        if not line.startswith(("shallow ", "push-cert")):
            old, new, ref = line.split(" ", 2)
            found.append((old, new, ref))
    body.seek(0)
    return found


def _backend(
    repo: Project, request: Request, what: str, *, body: BinaryIO, env: dict[str, str] | None = None
) -> Reply:
    """`git http-backend`, whose answer is headers, an empty line and a body."""
    variables = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PROJECT_ROOT": str(repo.git.path),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{what}",
        "REMOTE_USER": "fakehub",
        "REMOTE_ADDR": "127.0.0.1",
        "REQUEST_METHOD": request.method,
        "QUERY_STRING": "&".join(f"{key}={value}" for key, value in request.query.items()),
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("content-encoding", ""),
        "GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        "HTTP_GIT_PROTOCOL": request.headers.get("git-protocol", ""),
        **(env or {}),
    }
    os.lseek(body.fileno(), 0, os.SEEK_SET)
    done = subprocess.run([_program()], stdin=body, capture_output=True, env=variables, check=False)
    if done.returncode:
        return Reply(500, {}, shlex.quote(done.stderr.decode()).encode())
    head, _, rest = done.stdout.partition(b"\r\n\r\n")
    headers = {k.lower(): v.strip() for k, v in (e.split(":", 1) for e in head.decode().split("\r\n"))}
    status = int(headers.pop("status", "200").split()[0])
    return Reply(status, headers, rest)


@cache
def _program() -> str:
    """Where git keeps it: called as `git http-backend` it is one process more."""
    found = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True)
    return str(Path(found.stdout.strip(), "git-http-backend"))


def _worded(body: bytes, reasons: dict[str, str]) -> bytes:
    """The report with the host's own reasons in place of `hook declined`."""
    for ref, reason in reasons.items():
        body = _replace(body, f"ng {ref} hook declined\n".encode(), f"ng {ref} {reason}\n".encode())
    return body


def _replace(body: bytes, old: bytes, new: bytes) -> bytes:
    """In packet lines, which name their own length, also within a side band's packet."""
    made, rest = b"", body
    while len(rest) >= 4:
        size = int(rest[:4], 16)
        line, rest = (rest[4:size], rest[size:]) if size else (b"", rest[4:])
        if not size:
            made += b"0000"
            continue
        if line[:1] == b"\x01" and old in line:
            line = b"\x01" + _replace(line[1:], old, new)
        elif line == old:
            line = new
        made += f"{len(line) + 4:04x}".encode() + line
    return made + rest
