"""What an administrator allows of pages: who makes them, how many, and how much they may hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.errors import InvalidField
from commonroom.settings import Settings
from commonroom.shareables.errors import CreationDisabled
from commonroom.shareables.tables import EventRsvp, PollVote, Shareable

Makers: TypeAlias = Literal["anybody", "accounts", "nobody"]

MEGABYTE = 1_000_000


class ShareableLimits(Struct, frozen=True, kw_only=True):
    """What holds for the caller."""

    makers: Makers
    has_account: bool
    """Whether they have one, also where they act for a child."""
    pages_per_day: int
    """From one address, without an account."""
    account_pages_per_day: int = 300
    guest_bytes: int
    """For all pages that were made without an account, with everything on them."""
    answers: int
    """On one page."""

    @classmethod
    def of(cls, settings: Settings, *, has_account: bool) -> ShareableLimits:
        """Returns what the settings allow a person, with an account or without."""
        return cls(
            makers=settings.page_makers,
            has_account=has_account,
            pages_per_day=settings.guest_pages_per_day,
            guest_bytes=settings.guest_storage_mb * MEGABYTE,
            answers=settings.answers_per_page,
        )

    @property
    def may_make(self) -> bool:
        """Whether they may make pages."""
        return self.makers == "anybody" or (self.makers == "accounts" and self.has_account)

    def check_making(self) -> None:
        """Refuses a person who may not make pages."""
        if not self.may_make:
            raise CreationDisabled(
                "You need an account to create pages here. Please sign in."
                if self.makers == "accounts"
                else "Creating pages is turned off on this Commonroom."
            )


USUAL = ShareableLimits.of(Settings(), has_account=False)


MAX_NAME = 100
MAX_PAGE = 40_000
"""Characters: of the largest kind, four bytes each, they are 160 KB, and an item takes 400 KB."""

PAGE_BYTES = 3000
"""What a page takes besides what it says: keys, times, hashes, counts."""
ROW_BYTES = 128
"""What an item, question or option takes besides what it says: its id, its count of votes."""
TICK_BYTES = 512
RSVP_BYTES = 1024
"""With the item that counts answers of its network, or that points to it from its account."""
VOTE_BYTES, VOTED_BYTES = 1024, 64
"""What a vote takes likewise, and each question and option in it."""


def check_length(field: str, fields: Mapping[str, Any], before: Shareable | None) -> None:
    """Refuses a page that says too much in all, unless it said as much before."""
    said = characters(fields)
    if said > MAX_PAGE and (before is None or said > characters(asdict(before))):
        raise InvalidField(
            field,
            f"A page can hold {MAX_PAGE:,} characters in total, and this one has "
            f"{said:,}. Shorten it, or split it into two pages.",
        )


def characters(fields: Mapping[str, Any]) -> int:
    """Returns how many characters were typed into a page with these fields."""
    return sum(len(text) for text in _texts(fields))


def page_bytes(fields: Mapping[str, Any]) -> int:
    """Returns how many bytes a page with these fields takes at the most; a list with all its ticks.

    It depends on nothing but what an edit changes, so that it is known before and after each.
    """
    said = sum(len(text.encode()) for text in _texts(fields))
    items = len(fields.get("items", ())) * (ROW_BYTES + TICK_BYTES)
    rows = sum(1 + len(one.options) for one in fields.get("questions", ())) * ROW_BYTES
    return PAGE_BYTES + said + items + rows


def answer_bytes(answer: EventRsvp | PollVote | None) -> int:
    """Returns how many bytes an answer takes at the most; nothing where there is none."""
    match answer:
        case EventRsvp():
            return RSVP_BYTES
        case PollVote():
            chosen = sum(1 + len(one.option_ids) for one in answer.answers)
            return VOTE_BYTES + chosen * VOTED_BYTES
    return 0


def _texts(fields: Mapping[str, Any]) -> Iterator[str]:
    for name in ("name", "note", "location", "description"):
        yield fields.get(name) or ""
    for item in fields.get("items", ()):
        yield from (item.name, item.note or "")
    for question in fields.get("questions", ()):
        yield question.title
        yield from (option.label for option in question.options)
