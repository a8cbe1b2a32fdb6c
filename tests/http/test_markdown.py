"""Markdown that people type: as HTML that is safe, and as plain words."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from html import unescape
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.http.markdown import (
    ATTRIBUTES,
    MAX_BRACKETS,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_RESULT,
    SCHEMES,
    TAGS,
    plain,
    render,
    rendered,
)


def test_shows_what_people_mean() -> None:
    shown = rendered("Games, **cake**\nand ~~sleep~~\n\n- boots\n- `mood`")
    assert "<strong>cake</strong><br>" in shown
    assert "<s>sleep</s>" in shown
    assert "<li>boots</li>" in shown
    assert "<code>mood</code>" in shown


def test_puts_headings_below_the_one_they_stand_under() -> None:
    assert rendered("# One\n###### Six") == "<h2>One</h2>\n<h6>Six</h6>\n"
    assert rendered("# One", below=2) == "<h3>One</h3>\n"


def test_links_lead_out_without_a_word_of_where_one_was() -> None:
    shown = rendered("[here](https://example.org/?a=1&b=2)")
    assert 'href="https://example.org/?a=1&amp;b=2"' in shown
    assert 'rel="nofollow noopener noreferrer"' in shown


@pytest.mark.parametrize(
    "typed",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        "![x](https://example.org/x.png)",
        '<img src=x onerror="alert(1)">',
        '[x](https://example.org "onmouseover=alert(1)")',
        "<https://example.org/<script>>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "```<svg onload=alert(1)>\n<b>\n```",
    ],
)
def test_lets_nothing_through_that_could_do_something(typed: str) -> None:
    check(rendered(typed))


@given(st.text(alphabet="ab <>/\"'=&;:![]()#*`~|-\n\\", max_size=80))
def test_whatever_is_typed_comes_out_as_the_few_tags_that_are_let_through(typed: str) -> None:
    check(rendered(typed))
    plain(typed)


def check(shown: str) -> None:
    """Only the tags and attributes that are let through."""
    for tag, more in re.findall(r"</?([a-z0-9]+)([^>]*)>", shown):
        assert tag in TAGS
        names = set(re.findall(r'\s([a-z-]+)="', more))
        assert names <= ATTRIBUTES.get(tag, set()) | {"rel"}
    for link in re.findall(r'href="([^"]*)"', shown):
        # As browsers read it: what they pass over within a scheme hides none.
        read = re.sub(r"[\x00-\x20]", "", unescape(link))
        scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", read)
        assert scheme is None or scheme[1].lower() in SCHEMES


def test_plain_words_keep_their_lines_and_where_links_lead() -> None:
    links = "1. [map](https://example.org)\n2. <https://auto.org>"
    typed = f"# Party\nGames and **cake**.\n\n{links}\n\n    code"
    assert plain(typed) == (
        "Party\nGames and cake.\nmap (https://example.org)\nhttps://auto.org\ncode"
    )
    assert plain("") == ""


MAX_LENGTH = 10_000
"""Of a description: rules/events."""

# What made readers of Markdown slow or talkative, repeated until a text is full.
PATHOLOGICAL = [
    "a|" * 100 + "\n" + "-|" * 100 + "\n" + "a|\n" * 3000,  # 65,000 cells out of 9 KB
    "|" * 255 + "\n" + "|-" * 255 + "|\n" + "|\n" * 3000,
    "a|b\n-|-\n" * 1250,
    "a|b\n-|-\n\n" * 1250,
    "[a]: http://x/" + "y" * 2000 + "\n\n" + "[a]" * 2600,  # 2.7 MB
    "[" * MAX_LENGTH,
    "![" * MAX_LENGTH,
    "[a](" * MAX_LENGTH,
    "*a_ " * MAX_LENGTH,
    "**a *" * MAX_LENGTH,
    "".join("`" * n + "a" for n in range(1, 140)),
    "<a" * MAX_LENGTH,
    "&" * MAX_LENGTH,
    ">" * MAX_LENGTH,
    "".join("  " * n + "- a\n" for n in range(100)),
    "- " * MAX_LENGTH + "a",
    "#\n" * MAX_LENGTH,
    "1. a\n" * MAX_LENGTH,
    "a\n" * MAX_LENGTH,
    "~~a" * MAX_LENGTH,
    "".join(f"[{n}]: u\n" for n in range(1200)),
]
fragments = st.lists(st.sampled_from([*"ab|-[]()!*_`~<>&#:\n \\", "\n\n", "|-|", "](", "- "]))


@pytest.mark.parametrize("typed", PATHOLOGICAL, ids=lambda typed: repr(typed[:8]))
def test_no_text_means_much_more_html_or_work_than_it_is_long(typed: str) -> None:
    typed = typed[:MAX_LENGTH]
    rendered.cache_clear()
    shown, calls = counting_calls(lambda: rendered(typed))
    assert len(shown) <= MAX_RESULT
    assert shown.count("<td") + shown.count("<th") <= MAX_CELLS + MAX_COLUMNS
    assert calls <= 100 * MAX_LENGTH
    words, calls = counting_calls(lambda: plain(typed))
    assert len(words) <= MAX_RESULT
    assert calls <= 100 * MAX_LENGTH


@given(fragments)
def test_whatever_is_repeated_the_result_is_bounded(parts: list[str]) -> None:
    typed = ("".join(parts) * (MAX_LENGTH // 10))[: MAX_LENGTH // 10]
    assert len(rendered(typed)) <= MAX_RESULT
    check(rendered(typed))


def counting_calls(do: Callable[[], str]) -> tuple[str, int]:
    """How much was done, counted in calls, which no busy machine makes more of."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        made = do()
    finally:
        sys.setprofile(None)
    return made, calls


def test_tables_that_people_type_are_tables() -> None:
    week = "day | who\n--- | ---\n" + "\n".join(f"{day} | Tom" for day in range(31))
    assert rendered(week).count("<td>") == 62


def test_a_table_beyond_measure_is_shown_as_it_was_typed() -> None:
    shown = rendered("a|" * 30 + "\n" + "-|" * 30 + "\nx|\n")
    assert "<table>" not in shown
    assert "x|" in shown


def test_what_is_shown_as_typed_is_escaped() -> None:
    shown = rendered("[" * (MAX_BRACKETS + 1) + "\n<script>alert(1)</script>")
    check(shown)
    assert "&lt;script&gt;" in shown


async def test_a_long_text_is_rendered_beside_the_loop_and_once() -> None:
    long = "Games and **cake**\n\n" * 50
    rendered.cache_clear()
    assert await render(long) == await render(long)
    assert rendered.cache_info().misses == 1
