"""Write globs: which files a task may touch, and whether two tasks may touch the same one.

A glob reads as in a `.gitignore` (https://git-scm.com/docs/gitignore#_pattern_format): `*`, `?` and `[a-z]`
stay inside one folder name, `**` spans folders, a glob that names a folder covers all in it, `*.md` counts
at any depth. One difference: a plain name (`README.md`) means the file at the top and not one of that name
anywhere, since that is what people and engines mean, and since tasks would wait for each other without
need. Not taken: negation, backslashes, braces, absolute paths, `..`, `.git`; `glob_problem` says so in
words.

The decision is exact: each glob is a small automaton over folder names, and the two meet or they do not.

    >>> overlap("docs/**", "docs/api.md"), overlap("src/*.py", "src/**/test_*.py"), overlap("src/*", "lib/*")
    (True, True, False)
    >>> matches(("docs/**", "README.md"), "docs/api/index.md"), matches(("README.md",), "docs/README.md")
    (True, False)
"""

from app.globs.match import glob_problem, matches, overlap

__all__ = ["glob_problem", "matches", "overlap"]
