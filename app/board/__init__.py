"""What the log says about work: the fold from events to a `Board`, and back from facts to events.

The table of all facts is docs/events.md. Only events that `trusted` accepts decide anything; a task that
somebody else wrote down is a `Proposal`. Everything here is pure: a fold is total (whatever stands in
a log, it ends with a board and a list of problems) and does not depend on the order in which events arrived.

Worked example: `record(board, [SessionStarted(...)], now=now)` gives the drafts of a `[session]` comment and
of the change from `status:queued` to `status:running`; once they are in the log, `fold` shows the task
running with one open session, and every rule that looks at the board decides from that.
"""

from app.board.blocks import Scalar, read_block, write_json_block, write_lines_block
from app.board.board import Board, Problem, Proposal, convoy_branch, told_key
from app.board.claims import Claim, claim_on, names_in_the_way
from app.board.comments import commented, same_text, without_marker
from app.board.effects import EFFECT_MS, Effort, step
from app.board.evidence import cap, ended_fact, evidence_of, lost_fact, unbegun_fact
from app.board.fold import Projection, Trust, fold
from app.board.ids import convoy_main, derived_issue, short_id, task_branch
from app.board.ledger import SHOWN, Effect, Ledger, may_speak, talk_of
from app.board.look import Look
from app.board.model import (
    Convoy,
    ConvoyStatus,
    Merge,
    Session,
    Task,
    TaskStatus,
)
from app.board.plans import convoy_facts_of_plan
from app.board.purse import Purse, Short
from app.board.reading import fact_of
from app.board.record import record, repairs
from app.board.steering import (
    answer_questions,
    approve_plan,
    ask_to_split,
    begun,
    cancel_convoy,
    change_priority,
    change_strategy,
    comment_on,
    drop_task,
    hold_task,
    pause_convoy,
    paused_because,
    release_task,
    replan,
    resume_convoy,
    retry_task,
    split_task,
)
from app.board.views import (
    dependents,
    failures,
    finished_work,
    held_work,
    in_turn,
    last_failure,
    merge_failures,
    open_sessions,
    overlaps,
    settled,
    spent_usd,
    stuck,
)
from app.board.words import counted

__all__ = [
    "EFFECT_MS",
    "SHOWN",
    "Board",
    "Claim",
    "Convoy",
    "ConvoyStatus",
    "Effect",
    "Effort",
    "Ledger",
    "Look",
    "Merge",
    "Problem",
    "Projection",
    "Proposal",
    "Purse",
    "Scalar",
    "Session",
    "Short",
    "Task",
    "TaskStatus",
    "Trust",
    "answer_questions",
    "approve_plan",
    "ask_to_split",
    "begun",
    "cancel_convoy",
    "cap",
    "change_priority",
    "change_strategy",
    "claim_on",
    "comment_on",
    "commented",
    "convoy_branch",
    "convoy_facts_of_plan",
    "convoy_main",
    "counted",
    "dependents",
    "derived_issue",
    "drop_task",
    "ended_fact",
    "evidence_of",
    "fact_of",
    "failures",
    "finished_work",
    "fold",
    "held_work",
    "hold_task",
    "in_turn",
    "last_failure",
    "lost_fact",
    "may_speak",
    "merge_failures",
    "names_in_the_way",
    "open_sessions",
    "overlaps",
    "pause_convoy",
    "paused_because",
    "read_block",
    "record",
    "release_task",
    "repairs",
    "replan",
    "resume_convoy",
    "retry_task",
    "same_text",
    "settled",
    "short_id",
    "spent_usd",
    "split_task",
    "step",
    "stuck",
    "talk_of",
    "task_branch",
    "told_key",
    "unbegun_fact",
    "without_marker",
    "write_json_block",
    "write_lines_block",
]
