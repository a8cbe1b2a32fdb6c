"""Lists: their texts and limits, who may read and change one, and where items stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from hmac import compare_digest
from operator import attrgetter
from uuid import uuid4

from msgspec import Struct

from commonroom.accounts.secrets import digest
from commonroom.errors import InvalidField
from commonroom.picture_addresses import is_picture_address
from commonroom.texts import clean_line, fit_line, fit_lines
from commonroom.watchlists.tables import Watchlist, WatchlistItem

MAX_TITLE = 100
MAX_DESCRIPTION = 1000
MAX_NOTE = 1000
MAX_TAG = 50
MAX_TAGS = 20
MAX_ITEMS = 500
MAX_COLLABORATORS = 20
MAX_LISTS = 1000
"""How many lists a person has."""
MAX_PARTS = 100
"""How many lists hold what is on one of a file at most."""
MAX_ID = 100
MAX_KEY = 100
GAP = 1 << 20
"""Between two items when they are added: twenty can be put into the same place one by one."""


def title(text: str) -> str:
    """Returns a list's title."""
    return fit_line("title", text, MAX_TITLE, "Give it a title.")


def continued_title(title: str, part: int) -> str:
    """What the list is called on which one goes on that is too long, such as “To watch (2)”."""
    suffix = f" ({part})" if part > 1 else ""
    return title[: MAX_TITLE - len(suffix)].rstrip() + suffix


def description(text: str | None) -> str | None:
    """Returns what a list is about."""
    return fit_lines("description", text, MAX_DESCRIPTION)


def note(text: str | None) -> str | None:
    """Why a title is on a list."""
    return fit_lines("note", text, MAX_NOTE)


def tags(typed: Sequence[str]) -> list[str]:
    """Tags as they are shown, each once whatever its case; a `#` before one is no part of it."""
    found: dict[str, str] = {}
    for text in typed:
        # `#` also separates the parts of a key.
        tag = clean_line(text.replace("#", " "))
        if len(tag) > MAX_TAG:
            raise InvalidField("tags", f"Use at most {MAX_TAG} characters for a tag.")
        if tag:
            found.setdefault(tag.casefold(), tag)
    if len(found) > MAX_TAGS:
        raise InvalidField("tags", f"Use at most {MAX_TAGS} tags.")
    return list(found.values())


def new_id() -> str:
    """Returns a new list's id."""
    return str(uuid4())


def is_id(text: str) -> bool:
    """Returns whether something can be an id: it may come from an address, and goes into a key."""
    return 0 < len(text) <= MAX_ID and text.isprintable() and "#" not in text


def may_edit(found: Watchlist, user_id: str | None) -> bool:
    """Returns whether a person may add, note and order: the owner and collaborators."""
    return user_id is not None and (
        user_id == found.curator_id or user_id in found.collaborator_ids
    )


def may_read(found: Watchlist, user_id: str | None, view_key: str = "") -> bool:
    """Returns whether a person may read a list: a public one, one's own, or with its link.

    A public one of a suspended curator is shut to all but who may edit it.
    """
    return is_discoverable(found) or (
        may_edit(found, user_id) or opens(found.view_key_digest, view_key)
    )


def opens(kept: str | None, key: str) -> bool:
    """Returns whether a key is the one of which a digest is kept."""
    if kept is None or not 0 < len(key) <= MAX_KEY:
        return False
    return compare_digest(kept, digest(key))


def is_discoverable(found: Watchlist) -> bool:
    """Returns whether others may come across a list without having its address."""
    return found.is_public and found.curator_status != "suspended"


def own_picture(found: Watchlist) -> str | None:
    """Returns the address of the picture that a list's owner chose for it, if they did."""
    return found.cover_image_url if is_picture_address(found.cover_image_url) else None


def cover_image(found: Watchlist, poster: str | None) -> str | None:
    """What stands for a list: the picture that its owner chose, or the poster of its cover title.

    Only a poster of a source: one at a private address could not be told from the owner's choice,
    and the card shows it among its titles.
    """
    return own_picture(found) or (None if is_picture_address(poster) else poster)


def in_order(items: Sequence[WatchlistItem]) -> list[WatchlistItem]:
    """Items as they stand on a list; where two have one position, the older comes first."""
    return sorted(items, key=attrgetter("position", "added_at", "content_id"))


def position_between(before: int | None, after: int | None) -> int | None:
    """A position between two neighbours, or beyond the one there is; None where there is none."""
    if before is None:
        return GAP if after is None else after - GAP
    if after is None:
        return before + GAP
    middle = (before + after) // 2
    return middle if before < middle < after else None


class Spread(Struct, frozen=True):
    """An item that gets another position, so that there is room again."""

    index: int
    position: int


def spread_behind(count: int, first: int, last: int) -> list[Spread]:
    """New positions for all items from an index on, behind the `last` that there is.

    They are given in the order in which they are to be written: the last item comes first. So
    an interruption leaves the order as it was: what has moved is behind all that has not.
    """
    behind = range(first, count)
    return [Spread(index, last + GAP * (index - first + 2)) for index in reversed(behind)]


def first_double(positions: Sequence[int]) -> int | None:
    """Returns the index of the first item that stands at the place of the one before it."""
    for index in range(1, len(positions)):
        if positions[index] == positions[index - 1]:
            return index
    return None


def target_index(
    count: int, moving: int, *, place: int | None, before: int | None, after: int | None
) -> int:
    """Returns where an item comes to stand among the others, counted without it.

    `place` counts from 1; `before` and `after` are indexes of other items.
    """
    if before is not None:
        wanted = before - (before > moving)
    elif after is not None:
        wanted = after - (after > moving) + 1
    else:
        wanted = (place or 1) - 1
    return max(0, min(wanted, count - 1))
