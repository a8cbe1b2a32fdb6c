"""Markdown that people type, as HTML that is safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

TAGS = frozenset(
    {"p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
    | {"h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}
)
"""No pictures: nothing is loaded from another host."""
ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}
SCHEMES = frozenset({"https", "http", "mailto", "tel"})
LAST_LEVEL = 6


def rendered(text: str, *, below: int = 1) -> Markup:
    """A text as HTML; its headings come below the heading of this level that it stands under."""
    raw = re.sub(
        r"(</?h)([1-6])(?=>)",
        lambda found: f"{found[1]}{min(LAST_LEVEL, int(found[2]) + below)}",
        _markdown().render(text),
    )
    # Whatever the reader of Markdown let through, only this is left.
    clean = nh3.clean(
        raw,
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel="nofollow noopener noreferrer",
    )
    return Markup(clean)  # noqa: S704 - cleaned above


def plain(text: str) -> str:
    """A text without its marks, line by line, for where only plain words can be shown."""
    said = ("".join(_words(one.children or [])) or one.content for one in _markdown().parse(text))
    lines = (one.strip() for one in said)
    return "\n".join(line for line in lines if line)


def _words(block: Iterable[Token]) -> Iterator[str]:
    """What a paragraph says; a link is followed by where it leads."""
    leads = ""
    for token in block:
        if token.type == "link_open":
            leads = "" if token.info == "auto" else f" ({token.attrs['href']})"
        elif token.type == "link_close":
            yield leads
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        else:
            yield token.content


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
