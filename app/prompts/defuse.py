"""Foreign text that goes where code hosts read it: what would act there becomes plain words."""

from __future__ import annotations

import re

from app.prompts.fence import visible

__all__ = ["defused"]

REFERENCE = re.compile(r"#(?=\d)|\b(?:GH|gh)-(?=\d)|(?<=/issues/)(?=\d)|(?<=/pull/)(?=\d)")
SKIP = re.compile(
    r"\[\s*(skip|no|ci|actions)[\s_-]+(skip|ci|actions)\s*\]|\*\*\*(NO)_(CI)\*\*\*|\b(skip)-(checks)(?=\s*:)",
    re.IGNORECASE,
)
MENTION = re.compile(r"(?<![\w.+-])@(?=\w)")


def defused(text: str) -> str:
    """The text as a commit message may hold it: it closes, mentions and skips nothing. Idempotent.

    `fixes #9 [skip ci] @org` becomes `fixes # 9 (skip, ci) @ org`. What acts:
    https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
    https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs
    """
    quiet = SKIP.sub(lambda found: "({}, {})".format(*filter(None, found.groups())), visible(text))
    return MENTION.sub("@ ", REFERENCE.sub(lambda found: f"{found[0]} ", quiet))
