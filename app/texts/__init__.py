"""What people read on a code host, and how what they write there is read. Pure.

Each text is made of board values alone, so that the same state is the same bytes and nothing is edited while
nothing changes. Whatever came from outside is defused before it stands in a text: it mentions nobody, closes
nothing, and can neither end a block nor begin one.

Worked example: `parse("/brat retry 3 codex")` is one `Command`, whose row in `COMMANDS` names its arguments,
its meaning and its twin on the command line; `sticky(sticky_view(convoy, verdicts, …))` is the one comment
that an issue has, and `check_text(verdict)` the check run on a pull request's head.
"""

from app.texts.check_text import (
    CheckText,
    check_text,
    verdict_lines,
)
from app.texts.commands import (
    Command,
    Mistake,
    parse,
    read_comment,
)
from app.texts.graph import (
    mermaid,
    too_large,
)
from app.texts.manual import (
    commands_page,
    help_text,
)
from app.texts.markdown import (
    block,
    code,
    fits,
    folded,
    inline,
    length,
    link,
    marked,
    quoted,
    short,
)
from app.texts.notices import (
    closing_summary,
    edited_after_label_reply,
    label_removed_note,
    left_behind_note,
    merged_early_note,
    patch_text,
    pull_closed_note,
    release_needed_text,
    settings_note,
    settings_reply,
    stranger_label_reply,
    voided_note,
)
from app.texts.pull_text import (
    PullView,
    convoy_pull_body,
    convoy_pull_title,
    merge_message,
    pull_body,
    pull_title,
    pull_view,
    sealed,
    unchanged_since,
)
from app.texts.replies import (
    accepted_reply,
    branch_left_note,
    help_reply,
    joined_replies,
    log_set_back_note,
    logs_reply,
    mistake_reply,
    no_permission_reply,
    not_split_reply,
    nothing_here_reply,
    refused_reply,
    request_refused_reply,
    status_reply,
    unchanged_reply,
)
from app.texts.sticky import (
    status_text,
    sticky,
)
from app.texts.table import (
    COMMANDS,
    PRIORITIES,
    Place,
)
from app.texts.twins import as_comment
from app.texts.view import (
    StickyView,
    sticky_view,
)

__all__ = [
    "COMMANDS",
    "PRIORITIES",
    "CheckText",
    "Command",
    "Mistake",
    "Place",
    "PullView",
    "StickyView",
    "accepted_reply",
    "as_comment",
    "block",
    "branch_left_note",
    "check_text",
    "closing_summary",
    "code",
    "commands_page",
    "convoy_pull_body",
    "convoy_pull_title",
    "edited_after_label_reply",
    "fits",
    "folded",
    "help_reply",
    "help_text",
    "inline",
    "joined_replies",
    "label_removed_note",
    "left_behind_note",
    "length",
    "link",
    "log_set_back_note",
    "logs_reply",
    "marked",
    "merge_message",
    "merged_early_note",
    "mermaid",
    "mistake_reply",
    "no_permission_reply",
    "not_split_reply",
    "nothing_here_reply",
    "parse",
    "patch_text",
    "pull_body",
    "pull_closed_note",
    "pull_title",
    "pull_view",
    "quoted",
    "read_comment",
    "refused_reply",
    "release_needed_text",
    "request_refused_reply",
    "sealed",
    "settings_note",
    "settings_reply",
    "short",
    "status_reply",
    "status_text",
    "sticky",
    "sticky_view",
    "stranger_label_reply",
    "too_large",
    "unchanged_reply",
    "unchanged_since",
    "verdict_lines",
    "voided_note",
]
