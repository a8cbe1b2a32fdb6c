"""Markdown that people type: as HTML that is safe, and as plain words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.web.markdown import ATTRIBUTES, TAGS, plain, rendered


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
    assert not re.search(r'href="(?!https?:|mailto:|tel:|[^":]*")', shown)


def test_plain_words_keep_their_lines_and_where_links_lead() -> None:
    links = "1. [map](https://example.org)\n2. <https://auto.org>"
    typed = f"# Party\nGames and **cake**.\n\n{links}\n\n    code"
    assert plain(typed) == (
        "Party\nGames and cake.\nmap (https://example.org)\nhttps://auto.org\ncode"
    )
    assert plain("") == ""
