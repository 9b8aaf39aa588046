"""What people are answered, and what the App says by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from app.board import Task
from app.ports import HoldPlaced, Patch
from app.texts import (
    COMMANDS,
    Command,
    Mistake,
    Place,
    accepted_reply,
    closing_summary,
    edited_after_label_reply,
    fits,
    help_reply,
    joined_replies,
    label_removed_note,
    left_behind_note,
    logs_reply,
    mistake_reply,
    no_permission_reply,
    not_split_reply,
    nothing_here_reply,
    parse,
    patch_text,
    pull_closed_note,
    refused_reply,
    release_needed_text,
    request_refused_reply,
    settings_note,
    settings_reply,
    status_reply,
    stranger_label_reply,
    unchanged_reply,
    voided_note,
)
from app.texts.replies import REPLY
from tests.texts.samples import MERGED, convoy, published, running, session, task, view, wrapped
from tests.texts.test_markdown import HOSTILE, shown

WORKFLOW = ".github/workflows/ci.yml"


def wrong(body: str) -> Mistake:
    (found,) = parse(body)
    assert isinstance(found, Mistake)
    return found


def test_command_is_answered_with_what_was_understood() -> None:
    answers = [
        accepted_reply(Command("retry", (3,), "codex"), by="ada"),
        accepted_reply(Command("answer", text="RS256\nfixes #9"), by="ada"),
        unchanged_reply(Command("pause"), "use-jwt is paused already"),
        refused_reply(Command("retry", (3,)), "task 3 is running", "/brat status"),
        refused_reply(Command("replan", text="x"), "tasks 1, 2 have begun: the plan stands", "drop one"),
        nothing_here_reply(Command("pause"), "brat"),
        no_permission_reply("eve"),
    ]
    assert wrapped("\n\n".join(answers)) == snapshot("""\
`/brat retry 3 codex` by ada: a fresh set of attempts.

`/brat answer` by ada: noted; it goes into the next plan and prompts.

> RS256
> fixes # 9

`/brat pause`: nothing to do, use-jwt is paused already.

`/brat retry 3`: this cannot be done now: task 3 is running. → `/brat status`

`/brat replan`: this cannot be done now: tasks 1, 2 have begun: the plan stands. Drop one.

`/brat pause`: brat does nothing in this issue yet. `/brat plan` or the label `brat` starts it.

Thank you, eve. Commands count from people who may write to this repository, so nothing was
done. Somebody who may can give the same command in a comment of their own.\
""")


def test_mistake_is_answered_with_the_nearest_right_one() -> None:
    answers = [mistake_reply(wrong(body)) for body in ("/brat aprove", "/brat drop", "/brat retry 3 claude")]
    assert wrapped("\n".join(answers)) == snapshot("""\
`/brat aprove`: there is no command aprove. Did you mean `approve`? Expected: `/brat approve
[n]`. Nothing was done for this line.
`/brat drop`: it needs the number of a task. Expected: `/brat drop n`. Nothing was done for this
line.
`/brat retry 3 claude`: claude is not an engine (claude-code, codex, aider, shell). Did you mean
`claude-code`? Expected: `/brat retry [n] [engine]`. Nothing was done for this line.\
""")


def test_every_command_that_does_something_has_its_sentence() -> None:
    showing = {"help", "status", "logs"}
    for row in COMMANDS:
        reply = accepted_reply(Command(row.name), by="ada")
        assert (": done." in reply) is (row.name in showing)


def test_status_is_short_enough_for_the_log() -> None:
    assert "<!--" not in status_reply(running())
    many = view(convoy(*(task(number, title="word " * 20) for number in range(1, 200))))
    assert fits(status_reply(many), REPLY)
    assert "0 of 199 tasks merged" in status_reply(many)


def test_help_begins_with_what_makes_sense_now() -> None:
    text = help_reply(Place.ISSUE, running())
    assert text.startswith(
        "<details open><summary>How to take part</summary>\n\n- `/brat retry [n] [engine]`"
    )
    assert fits(text, REPLY)
    assert fits(help_reply(Place.PULL), REPLY)


def test_logs_are_folded_and_bounded() -> None:
    assert wrapped(logs_reply(task(3), session="s-3-1", tail="one\n```\n</details>\n")) == snapshot("""\
Task 3, session `s-3-1`:

<details><summary>The last 3 lines</summary>

````text
one
```
</details>
````

</details>\
""")
    assert fits(logs_reply(task(3), session="s-3-1", tail="x" * 90_000), REPLY)
    assert logs_reply(task(3), session="", tail="", why="it has not begun") == (
        "Task 3: there is no output to show: it has not begun."
    )


def test_several_answers_become_one_and_none_is_lost_in_silence() -> None:
    assert joined_replies(["a", "", "b"]) == "a\n\nb"
    joined = joined_replies(["x" * 1_500] * 5)
    assert fits(joined, REPLY)
    assert joined.endswith("… 3 answers more would not fit; ask one by one.")


def test_notices() -> None:
    notices = [
        stranger_label_reply("eve", "brat"),
        edited_after_label_reply("body", "brat"),
        label_removed_note("brat", "ada"),
        pull_closed_note(12, "ada", 3),
        voided_note("the issue's body changed."),
    ]
    assert wrapped("\n\n".join(notices)) == snapshot("""\
Thank you, eve. The label `brat` starts work only when somebody who may write to this repository
adds it, so nothing was started. A maintainer can remove it and add it again, or comment `/brat
plan`.

The body of this issue changed after it was labelled, so nothing was started: what was asked for
may not be what stands here now. Please read it once more, then remove the label `brat` and add
it again, or comment `/brat plan`.

The label `brat` was removed by ada: paused. Sessions that run go on to their end; nothing new
starts or lands. `/brat resume` goes on, `/brat cancel` ends it.

ada closed #12 without merging it: task 3 waits. `/brat retry 3` makes another attempt, `/brat
drop 3` goes on without it.

The approval does not hold any more: the issue's body changed. Nothing new starts. `/brat
approve` approves it as it stands now, `/brat replan <text>` makes another plan.\
""")


def held(number: int, reason: str, *paths: str) -> Task:
    return task(number, hold=HoldPlaced("i", "s", "c" * 40, reason, paths))


def test_t18_release_names_workflow_secret_and_commit() -> None:
    why = f"its push would run workflows with more rights: {WORKFLOW}: secrets.NPM_TOKEN (on push)"
    assert wrapped(release_needed_text(held(3, why, WORKFLOW))) == snapshot("""\
✋ **Task 3** (Do thing 3) is done and not pushed yet: its push would run workflows with more
rights: .github/workflows/ci.yml: secrets.NPM\\_TOKEN (on push).

- `.github/workflows/ci.yml`

Somebody who may write: `/brat release 3` lets commit `cccccccccccc` go on, and no other.
`[refinery] agent_ci = "allow"` says that they always may.

What it changes cannot be shown in a comment. The operator can show it: in
`$BRAT_DATA_DIR/repos/NUMBER/repo.git/brat/mirror.git`.\
""")


def test_who_releases_reads_what_changes_with_what_hides_in_it() -> None:
    diff = "diff --git a/auth.py\n+admin = True  # \u202eeurt fi\n```\n"
    text = release_needed_text(held(3, "touches protected paths: auth.py", "auth.py"), diff)
    assert wrapped(text.partition("no other.")[2]) == snapshot("""\


⚠️ It holds characters that cannot be seen; they are left out below.

<details><summary>What it changes</summary>

````diff
diff --git a/auth.py
+admin = True  # eurt fi
```
````

</details>\
""")
    plain = release_needed_text(held(3, "touches protected paths: auth.py"), "+x\r\n")
    assert "cannot be seen" not in plain
    long = release_needed_text(held(3, "touches protected paths: auth.py"), "+x\n" * 40_000)
    assert "cannot be shown in a comment. The operator can show it" in long
    assert "+x" not in long
    assert fits(long)


def test_patch_is_handed_over_whole_or_not_at_all() -> None:
    patch = Patch((WORKFLOW,), "diff --git a/ci.yml\n```\n+x\n", there=False)
    assert wrapped(patch_text(task(3), patch, base="main")) == snapshot("""\
✋ **Task 3** (Do thing 3) is done and not pushed yet: it changes workflow files, which this App
may not push.

- `.github/workflows/ci.yml`

1. Read what it changes. To take it: save the patch below as `workflows.patch`, run `git apply
--index workflows.patch` on `main`, commit and push.
2. Comment `/brat release 3`: the rest of the work is pushed on top of that.

To go on without: `/brat drop 3`.

<details><summary>workflows.patch</summary>

````diff
diff --git a/ci.yml
```
+x
````

</details>\
""")
    long = patch_text(task(3), replace(patch, text="+x\n" * 40_000), base="main")
    assert "too long for a comment" in long
    assert "```" not in long


def test_summary_at_the_end_names_what_landed() -> None:
    done = convoy(task(1, MERGED, work=published(1), sessions=(session(1, usd=0.42),)), task(2, MERGED))
    assert wrapped(closing_summary(view(done))) == snapshot("""\
✅ **Done**: 2 tasks landed on `main`.

| # | Task | Landed |
|--:|---|---|
| 1 | Do thing 1 | [#11](https://github.com/acme/shop/pull/11) merged |
| 2 | Do thing 2 | merged |

1 session, 0.42 USD. The whole story is in the log: `brat convoy show use-jwt`.\
""")
    assert fits(closing_summary(view(convoy(*(task(n, MERGED, title="<" * 200) for n in range(1, 400))))))


@pytest.mark.parametrize("text", HOSTILE)
def test_t23_hostile_words_act_in_no_answer(text: str) -> None:
    hostile = task(1, MERGED, title=text)
    answers = [
        accepted_reply(Command("answer", text=text), by=text, said=text),
        unchanged_reply(Command("engine", word=text), text),
        refused_reply(Command("pause"), text, text),
        request_refused_reply(text, text, place=text),
        not_split_reply(1, text),
        nothing_here_reply(Command("plan"), text),
        no_permission_reply(text),
        settings_reply(text),
        edited_after_label_reply(text, text),
        label_removed_note(text, text),
        voided_note(text),
        logs_reply(hostile, session=text, tail=text),
        logs_reply(hostile, session="", tail="", why=text),
        mistake_reply(Mistake(text, text, text, text)),
        stranger_label_reply(text, text),
        release_needed_text(held(1, text, text)),
        patch_text(hostile, Patch((text,), "", there=False), base=text),
        left_behind_note(convoy(hostile, reason=text), None),
        pull_closed_note(1, text),
        closing_summary(view(convoy(hostile))),
    ]
    for answer in answers:
        assert shown(answer)[0] <= {"text", "softbreak", "strong_open", "strong_close", "code_inline"}


def test_settings_that_cannot_be_used_are_said_with_their_line() -> None:
    problem = ".brat/config.toml:6:1: `refinery.stratgy`: unknown key\n  → did you mean `strategy`?"
    assert settings_reply(problem) == snapshot(
        """\
Nothing was started, as the repository's settings on its base branch cannot be used:

```
.brat/config.toml:6:1: `refinery.stratgy`: unknown key
  → did you mean `strategy`?
```

Once that is mended there, comment `/brat plan`.\
"""
    )
    assert settings_note(problem) == snapshot(
        "The settings on the base branch cannot be used, so those before them count:"
        " .brat/config.toml:6:1: `refinery.stratgy`: unknown key"
    )
