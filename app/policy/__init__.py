"""May this pull request land, may this branch be pushed, and who is to be asked. Pure: values in, words out.

`judge` puts one look at a pull request (`PolicyCase`) through all rules and returns one tree: a part per
rule, each with what was seen and what is wanted, who can change it, how, and when to look again. The tree is
DONE only if every part is. What could not be read is unknown, and unknown waits. The words hold no running
clock, so that the same state always reads the same. `ci_risk` judges, before an agent's branch is pushed,
what the base's workflows would put within its reach (T18). The other functions are single questions.

Worked example: `main` requires the check `ci` of App 15368, which has not reported yet.

    verdict = judge(PolicyCase("a1", pull, policy, now, head_since_ts=now, target="main", rules=rules, ...))
    verdict.state                # VerdictState.WAITING
    print(*explain(verdict), sep="\\n")
    # waiting  policy: required checks: ci: has not reported yet, wanted success from App 15368
    #   done     open: is
    #   ...
"""

from app.policy.case import PolicyCase
from app.policy.checks import latest, required_of
from app.policy.feedback import Unheard, red_checks, review_evidence, unheard_checks, worth_rerun
from app.policy.freeze import frozen_until
from app.policy.judge import explain, judge
from app.policy.landed import LandedCase, Landing, landed_as_tested
from app.policy.owners import codeowners
from app.policy.patterns import BadPattern, passes_filter
from app.policy.reviews import may_write
from app.policy.risk import Risk, ci_risk, runs_ci

__all__ = [
    "BadPattern",
    "LandedCase",
    "Landing",
    "PolicyCase",
    "Risk",
    "Unheard",
    "ci_risk",
    "codeowners",
    "explain",
    "frozen_until",
    "judge",
    "landed_as_tested",
    "latest",
    "may_write",
    "passes_filter",
    "red_checks",
    "required_of",
    "review_evidence",
    "runs_ci",
    "unheard_checks",
    "worth_rerun",
]
