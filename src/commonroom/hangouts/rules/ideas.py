"""Ideas: lists with a category, what they hold, and which come first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.fields import Cleaners
from commonroom.hangouts.rules.hangouts import MAX_TITLE, link
from commonroom.hangouts.tables import Category, Idea
from commonroom.texts import fit_line, fit_lines

MAX_NAME = 100
MAX_NOTE = 1000
MAX_LISTS = 30
MAX_IDEAS = 300
"""Of one group, in all its lists: all of them are one page."""
CATEGORIES: tuple[Category, ...] = get_args(Category)


def category(name: str) -> str:
    """One of the categories."""
    if name not in CATEGORIES:
        raise InvalidField("category", "Choose one of the categories.")
    return name


OF_LIST: Cleaners = {
    "name": lambda text: fit_line("name", text, MAX_NAME),
    "category": category,
    "note": lambda text: fit_lines("note", text, MAX_NOTE),
}
OF_IDEA: Cleaners = {
    "name": lambda text: fit_line("name", text, MAX_TITLE, "Give it a title."),
    "note": lambda text: fit_lines("note", text, MAX_NOTE),
    "url": lambda text: link(text, "url"),
}


def by_interest(ideas: Iterable[Idea]) -> list[Idea]:
    """Returns ideas by interest, and the older of two that are alike first."""
    return sorted(ideas, key=lambda one: (-len(one.interested), one.created_at, one.idea_id))
