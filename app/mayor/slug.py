"""The short name of a convoy, from what was asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from itertools import count

__all__ = ["slug"]

WORDS = 4
LENGTH = 32
FALLBACK = "convoy"

STOP_WORDS = """
a about accordingly across add adding after again all also an and any are as at be been before both
but by can change code create do does each every file files folder for from function get has have
how i if implement implementing improve in into is it its just let lets library make module modules
must my need needs new now of on one only onto or our out over please project properly refactor
refactoring repo repository rewrite service should so some support system task tasks than that the
their them then there these this those to token tokens up update updating use using via want was we
what when where which will with within without write you your
"""
STOP = frozenset(STOP_WORDS.split())


def slug(title: str, taken: Collection[str] = ()) -> str:
    """At most four words and 32 characters of a-z, 0-9 and -, safe in a ref name, not in `taken`.

    From the first clause: "Refactor the auth module to use JWT tokens, update all tests" is `auth-jwt`.
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    clauses = [_words(clause) for clause in re.split(r"[,;:\n]|\.\s", plain)]
    telling = [[word for word in clause if word not in STOP and not word.isdigit()] for clause in clauses]
    words = next((each for each in (*telling, *clauses) if each), [FALLBACK])
    base = _fit(words[:WORDS], LENGTH)
    if base not in taken:
        return base
    return next(name for number in count(2) if (name := _numbered(base, number)) not in taken)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])'(?=[a-z])", "", text))


def _fit(words: list[str], length: int) -> str:
    """Whole words while they fit; a single long one is cut."""
    while len(words) > 1 and len("-".join(words)) > length:
        words = words[:-1]
    return "-".join(words)[:length].strip("-")


def _numbered(base: str, number: int) -> str:
    end = f"-{number}"
    return base[: LENGTH - len(end)].rstrip("-") + end
