"""T18: what CI would put within reach of agent code, before it is pushed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.policy import ci_risk, runs_ci
from app.ports import WorkflowFile

BRANCH = "convoy/x/task-1"
JOB = "jobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n"
SAFE = "on: push\npermissions:\n  contents: read\n" + JOB
KEY = "\n      - run: deploy\n        env:\n          KEY: ${{ secrets.DEPLOY_KEY }}\n"


def risks(*texts: str, branch: str = BRANCH) -> list[str]:
    names = ("a", "b", "c")
    files = tuple(WorkflowFile(f".github/workflows/{n}.yml", t) for n, t in zip(names, texts, strict=False))
    return [f"{each.workflow[18:]}: {each.what}: {each.why}" for each in ci_risk(files, branch, "main")]


def on(events: str, *, jobs: str = JOB.rstrip("\n") + KEY) -> str:
    return f"on:\n{events}\npermissions: {{}}\n{jobs}"


def test_t18_tests_with_a_reading_token_on_githubs_machines_are_safe() -> None:
    assert risks(SAFE) == []
    for said in ("permissions: {}", "permissions: read-all", "permissions: {contents: read, id-token: none}"):
        assert risks(f"on: [push, pull_request]\n{said}\n{JOB}") == []
    token = SAFE.rstrip("\n") + "\n        env:\n          T: ${{ secrets.github_token }}\n"
    assert risks(token) == []


def test_t18_a_secret_is_named_with_its_workflow() -> None:
    assert risks(SAFE.rstrip("\n") + KEY) == snapshot(["a.yml: DEPLOY_KEY: a secret"])


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("env: {K: \"${{ secrets['SIGN KEY'] }}\"}\n", "SIGN KEY"),
        ('env: {K: "${{ toJSON( secrets ) }}"}\n', "secrets"),
        ("env: {K: \"${{ secrets[format('A{0}', 1)] }}\"}\n", "secrets"),
        ('name: "a ${{ github.sha }} ${{ SECRETS.aws }}"\n', "AWS"),
        ('"x ${{ secrets.KEYED }}": y\n', "KEYED"),
    ],
)
def test_t18_a_secret_is_found_wherever_and_however_it_is_named(where: str, what: str) -> None:
    assert [each.split(": ")[1] for each in risks(where + SAFE)] == [what]


@pytest.mark.parametrize(
    "text", ["run: detect-secrets scan", "run: echo ${{ needs.a.outputs.secrets }}", "if: vars.S"]
)
def test_words_that_are_no_secrets_alarm_nobody(text: str) -> None:
    assert risks(SAFE.rstrip("\n") + f"\n      - {text}\n") == []


def test_t18_an_unbraced_condition_may_hold_a_secret_too() -> None:
    assert len(risks(SAFE.rstrip("\n") + "\n      - if: secrets.A != ''\n        run: x\n")) == 1


@pytest.mark.parametrize(
    "said",
    [
        "",
        "permissions: write-all\n",
        "permissions: {contents: write}\n",
        "permissions: {id-token: write}\n",
        "permissions: {contents: '${{ vars.P }}'}\n",
        "permissions:\n",
        "permissions: []\n",
    ],
)
def test_t18_a_token_that_may_write_or_whose_rights_are_not_said_is_a_risk(said: str) -> None:
    assert len(risks(f"on: push\n{said}{JOB}")) == 1


def test_t18_the_permissions_of_a_job_are_what_it_has() -> None:
    job = "    permissions: {contents: %s}\n"
    assert risks("on: push\n" + JOB + job % "read") == []
    assert risks("on: push\npermissions: {}\n" + JOB + job % "write") == snapshot(
        ["a.yml: contents: write: a writing token in job test"]
    )


def test_t18_an_environment_and_a_machine_of_the_owners_are_risks() -> None:
    assert risks(SAFE + "    environment: production\n") == snapshot(
        ["a.yml: environment of job test: its secrets and its right to deploy"]
    )
    assert risks(SAFE.replace("ubuntu-latest", "[self-hosted, linux]")) == snapshot(
        [
            "a.yml: runner self-hosted: job test may run on a machine of the owner's",
            "a.yml: runner linux: job test may run on a machine of the owner's",
        ]
    )
    assert len(risks(SAFE.replace("ubuntu-latest", "{group: big}"))) == 1
    assert len(risks(SAFE.replace("ubuntu-latest", "${{ inputs.os }}"))) == 1


def test_a_matrix_of_githubs_machines_is_safe_and_one_that_is_made_later_is_not() -> None:
    text = SAFE.replace("ubuntu-latest", "${{ matrix.os }}")
    assert (
        risks(
            text + "    strategy: {matrix: {os: [ubuntu-24.04, macos-15], include: [{os: windows-2025}]}}\n"
        )
        == []
    )
    assert len(risks(text + "    strategy: {matrix: {include: [{os: my-box}]}}\n")) == 1
    assert len(risks(text + "    strategy: {matrix: '${{ fromJSON(needs.a.outputs.m) }}'}\n")) == 1
    assert len(risks(text)) == 1


@pytest.mark.parametrize(
    "events",
    [
        "  push:",
        "  push: {branches: ['convoy/**']}",
        "  push: {branches: ['**', '!main']}",
        "  push: {branches-ignore: [main]}",
        "  push: {paths: [docs/**]}",
        "  push: {branches: ['**'], tags: ['v*']}",
        "  pull_request:",
        "  pull_request: {branches: [main]}",
        "  pull_request: {types: [labeled]}",
        "  pull_request_target: {branches-ignore: [dev]}",
        "  pull_request_review:",
        "  create:",
        "  check_suite:",
    ],
)
def test_t18_what_our_branches_start_is_judged(events: str) -> None:
    assert len(risks(on(events))) == 1


@pytest.mark.parametrize(
    "events",
    [
        "  push: {branches: [main]}",
        "  push: {branches: ['convoy/*']}",
        "  push: {branches-ignore: ['convoy/**']}",
        "  push: {tags: ['v*']}",
        "  pull_request: {branches: [dev]}",
        "  schedule: [{cron: '0 0 * * *'}]",
        "  workflow_dispatch:",
        "  workflow_call:",
        "  release: {types: [published]}",
        "  workflow_run: {workflows: [other], types: [completed]}",
    ],
)
def test_what_our_branches_do_not_start_may_have_any_secret(events: str) -> None:
    assert risks(on(events)) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "on: push\njobs: [",
        "on: push\njobs: 3",
        "jobs: {}",
        "on: push\non: schedule\njobs: {}",
        "on: push\n<<: {a: b}\njobs: {}",
        "on: ${{ vars.EVENT }}\n" + JOB,
        "on: {brand_new_event: }\npermissions: {}\n" + JOB,
        on("  push: {branches: '${{ vars.B }}'}", jobs=JOB),
        on("  push: {branches: ['[']}", jobs=JOB),
        on("  push: {branches: [a], branches-ignore: [b]}", jobs=JOB),
        "a: " + "[" * 5000,
    ],
)
def test_t18_what_cannot_be_judged_is_a_risk_that_says_so(text: str) -> None:
    assert [("cannot be judged" in each) for each in risks(text)] == [True]


def test_t18_aliases_that_unfold_for_ever_are_not_unfolded() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    assert risks(bomb + SAFE) == snapshot(["a.yml: the file: cannot be judged: it is too large or too deep"])
    assert "cannot be judged" in risks("on: push\njobs: &j\n  x: *j\n")[0]


def test_t18_a_workflow_that_follows_ours_is_judged_however_long_the_chain() -> None:
    first = "name: CI\n" + SAFE
    second = "name: Next\n" + on("  workflow_run: {workflows: [CI]}", jobs=JOB)
    third = on("  workflow_run: {workflows: [Next], branches-ignore: [main]}")
    assert risks(third, second, first) == snapshot(["a.yml: DEPLOY_KEY: a secret"])
    assert risks(third, second, first.replace("push", "schedule")) == []


def test_t18_a_called_workflow_is_judged_with_its_caller() -> None:
    call = "on: push\npermissions: {}\njobs:\n  call:\n    uses: ./.github/workflows/b.yml\n"
    called = "on: workflow_call\n" + JOB
    assert risks(call, called) == []
    assert risks(call.replace("permissions: {}\n", ""), called) == snapshot(
        [
            "a.yml: permissions of job call: are not said: the repository's default may let the token write",
            "b.yml: permissions of job test: are not said: the repository's default may let the token write",
        ]
    )
    assert risks(call + "    secrets: inherit\n", called.rstrip("\n") + KEY) == snapshot(
        ["a.yml: secrets: inherit: job call hands all secrets on", "b.yml: DEPLOY_KEY: a secret"]
    )
    assert risks(call.replace("./.github/workflows/b.yml", "o/r/.github/workflows/x.yml@v1")) == snapshot(
        ["a.yml: job call: calls o/r/.github/workflows/x.yml@v1, which cannot be judged"]
    )
    assert len(risks(call)) == 1


def test_workflows_that_call_each_other_in_a_ring_end() -> None:
    ring = "on: push\npermissions: {}\njobs:\n  call:\n    uses: ./.github/workflows/%s.yml\n"
    assert risks(ring % "b", ring % "a") == []


def test_files_beside_workflows_are_no_workflows() -> None:
    other = (
        WorkflowFile(".github/workflows/sub/x.yml", "["),
        WorkflowFile(".github/workflows/README.md", "["),
    )
    assert ci_risk(other, BRANCH, "main") == ()


def test_whether_any_ci_runs_is_told_beside_its_risk() -> None:
    def file(text: str) -> tuple[WorkflowFile, ...]:
        return (WorkflowFile(".github/workflows/a.yml", text),)

    assert runs_ci(file(SAFE), BRANCH, "main")
    assert not runs_ci(file(on("  push: {branches: [main]}")), BRANCH, "main")
    assert runs_ci(file("["), BRANCH, "main")
    assert not runs_ci((), BRANCH, "main")


@given(st.text(alphabet="on: push{}[]&*!|>-'\"\n secrets.$A<%#\t\x00é", max_size=80))
def test_t18_no_text_breaks_the_judge(text: str) -> None:
    risks(text, SAFE + text)
