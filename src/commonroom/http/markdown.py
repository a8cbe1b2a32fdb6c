"""Markdown that people type, as HTML that is safe to show."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:  # loaded with the first text: a start need not wait for them
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

TAGS = frozenset(
    {"p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
    | {"h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}
)
"""No pictures: nothing is loaded from another host."""
ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}
SCHEMES = frozenset({"https", "http", "mailto", "tel"})
LAST_LEVEL = 6

# A text may be ten thousand signs, and a few of them can mean a great deal of HTML or of work:
# what is beyond this is shown as it was typed.
MAX_COLUMNS, MAX_CELLS = 20, 1000
MAX_BRACKETS = 400
"""Looking for the end of each costs as much as the text is long."""
MAX_RESULT = 100_000
"""Any text whose signs are merely escaped fits; a link that is referred to a thousand times not."""
SHORT = 500
"""What is rendered at once; longer texts would keep everybody else waiting."""
KEPT = 128

_CELLS_LEFT = "cells left"
_UNDER_HEAD = re.compile(r"[ \t>]*[-:|][-:| \t]*")


async def render(text: str, *, below: int = 1) -> Markup:
    """Renders Markdown, beside the event loop where it takes long."""
    if len(text) <= SHORT:
        return rendered(text, below=below)
    return await asyncio.to_thread(rendered, text, below=below)


@lru_cache(maxsize=KEPT)
def rendered(text: str, *, below: int = 1) -> Markup:
    """A text as HTML; its headings come below the heading of this level that it stands under."""
    if text.count("[") > MAX_BRACKETS:
        return _as_typed(text)
    raw = re.sub(
        r"(</?h)([1-6])(?=>)",
        lambda found: f"{found[1]}{min(LAST_LEVEL, int(found[2]) + below)}",
        _markdown().render(text),
    )
    if len(raw) > MAX_RESULT:
        return _as_typed(text)
    import nh3

    # Whatever the reader of Markdown let through, only this is left.
    clean = nh3.clean(
        raw,
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel="nofollow noopener noreferrer",
    )
    return Markup(clean)  # noqa: S704 - cleaned above


@lru_cache(maxsize=KEPT)
def plain(text: str) -> str:
    """Returns a text without its marks, line by line, for where only plain words can be shown."""
    if text.count("[") > MAX_BRACKETS:
        return text
    texts = ("".join(_words(one.children or [])) or one.content for one in _markdown().parse(text))
    lines = (one.strip() for one in texts)
    plain = "\n".join(line for line in lines if line)
    return plain if len(plain) <= MAX_RESULT else text


def _as_typed(text: str) -> Markup:
    return Markup("<p>{}</p>\n").format(Markup("<br>\n").join(escape(text).splitlines()))


def _words(block: Iterable[Token]) -> Iterator[str]:
    """Yields what a paragraph says; a link is followed by where it leads."""
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
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False, "breaks": True})
    reader.enable(["table", "strikethrough"])
    reader.block.ruler.at("table", _small_table, {"alt": ["paragraph", "reference"]})
    return reader


def _small_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Reads a table, unless there are more cells in the text than anybody means to type.

    Cells that a row leaves out are added, so a few signs could otherwise be tens of thousands.
    """
    if start + 2 > end or not _UNDER_HEAD.fullmatch(_line(state, start + 1)):
        return False
    left: int = state.env.get(_CELLS_LEFT, MAX_CELLS)
    if left == 0:
        return False
    columns = _line(state, start).count("|") + 1
    rows = next((n for n in range(start, end) if not _line(state, n).strip()), end) - start
    if columns > MAX_COLUMNS or columns * rows > left:
        state.env[_CELLS_LEFT] = 0  # so that no later line is looked at as the head of one
        return False
    from markdown_it.rules_block.table import table

    is_table = table(state, start, end, silent)
    if is_table and not silent:
        state.env[_CELLS_LEFT] = left - columns * rows
    return is_table


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] : state.eMarks[number]]
