"""The Mayor: from what somebody asks to a plan that may run. Pure: texts and values in, plans and texts out.

Three planners make a `Plan`: a checklist (`plan_from_checklist`), a workflow template
(`plan_from_workflow`), or an engine, which is asked by `planning_prompt`, answers text for `parse_answer`,
and is told what was wrong by `correction_prompt`. `planner_for` says which. An edited plan comes back
through `plan_from_json` or `plan_from_yaml`. Whatever its origin, only `validate` makes it a plan that may
run: it refuses with all reasons at once, or adds the edges between tasks that may write the same files, the
checks of tasks that name none, and notes that say so.

    >>> plan = plan_from_checklist("- [ ] Add JWT\\n  paths: src/**\\n- [ ] Test it\\n  paths: src/a.py")
    >>> rules = PlanRules(engines=("codex",), allowed=("codex",), checks=("pytest -q",))
    >>> valid = validate(plan, rules)
    >>> valid.added
    (('task-2', 'task-1'),)
    >>> print(render_graph(valid.plan), end="")
    ● task-1  Add JWT
    └─ ● task-2  Test it
    <BLANKLINE>
    ● longest chain (2): task-1 → task-2
    2 tasks, at most 1 at the same time
"""

from app.globs import matches, overlap
from app.mayor.adding import Addition, add_task, allowed_engine
from app.mayor.answer import parse_answer
from app.mayor.checklist import plan_from_checklist
from app.mayor.codec import (
    plan_from_json,
    plan_from_yaml,
    plan_hash,
    plan_to_dict,
    plan_to_json,
    plan_to_yaml,
)
from app.mayor.decide import decide, wanted
from app.mayor.graph import mermaid, render_graph
from app.mayor.opening import Request, open_convoy, title_of
from app.mayor.order import layers, longest_chain, waits_of
from app.mayor.planner import Planner, planner_for
from app.mayor.prompts import RepositoryFacts, correction_prompt, planning_prompt
from app.mayor.rulebook import repository_facts, rules_of
from app.mayor.rules import PlanRules
from app.mayor.schema import PlanModel, plan_json_schema
from app.mayor.slug import slug
from app.mayor.validate import ValidPlan, validate
from app.mayor.workflow import InputDescription, WorkflowDescription, describe_workflow, plan_from_workflow

__all__ = [
    "Addition",
    "InputDescription",
    "PlanModel",
    "PlanRules",
    "Planner",
    "RepositoryFacts",
    "Request",
    "ValidPlan",
    "WorkflowDescription",
    "add_task",
    "allowed_engine",
    "correction_prompt",
    "decide",
    "describe_workflow",
    "layers",
    "longest_chain",
    "matches",
    "mermaid",
    "open_convoy",
    "overlap",
    "parse_answer",
    "plan_from_checklist",
    "plan_from_json",
    "plan_from_workflow",
    "plan_from_yaml",
    "plan_hash",
    "plan_json_schema",
    "plan_to_dict",
    "plan_to_json",
    "plan_to_yaml",
    "planner_for",
    "planning_prompt",
    "render_graph",
    "repository_facts",
    "rules_of",
    "slug",
    "title_of",
    "validate",
    "waits_of",
    "wanted",
]
