"""The desk: where people and convoys meet on a code host. Labels, commands, the gate, what people are told.

Pure. `decide` turns what people did into facts, each exactly once: the facts of a command and the record that
it was answered (`Answered`, by the comment's id) go into the log in one commit. Whoever may write now counts,
by account id; what could not be asked waits. A comment's commands run in order, one change of a convoy at a
time; the last one's record has the key `comment:<id>`, those before it `comment:<id>:<n>`. `tell` comes
after all rooms: the one sticky comment, replies, reactions, state labels, the end. New comments have no guard
on the code host, so an intent in the log comes first; the rest compares what is seen with what should be.

Worked example: ada, who may write, puts the label on issue 7. `decide` answers with the facts of a convoy
and `Answered("label:31")`. In the next round `tell` answers `EffectIntended("sticky:c-…")`, in the one after
it `PostComment`; the next look shows the comment, and `EffectSeen` records its number. When the plan is
there, the text differs, and `EditComment` follows. `/brat approve` then becomes `PlanApproved` with the
digest of the issue as it was seen, and an edit of the issue after it becomes `RequestVoided`.
"""

from app.desk.decide import decide
from app.desk.opening import LABEL_AWAY, Starter, approval_of, digest_of
from app.desk.places import Spot, latest_convoy, spot_of
from app.desk.showing import view_of
from app.desk.sweeping import refs_wanted
from app.desk.telling import STATES, tell
from app.desk.wanted import wanted

__all__ = [
    "LABEL_AWAY",
    "STATES",
    "Spot",
    "Starter",
    "approval_of",
    "decide",
    "digest_of",
    "latest_convoy",
    "refs_wanted",
    "spot_of",
    "tell",
    "view_of",
    "wanted",
]
