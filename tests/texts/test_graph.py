"""The plan's graph, as the code host draws it."""

from __future__ import annotations

from inline_snapshot import snapshot

from app.texts import (
    mermaid,
    sticky,
    too_large,
)
from tests.texts.samples import convoy, task, view


def test_graph_has_no_letter_that_mermaid_reads_as_its_own() -> None:
    hostile = view(
        convoy(
            task(1, title='"]; click t1 "javascript:x"; end --> [<b>] #amp; `x`'), task(2, depends_on=(1, 9))
        )
    )
    assert mermaid(hostile.tasks) == snapshot("""\
graph TD
  t1["1: #34;#93;#59; click t1 #34;javascript:x#34;#59; end --#62; #91;#60;b#62;#93; #35;amp#8230;"]:::wait
  t2["2: Do thing 2"]:::wait
  t1 --> t2
  classDef wait fill:#f6f8fa,stroke:#818b98,color:#1f2328\
""")


def test_graph_that_would_not_be_drawn_is_replaced_by_the_way_to_it() -> None:
    tasks = [task(number, depends_on=tuple(range(1, number))) for number in range(1, 40)]
    huge = view(convoy(*tasks))
    assert too_large(huge.tasks)
    assert "`brat convoy show` draws them" in sticky(huge)
