"""The one comment of an issue, as people see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.board import ConvoyStatus, TaskStatus
from app.ports import HoldPlaced, Plan, PlanRefused, Verdict, VerdictState
from app.texts import (
    fits,
    sticky,
)
from tests.texts.samples import (
    MERGED,
    NO_LIMIT,
    convoy,
    running,
    session,
    spec,
    task,
    unapproved,
    view,
    waits,
)
from tests.texts.test_markdown import FOREIGN, HOSTILE, shown

MARKER = "<!-- brat:sticky:c-20261121-a2f9 -->"


def visible_part(text: str) -> str:
    """What is read without opening anything."""
    return text.partition("<details>")[0].strip()


def test_plan_that_waits_for_approval() -> None:
    assert visible_part(sticky(unapproved())) == snapshot("""\
### brat · `use-jwt`

✋ **Waiting for approval** · 3 tasks planned

- ✋ the plan of 3 tasks waits for approval (\\[mayor\\] approval is required) → a maintainer: `/brat approve`

> Tokens instead of sessions.

**The Mayor asks** (`/brat answer <text>`)

1. Which algorithm: RS256 or ES256?

**The plan takes for granted**

1. Sessions may end with the release.

| # | Task | State |
|--:|---|---|
| 1 | Sign and verify tokens | ⚪ planned |
| 2 | Log in with a token | ⚪ planned |
| 3 | Describe it | ⚪ planned |

```mermaid
graph TD
  t1["1: Sign and verify tokens"]:::wait
  t2["2: Log in with a token"]:::wait
  t3["3: Describe it"]:::wait
  t1 --> t2
  t1 --> t3
  t2 --> t3
  classDef wait fill:#f6f8fa,stroke:#818b98,color:#1f2328
```

**Budget**: 0.00 of 10.00 USD spent\
""")


def test_convoy_at_work() -> None:
    assert visible_part(sticky(running())) == snapshot("""\
### brat · `use-jwt`

🔵 **Working** · 1 of 6 tasks merged · 1 in review · 1 blocked · 1 running · 2 queued

- ✋ **Task 3**: 3 attempts failed: acceptance-failed → a maintainer: `/brat retry 3`

| # | Task | State |
|--:|---|---|
| 1 | Sign and verify tokens | ✅ merged [#11](https://github.com/acme/shop/pull/11) |
| 2 | Do thing 2 | 🔵 in review [#12](https://github.com/acme/shop/pull/12) |
| 3 | Migrate \\`users\\` | ✋ blocked |
| 4 | Do thing 4 | 🔵 running |
| 5 | Describe it | ⏳ queued |
| 6 | Do thing 6 | ⏳ queued |

```mermaid
graph TD
  t1["1: Sign and verify tokens"]:::done
  t2["2: Do thing 2"]:::work
  t3["3: Migrate #96;users#96;"]:::stop
  t4["4: Do thing 4"]:::work
  t5["5: Describe it"]:::wait
  t6["6: Do thing 6"]:::wait
  t1 --> t2
  t2 --> t5
  t3 --> t5
  t5 --> t6
  classDef done fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  classDef work fill:#ddf4ff,stroke:#0969da,color:#1f2328
  classDef stop fill:#ffebe9,stroke:#cf222e,color:#1f2328
  classDef wait fill:#f6f8fa,stroke:#818b98,color:#1f2328
```

- ⏳ **Task 2**: 1 of 2 required checks passed: \\`unit\\` is pending
- ⏳ **Task 5**: waits for task 2, which is needs-review
- ⏳ **Task 6**: waits for task 5, which is queued

**Budget**: 0.62 of 10.00 USD spent, 1.50 reserved for running sessions (1 session did not tell its cost)\
""")


def test_folded_parts_tell_how_to_take_part_and_every_detail() -> None:
    text = sticky(view(convoy(task(1, depends_on=(), sessions=(session(1, usd=0.42),)))))
    assert text[text.index("<details>") :] == snapshot("""\
<details><summary>How to take part</summary>

- `/brat hold [n]`: Keep tasks from starting and landing; without a number, every open one.
- `/brat drop n`: Go on without a task; what depends on it may start.
- `/brat logs [n]`: The last lines of a task's newest session; without a number, of the newest of all.
- `/brat pause`: Start and land nothing new; sessions that run go on to their end.
- `/brat cancel`: End it all: sessions are stopped, what has landed stays.
- `/brat help`: all commands.

Commands count from people who may write here, in a new comment, at the start of a line.

</details>

<details><summary>What each task does, and how it is judged</summary>

> Tokens instead of sessions.

Lands on `main` (squash). Plan `ffffffffffff`, approved by ada.

**1. Do thing 1**

> Change thing 1.

Done when:

- Thing 1 works
- `pytest tests/test_1.py` exits 0

May write: `src/1/**`

</details>

<details><summary>Engines, branches and cost</summary>

- **1** codex, 1 attempt, 0.42 USD
  `convoy/use-jwt/task-1`

</details>

<!-- brat:sticky:c-20261121-a2f9 -->\
""")


def test_convoy_that_is_planned() -> None:
    planning = convoy(plan=Plan("", ()), approved_by=None)
    doing = Verdict("convoy", "planning", VerdictState.WORKING, "codex reads the code and writes the plan")
    refused = PlanRefused("convoy", "s-0", ("task b depends on a, which is not there",))
    assert sticky(view(replace(planning, plan=None, refusals=(refused,)), doing)) == snapshot("""\
### brat · `use-jwt`

📝 **Planning** · codex reads the code and writes the plan

> 1 plan was refused, the last for: task b depends on a, which is not there

**Budget**: 0.00 of 10.00 USD spent

<details><summary>How to take part</summary>

- `/brat pause`: Start and land nothing new; sessions that run go on to their end.
- `/brat cancel`: End it all: sessions are stopped, what has landed stays.
- `/brat help`: all commands.

Commands count from people who may write here, in a new comment, at the start of a line.

</details>

<!-- brat:sticky:c-20261121-a2f9 -->\
""")


def test_convoy_that_is_done() -> None:
    done = convoy(task(1, MERGED), task(2, TaskStatus.DROPPED), status=ConvoyStatus.COMPLETE)
    assert visible_part(sticky(view(done))) == snapshot("""\
### brat · `use-jwt`

✅ **Done**, landed on `main` · 1 of 2 tasks merged · 1 dropped

| # | Task | State |
|--:|---|---|
| 1 | Do thing 1 | ✅ merged |
| 2 | Do thing 2 | ⚫ dropped |\
""")


@pytest.mark.parametrize(
    ("change", "headline"),
    [
        ({"status": ConvoyStatus.PAUSED}, "⏸️ **Paused**"),
        ({"status": ConvoyStatus.FAILED, "reason": "cancelled by ada"}, "⛔ **Ended**: cancelled by ada"),
        ({"voided": "the issue's body changed"}, "✋ **The approval does not hold any more**"),
    ],
)
def test_headline_tells_the_state_in_one_line(change: dict[str, object], headline: str) -> None:
    text = sticky(view(convoy(task(1), **change)))  # type: ignore[arg-type]
    assert text.splitlines()[2].startswith(headline)


def test_equal_views_give_equal_bytes_and_the_marker_is_last() -> None:
    assert sticky(running()) == sticky(running())
    assert sticky(running()).splitlines()[-1] == MARKER


def test_tasks_that_wait_for_the_same_share_a_line() -> None:
    told = [waits(f"issue-{number}", "4 of 4 sessions run ([swarm] max_polecats)") for number in (1, 2, 3)]
    text = sticky(view(convoy(task(1), task(2), task(3)), *told))
    assert text.count("4 of 4 sessions run") == 1
    assert "**Tasks 1, 2, 3**" in text


def test_reason_of_the_whole_convoy_is_said_once() -> None:
    paused = [
        waits(issue, "the convoy is paused", "brat convoy resume use-jwt", person=True)
        for issue in ("convoy", "issue-1", "issue-2")
    ]
    text = sticky(view(convoy(task(1), task(2), status=ConvoyStatus.PAUSED), *paused))
    assert text.count("the convoy is paused") == 1


def test_held_and_blocked_tasks_have_a_command_without_any_verdict() -> None:
    held = task(1, hold=HoldPlaced("issue-1", "s", "b" * 40, "touches .github/workflows/ci.yml"))
    assert "→ a maintainer: `/brat release 1`" in sticky(view(convoy(held)))


def test_budget_tells_what_is_spent_reserved_and_unknown() -> None:
    assert "**Budget**: 0.00 USD spent, no limit is set" in sticky(view(convoy(task(1)), config=NO_LIMIT))
    assert "(1 session did not tell its cost)" in sticky(running())


@pytest.mark.parametrize("text", HOSTILE)
def test_t23_hostile_titles_and_reasons_change_nothing_around_them(text: str) -> None:
    plan = Plan(text, (spec(1, text, instructions=text, criteria=(text,)),), (text,), (text,), notes=(text,))
    shot = convoy(task(1, title=text), plan=plan, title=text, approved_by=None)
    body = sticky(view(shot, waits("issue-1", text, person=True), notes=(text,)))
    assert body.count("<!-- brat:") == 1
    assert body.count("<details>") == body.count("</details>") == 3
    kinds, _ = shown(body.replace(MARKER, ""))
    assert kinds <= {"text", "softbreak", "strong_open", "strong_close", "code_inline"}


@pytest.mark.parametrize("count", [13, 80, 300, 500])
def test_very_long_plan_is_folded_and_what_is_left_out_is_said(count: int) -> None:
    tasks = [
        task(
            number,
            spec=spec(number, "Title " * 15, instructions="Do it well. " * 80),
            depends_on=(1,) * (number > 1),
        )
        for number in range(1, count + 1)
    ]
    text = sticky(view(convoy(*tasks)))
    assert fits(text, 65_536)
    assert f"<summary>The {count} tasks</summary>" in text
    assert f"| {count} | Title" in text
    assert ("left out here" in text) is (count > 50)
    assert "`brat convoy show use-jwt`" in text or count == 13


@settings(max_examples=25)
@given(st.lists(FOREIGN.map(lambda text: text * 40), min_size=1, max_size=120), FOREIGN)
def test_no_plan_is_too_long_for_a_comment(titles: list[str], question: str) -> None:
    tasks = [task(number, title=title) for number, title in enumerate(titles, 1)]
    plan = Plan(question, tuple(each.spec for each in tasks), titles_of(titles), titles_of(titles))
    told = [waits(each.issue, each.title, person=each.number % 2 == 0) for each in tasks]
    text = sticky(view(convoy(*tasks, plan=plan), *told))
    assert fits(text, 65_536)
    assert text.endswith(MARKER)


def titles_of(titles: list[str]) -> tuple[str, ...]:
    return tuple(title * 10 for title in titles)
