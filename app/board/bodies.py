"""What stands in a convoy's and a task's issue for a person with the grite command line.

Only for reading: brat itself reads the blocks, never these lines.
"""

from __future__ import annotations

from app.ports import ConvoyOpened, PlannedTask

__all__ = ["convoy_body", "task_body"]


def convoy_body(fact: ConvoyOpened) -> str:
    """The four lines of the Rust tool's convoy."""
    return "\n".join(
        (
            f"Goal: {fact.goal}",
            f"Base commit: {fact.base_commit}",
            f"Policy: {fact.strategy} into {fact.target}, approval {fact.approval}",
            f"Owner: {fact.by}",
        )
    )


def task_body(spec: PlannedTask) -> str:
    """The four lines of the Rust tool's task, with everything it knows."""
    acceptance = [*spec.criteria, *(f"`{command}` exits 0" for command in spec.commands)]
    return "\n".join(
        (
            f"Paths: {', '.join(spec.paths)}",
            f"Constraints: {'write only to the paths above' if spec.paths else 'none'}",
            f"Acceptance: {'; '.join(acceptance) or 'none given'}",
            f"Notes: {spec.instructions or spec.title}",
        )
    )
