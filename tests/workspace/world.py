"""Real repositories for tests: the person's, and a workspace where work is done and bundled."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Repo", "World", "fingerprint", "in_the_folder_that_git_counts"]


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository with the few verbs that stories need."""

    path: Path

    def git(self, *args: str, stdin: bytes = b"") -> str:
        ran = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *args],
            cwd=self.path,
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert ran.returncode == 0, f"git {args}: {ran.stderr.decode()}"
        return ran.stdout.decode().strip()

    def write(self, **files: str | None) -> None:
        self.write_all(files)

    def write_all(self, files: dict[str, str | None]) -> None:
        """None deletes."""
        for name, text in files.items():
            file = self.path / name
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def commit(self, files: dict[str, str | None], message: str = "Work") -> str:
        self.write_all(files)
        self.git("add", "-A", "-f")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def at(self, ref: str) -> str | None:
        return self.git("for-each-ref", "--format=%(objectname)", ref) or None

    def tree(self, commit: str) -> str:
        return self.git("rev-parse", f"{commit}^{{tree}}")

    def blob(self, data: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", stdin=data)

    def raw_tree(self, *entries: tuple[str, bytes, str]) -> str:
        """A tree as an attacker writes it: no check of names, modes or order."""
        body = b"".join(
            f"{mode} ".encode() + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries
        )
        return self.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=body)

    def raw_commit(self, tree: str, *parents: str) -> str:
        options = [part for each in parents for part in ("-p", each)]
        return self.git("commit-tree", tree, *options, "-m", "Raw work")


@dataclass(frozen=True, slots=True)
class World:
    """The person's repository, and a clone where an agent works on `convoy/jwt/task-1`."""

    person: Repo
    agent: Repo
    bundles: Path
    state: Path

    @classmethod
    def make(cls, folder: Path) -> World:
        person = Repo(folder / "person")
        person.path.mkdir(parents=True)
        person.git("init", "--quiet", "-b", "main")
        files: dict[str, str | None] = {"README.md": "Auth\n", "src/auth.py": "a\nb\nc\nd\ne\n"}
        person.commit(files, "Start")
        agent = Repo(folder / "agent")
        person.git("clone", "--quiet", "--no-hardlinks", ".", str(agent.path))
        agent.git("checkout", "--quiet", "-b", "convoy/jwt/task-1")
        (folder / "bundles").mkdir()
        return cls(person, agent, folder / "bundles", person.path / ".git/brat")

    def bundle_path(self, session: str) -> Path:
        return self.bundles / f"{session}.bundle"

    def bundle(self, session: str, *what: str) -> None:
        told = what or ("origin/main..convoy/jwt/task-1",)
        self.agent.git("bundle", "create", "--quiet", str(self.bundle_path(session)), *told)


def fingerprint(folder: Path, *, leaving_out: tuple[str, ...] = ()) -> dict[str, str]:
    """Every file with the hash of its bytes, its mode and its link target."""
    found = {}
    for base, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if not _left_out(Path(base) / each, folder, leaving_out)]
        for name in files:
            path = Path(base) / name
            if not _left_out(path, folder, leaving_out):
                data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
                mode = path.lstat().st_mode
                found[str(path.relative_to(folder))] = f"{mode:o} {hashlib.sha256(data).hexdigest()}"
    return found


def _left_out(path: Path, folder: Path, leaving_out: tuple[str, ...]) -> bool:
    return str(path.relative_to(folder)).startswith(leaving_out) if leaving_out else False


def in_the_folder_that_git_counts(wanted: int) -> list[bytes]:
    """Contents whose objects lie in `objects/17`, by which git guesses how many there are in all."""
    words = (str(number).encode() for number in range(10_000))
    objects = ((word, hashlib.sha1(b"blob %d\0" % len(word) + word).hexdigest()) for word in words)
    return [word for word, name in objects if name.startswith("17")][:wanted]
