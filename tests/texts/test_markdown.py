"""T23: foreign text inside our Markdown is shown and does nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from markdown_it import MarkdownIt

from app.texts import (
    block,
    code,
    fits,
    folded,
    inline,
    length,
    link,
    marked,
    quoted,
    short,
)

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

HOSTILE = [
    "fixes #9",
    "Closes acme/shop#9 and resolves GH-9",
    "closes https://github.com/acme/shop/issues/9",
    "[skip ci] done",
    "ask @acme/core and @ada",
    "mail eve@evil.example",
    "see https://evil.example/x and www.evil.example",
    "[click](https://evil.example)",
    "![pixel](https://evil.example/p.png)",
    "<img src=https://evil.example/p.png>",
    "<!-- brat:sticky:c-1 -->",
    "| a | b |",
    "`code` and ``` fence",
    "# head",
    "> quote",
    "- item",
    "1. item",
    "***\n---\n===",
    "</details><script>alert(1)</script>",
    "&#64;acme &lt;b&gt;",
    "a\u202eb\u200b@acme",
    "**bold** _it_ ~~no~~ $x$ \\",
]
FOREIGN = st.sampled_from(HOSTILE) | st.text(max_size=40) | st.lists(st.sampled_from(HOSTILE)).map(" ".join)
ACTS = re.compile(
    r"(?<![\w])@\w|#\d|\bGH-\d|/(issues|pull)/\d|://\w|www\.\w|\[(skip|no)[ -]ci\]|\w@\w", re.IGNORECASE
)


def shown(markdown: str) -> tuple[set[str], str]:
    """The kinds of inline parts that a reader gets, and their text."""
    parts = [child for token in RENDERER.parse(markdown) for child in token.children or ()]
    return {each.type for each in parts}, "".join(each.content for each in parts)


@given(FOREIGN)
def test_t23_foreign_words_are_text_only_and_act_on_nothing(text: str) -> None:
    kinds, words = shown(f"- x {inline(text)} x")
    assert kinds <= {"text"}
    assert not ACTS.search(words), words


@given(FOREIGN)
def test_t23_foreign_words_at_the_start_of_a_line_begin_no_block(text: str) -> None:
    kinds = {token.type for token in RENDERER.parse(f"our words\n{inline(text)}")}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}


@given(FOREIGN)
def test_t23_foreign_words_stay_in_their_cell(text: str) -> None:
    html = RENDERER.render(f"| a | b |\n|---|---|\n| {inline(text)} | end |")
    assert html.count("<td>") == 2
    assert "<td>end</td>" in html


@given(FOREIGN)
def test_t23_quoted_text_stays_in_its_quotation(text: str) -> None:
    tokens = RENDERER.parse(quoted(text) + "\n\nours")
    top = [token.type for token in tokens if not token.level]
    assert top == ["blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close"]


@given(FOREIGN)
def test_t23_code_is_shown_and_ends_where_we_end_it(text: str) -> None:
    kinds, _ = shown(f"x {code(text)} x")
    assert kinds == {"text", "code_inline"}
    fence, after = RENDERER.parse(block(text) + "\n\nours")[0], RENDERER.parse(block(text) + "\n\nours")[1:]
    assert fence.type == "fence"
    assert [each.type for each in after] == ["paragraph_open", "inline", "paragraph_close"]
    assert "<!-- brat" not in code(text) + block(text)


def test_command_in_code_is_shown_as_it_is_run() -> None:
    assert code("npx @types/node '#9'") == "`npx @types/node '#9'`"
    assert code("fixes #9", quiet=True) == "`fixes # 9`"


def test_fold_has_a_plain_title() -> None:
    assert folded("a <b> @acme", "body") == snapshot(
        "<details><summary>a &lt;b&gt; @ acme</summary>\n\nbody\n\n</details>"
    )


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://x/) [a](y", "https://x y", "https://x/<b>"])
def test_link_to_anything_strange_is_only_words(url: str) -> None:
    assert link("#9", url) == "#9"
    assert link("#9", "https://github.com/acme/shop/pull/9") == "[#9](https://github.com/acme/shop/pull/9)"


def test_marker_stands_last_and_once() -> None:
    once = marked("text\n", "reply:comment:12")
    assert once == "text\n\n<!-- brat:reply:comment:12 -->"
    assert marked(once, "reply:comment:12") == once


def test_length_counts_as_the_code_host_may() -> None:
    assert (length("abc"), length("🚚"), fits("🚚" * 3, 5)) == (3, 2, False)
    assert short("a\n  b" * 9, 6) == "a ba…"
