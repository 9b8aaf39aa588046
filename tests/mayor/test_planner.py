"""Which planner reads a request."""

from __future__ import annotations

import pytest

from app.errors import PlanError
from app.mayor import planner_for


@pytest.mark.parametrize(
    ("text", "planner"),
    [
        ("Refactor the auth module to use JWT tokens", "engine"),
        ("- [ ] one", "checklist"),
        ("Please\n\n* [ ] one", "checklist"),
        ("- [x] done", "checklist"),
        ("The title\n\n## Tasks\n- [x] done\n- [X] done too", "checklist"),
        ("A crash on start\n\nIt says: no such file.\n\n- [x] I read the code of conduct", "engine"),
        ("A crash on start\n\n- [x] I read the code of conduct\n\nIt says: no such file.", "engine"),
        ("```\n- [ ] example\n```", "engine"),
        ("~~~\n- [ ] example\n~~~\n- [ ] real", "checklist"),
        ("````\n```\n- [ ] example\n```\n````", "engine"),
        ("<!-- - [ ] template -->", "engine"),
        ("use `- [ ] x` lists", "engine"),
    ],
)
def test_auto_is_the_checklist_where_a_box_is_open_or_boxes_are_all_there_is(text: str, planner: str) -> None:
    assert planner_for(text, "auto") == planner


@pytest.mark.parametrize("planner", ["engine", "checklist", "workflow"])
def test_a_configured_planner_is_taken_whatever_the_text(planner: str) -> None:
    assert planner_for("- [ ] one", planner) == planner


def test_an_unknown_planner_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(PlanError, match="did you mean 'checklist'"):
        planner_for("", "check-list")
