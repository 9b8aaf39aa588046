"""The inputs of a workflow template: which values a run has, and where they go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from app.errors import PlanError
from app.mayor.nearest import did_you_mean, misspelt
from app.mayor.workflow_model import Input
from app.values import dataclass

__all__ = ["Filling", "fill_in"]

# `${{ secrets.X }}` belongs to GitHub's workflows, not to us.
SLOT = re.compile(r"(?<!\$)\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}")


@dataclass(frozen=True, slots=True)
class Filling:
    """Values by name; `problems` and `left` grow while texts are filled."""

    values: Mapping[str, str]
    problems: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def text(self, text: str, owner: str) -> str:
        """`text` with each `{{name}}` replaced, once: a value that holds `{{other}}` stays as it is.

        A name that is no input stays too, with a note, since texts may speak of other templates; one that is
        a slip away from an input is a problem.
        """

        def put(found: re.Match[str]) -> str:
            name = found[1]
            if name in self.values:
                return self.values[name]
            if near := misspelt(name, self.values):
                self.problems.append(
                    f"step {owner}: {{{{{name}}}}} is no input; did you mean {{{{{near}}}}}?"
                )
            else:
                self.left.append(f"{{{{{name}}}}} in step {owner} is no input and stays as written")
            return found[0]

        return SLOT.sub(put, text)


def fill_in(declared: Mapping[str, Input], given: Mapping[str, str], *, place: str) -> Filling:
    """The values of one run: given, else the default, else empty.

    Raises PlanError for a missing or unknown one.
    """
    names = ", ".join(declared) or "none"
    problems = [
        f"there is no input {name!r}{did_you_mean(name, declared)} (allowed: {names})"
        for name in given
        if name not in declared
    ]
    problems += [
        f"the input {name!r} is required{f' ({each.description})' if each.description else ''}"
        for name, each in declared.items()
        if each.required and each.default is None and name not in given
    ]
    if problems:
        raise PlanError(*problems, place=place, remedy="give inputs as `--input name=value`")
    return Filling({name: given.get(name, each.default or "") for name, each in declared.items()})
