"""Hangouts: what they may say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from commonroom.errors import InvalidField
from commonroom.hangouts.tables import Venue
from commonroom.texts import clean_line, fit_line, fit_lines, fit_optional_line

MAX_TITLE = 200
MAX_DESCRIPTION = 5000
MAX_LINK = 2000
MAX_PLACE_NAME, MAX_ADDRESS, MAX_PLACE_NOTES = 100, 300, 500
MAX_GROUPS = 10
MAX_INVITED = 60
"""Each has a pointer, and all of them change in one transaction with the hangout."""
PICTURES = (
    "cake", "campfire", "drinks", "games", "hike", "karaoke", "meal", "music", "picnic", "sports",
    "swim", "trip",
)  # fmt: skip


def title(text: str) -> str:
    """Returns a title as it is kept."""
    return fit_line("title", text, MAX_TITLE, "Give it a title.")


def description(text: str | None) -> str | None:
    """Returns a description, in Markdown."""
    return fit_lines("description", text, MAX_DESCRIPTION)


def link(text: str | None, field: str = "link") -> str | None:
    """Returns a link to more about it: http or https."""
    cleaned = clean_line(text or "")
    if not cleaned:
        return None
    if len(cleaned) > MAX_LINK:
        raise InvalidField(field, f"Use at most {MAX_LINK} characters.")
    try:
        parts = urlsplit(cleaned)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web or " " in cleaned:
        raise InvalidField(field, "Enter a link that starts with https://.")
    return cleaned


def picture(name: str | None) -> str | None:
    """One of the pictures that come with Commonroom."""
    if name is not None and name not in PICTURES:
        raise InvalidField("picture", "Choose one of the pictures.")
    return name


def place(given: Venue | None) -> Venue | None:
    """Returns a place as it is kept."""
    if given is None:
        return None
    return Venue(
        name=fit_line("place.name", given.name, MAX_PLACE_NAME, "Give the place a name."),
        address=fit_optional_line("place.address", given.address, MAX_ADDRESS),
        url=link(given.url, "place.url"),
        notes=fit_lines("place.notes", given.notes, MAX_PLACE_NOTES),
        place_id=given.place_id,
    )


def group_ids(given: Sequence[str]) -> list[str]:
    """Returns the groups of a hangout, each once."""
    wanted = list(dict.fromkeys(given))
    if len(wanted) > MAX_GROUPS:
        raise InvalidField("group_ids", f"Choose at most {MAX_GROUPS} groups.")
    return wanted


def invited_user_ids(given: Sequence[str], maker: str) -> list[str]:
    """Returns who has a hangout in their own list: its maker first, then those who are invited."""
    invited = list(dict.fromkeys([maker, *given]))
    if len(invited) > MAX_INVITED + 1:
        raise InvalidField("invited_user_ids", f"Invite at most {MAX_INVITED} people directly.")
    return invited
