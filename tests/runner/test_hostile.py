"""An agent that means harm, under bwrap: it reaches nothing of the host and runs nothing outside."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from app.ports import Finding
from tests.runner.conftest import Rig


def answer(rig: Rig, script: str) -> str:
    return rig.run(script, read_only=True).answer


def test_no_network(rig: Rig) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        said = answer(
            rig,
            f"""python -c "
import socket
for host, port in (('127.0.0.1', {port}), ('169.254.169.254', 80), ('8.8.8.8', 53)):
    try:
        socket.create_connection((host, port), 2)
        print('reached', host)
    except OSError as wrong:
        print(wrong.strerror)
print([name for _, name in socket.if_nameindex()])
" """,
        )
    assert said.splitlines() == [
        "Connection refused",
        "Network is unreachable",
        "Network is unreachable",
        "['lo']",
    ]


def test_checks_have_no_network_either(rig: Rig) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        connect = f"python -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2)\""
        assert rig.run("echo 1 > a", checks=(connect,)).finding is Finding.ACCEPTANCE


def test_checks_have_the_hosts_network_where_the_operator_says_so(rig: Rig) -> None:
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        connect = f"python -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 2)\""
        rig.operator = type(rig.operator)(network="host", read_only=rig.operator.read_only)
        assert rig.run("echo 1 > a", checks=(connect,)).finding is Finding.DONE


def test_private_files_of_the_host_are_not_there(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = rig.root.parent / "home" / ".ssh" / "id_ed25519"
    secret.parent.mkdir(parents=True)
    secret.write_text("canary")
    monkeypatch.setenv("HOME", str(rig.root.parent / "home"))
    wanted = [
        *(secret, rig.repository.checkout, rig.repository.bare, rig.root, Path.home() / ".ssh"),
        *(
            Path("/etc/shadow"),
            Path("/var/run/docker.sock"),
            Path("/run/systemd"),
            Path("/sys/fs"),
            Path("/boot"),
        ),
    ]
    said = answer(rig, "".join(f"ls -d {each} 2>/dev/null; " for each in wanted) + "echo end")
    assert said == "end"


def test_host_is_read_only(rig: Rig) -> None:
    places = "/usr/bin/x /etc/x /x /run/brat/x /run/brat/objects/0/x"
    said = answer(rig, f"for p in {places}; do touch $p 2>/dev/null && echo wrote $p; done; id -u; echo end")
    assert said == "1000\nend"


def test_processes_of_the_host_are_not_seen(rig: Rig) -> None:
    said = answer(
        rig, "ls /proc | grep -E '^[0-9]+$' | wc -l; cat /proc/*/environ | tr '\\0' '\\n'; echo end"
    )
    assert int(said.splitlines()[0]) < 10
    assert "PYTEST" not in said


def test_secrets_in_the_hosts_environment_do_not_come_in(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "SSH_AUTH_SOCK",
        "BRAT_CONFIG",
    ):
        monkeypatch.setenv(name, "canary-secret")
    said = answer(rig, "env; cat /proc/*/environ; cat /proc/*/cmdline")
    assert "canary-secret" not in said
    assert {
        line.split("=")[0] for line in said.splitlines() if line.startswith(("GITHUB", "AWS", "SSH"))
    } == set()


def test_no_way_to_more_rights(rig: Rig) -> None:
    said = answer(
        rig, "unshare -Ur true 2>/dev/null && echo nested; grep -E 'CapEff|NoNewPrivs' /proc/self/status"
    )
    assert said.split() == ["CapEff:", "0000000000000000", "NoNewPrivs:", "1"]


SETTINGS = {
    "fsmonitor": "git config core.fsmonitor '{run}'",
    "hook": "printf '#!/bin/sh\\n{run}\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    "hooks path": "mkdir h; echo '{run}' > h/pre-commit; chmod +x h/*; git config core.hooksPath h",
    "filter": "git config filter.x.clean '{run}; cat'; echo '* filter=x' > .gitattributes",
    "include": "printf '[core]\\nfsmonitor = {run}\\n' > ~/evil; git config include.path ~/evil",
    "home": "printf '[core]\\nfsmonitor = {run}\\n' > ~/.gitconfig",
    "textconv": "git config diff.x.textconv '{run}'; echo '* diff=x' > .gitattributes",
    "external diff": "git config diff.external '{run}'",
    "gpg": "git config commit.gpgSign true; git config gpg.program '{run}'",
    "ssh": "git config core.sshCommand '{run}'; git config remote.origin.promisor true",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_the_agents_repository_run_nothing_outside(rig: Rig, setting: str) -> None:
    mark = rig.root.parent / "lent" / "ran-outside"
    prepare = SETTINGS[setting].format(run=f"touch {mark}")
    result = rig.run(f"mkdir -p .git/hooks; {prepare}; echo 1 > a", checks=("true",))
    assert (result.finding, "a" in result.touched) == (Finding.DONE, True)
    assert not mark.exists()
    assert rig.repository.unbundled(rig.root / result.session / "result.bundle") == result.head


BROKEN = {
    "no repository": "rm -rf .git",
    "elsewhere": "mv .git /tmp/elsewhere; ln -s /tmp/elsewhere .git",
    "a file": "mv .git /tmp/elsewhere; echo 'gitdir: /tmp/elsewhere' > .git",
    "no index": "rm .git/index; mkdir .git/index",
    "locked": "touch .git/index.lock",
    "no objects": "rm -rf .git/objects",
    "unreadable": "chmod 000 .git",
}


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_repository_is_a_finding_with_a_reason(rig: Rig, broken: str) -> None:
    result = rig.run(f"echo 1 > a; {BROKEN[broken]}")
    assert result.finding is Finding.CRASHED
    assert result.error.startswith("the workspace cannot be read: ")
    assert not (rig.root / result.session / "result.bundle").exists()


def test_changed_alternates_do_not_lose_the_work(rig: Rig) -> None:
    result = rig.run("echo /nowhere > .git/objects/info/alternates; echo 1 > a")
    assert (result.finding, result.touched) == (Finding.DONE, ("a",))


@pytest.mark.parametrize("name", ["result.json", "result.bundle", "output.log", "spec.json"])
def test_links_to_the_host_are_not_followed(rig: Rig, name: str) -> None:
    target = rig.root.parent / "precious"
    target.write_text("precious")
    script = (
        f"for d in . .. ~ ~/.. /tmp; do ln -sfn {target} $d/{name}; ln -sfn {target.parent} $d/out; done 2>&-"
    )
    result = rig.run(f"{script}; rm -rf ~/.cache; ln -s {target.parent} ~/.cache; echo 1 > a")
    assert result.finding is Finding.DONE
    assert target.read_text() == "precious"
    assert not (rig.root / result.session / name).is_symlink()


def test_key_shaped_output_is_not_kept(rig: Rig) -> None:
    result = rig.run("echo token ghp_abcdefghijklmnopqrstuvwxyz0123; echo $PWD; exit 1")
    log = (rig.root / result.session / "output.log").read_text()
    assert "ghp_" not in log + result.tail + result.answer + result.error
    assert "<redacted>" in result.tail
