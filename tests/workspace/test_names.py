"""Rules for names and links, against the file system itself."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.workspace.names import bad_link, bad_mode, bad_name, case_twins


@pytest.mark.parametrize(
    "path",
    [
        b"a/.git/x",
        b"a/.GIT",
        b"git~1",
        b"x\\.git",
        b"a\\..\\b",
        ".g\u200dit".encode(),
        b".git:stream",
        b".git. .",
    ],
)
def test_t8_names_that_reach_gits_folder(path: bytes) -> None:
    assert bad_name(path) is not None


@pytest.mark.parametrize(
    "path", [b"", b"/x", b"a//b", b"./a", b"a/..", b"a\nb", b"\x7f", b"\xff", b"x" * 1025]
)
def test_t8_names_that_are_no_path(path: bytes) -> None:
    assert bad_name(path) is not None


@pytest.mark.parametrize(
    "path", [b".gitignore", b".github/x", b"a.git", "ü/名".encode(), b"git~2", b"..a", b"x y"]
)
def test_ordinary_names(path: bytes) -> None:
    assert bad_name(path) is None


@pytest.mark.parametrize(
    ("mode", "fine"), [("100644", True), ("120000", True), ("160000", False), ("100600", False)]
)
def test_modes(mode: str, fine: bool) -> None:
    assert (bad_mode(mode) is None) == fine


PARTS = st.lists(st.sampled_from(["..", ".", "a", "b", "up", "in"]), min_size=1, max_size=6)


@settings(max_examples=300)
@given(PARTS)
def test_t8_no_accepted_link_leaves_the_tree_even_through_other_links(parts: list[str]) -> None:
    target = "/".join(parts)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "outside/root"
        (root / "a/b").mkdir(parents=True)
        (root / "a/up").symlink_to("..")
        (root / "in").symlink_to("a/b")
        assert bad_link("a/up", b"..") is None
        assert bad_link("in", b"a/b") is None
        if bad_link("a/b/link", os.fsencode(target)) is None:
            (root / "a/b/link").symlink_to(target)
            assert (root / "a/b/link").resolve().is_relative_to(root)


def test_case_twins_of_files_and_of_folders() -> None:
    assert case_twins(["Readme"], ["Readme", "README"]) == [("Readme", "README")]
    assert case_twins(["SRC/x"], ["SRC/x", "src/y"]) == [("SRC/x", "src")]
    assert case_twins(["src/x"], ["src/x", "src/y", "README", "readme"]) == []
