"""CODEOWNERS, with the examples of GitHub's page."""

from __future__ import annotations

import pytest

from app.policy import codeowners

PAGE = """\
# a comment
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs-one
docs/* @docs-two
apps/ @octocat
/docs/ @doctocat
**/logs @logger
/apps/github @github-app
/apps/nobody
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("global-owner1", "global-owner2")),
        ("src/deep/a.js", ("js-owner",)),
        ("main.go", ()),
        ("a/b.txt", ("@octo-org/octocats",)),
        ("build/logs/x", ("logger",)),
        ("deeply/nested/logs/x", ("logger",)),
        ("docs/getting-started.md", ("doctocat",)),
        ("docs/a/b.md", ("doctocat",)),
        ("x/apps/y/z.md", ("octocat",)),
        ("apps", ("global-owner1", "global-owner2")),
        ("apps/github", ("github-app",)),
        ("apps/github/x.js", ("github-app",)),
        ("apps/githubber", ("octocat",)),
        ("apps/nobody", ()),
    ],
)
def test_the_last_line_that_fits_names_the_owners(path: str, owners: tuple[str, ...]) -> None:
    assert codeowners(PAGE, [path]) == owners


def test_a_star_after_a_folder_covers_its_files_and_not_what_is_deeper() -> None:
    text = "docs/* @docs\n"
    assert codeowners(text, ["docs/a.md"]) == ("docs",)
    assert codeowners(text, ["docs/build-app/troubleshooting.md", "x/docs/a.md"]) == ()


def test_owners_of_all_paths_are_asked_each_once() -> None:
    text = "/a @one @two\n/b @two @org/team\n"
    assert codeowners(text, ["a", "b", "c"]) == ("one", "two", "@org/team")


@pytest.mark.parametrize("line", ["!a @one", "[ab] @one", "a one", "a @one two", "a @-x"])
def test_a_line_that_github_does_not_take_is_no_line(line: str) -> None:
    assert codeowners(f"* @all\n{line}\n", ["a"]) == ("all",)


def test_spaces_in_a_path_are_escaped_and_case_counts() -> None:
    assert codeowners("/my\\ file @one\n", ["my file"]) == ("one",)
    assert codeowners("/Docs/ @one\n", ["docs/a"]) == ()


def test_a_hostile_pattern_is_not_slow() -> None:
    text = "/" + "*a" * 200 + "b @one\n" + "/" + "**/" * 50 + "b @one\n"
    assert codeowners(text, ["a" * 200, "a/" * 100 + "a"]) == ()
    assert codeowners("* @one\n" + " " * 3_200_000, ["a"]) == ()
