"""Every field of a page is stored as it was typed, and comes back from the form to edit it."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import pytest
from msgspec import Struct

from commonroom.shareables.pages.drafts import DRAFTS
from commonroom.shareables.rules.checklists import TypedChecklistItem
from commonroom.shareables.rules.polls import TypedPollPageOption, TypedQuestion
from commonroom.shareables.service.edit import TYPED, save
from commonroom.shareables.service.gate import Page
from commonroom.shareables.tables import kind_of
from tests.house.fields.arrivals import by_name, find_lost, variants
from tests.shareables.furniture import YEAR
from tests.shareables.pages.filling import edit_form, hold
from tests.shareables.pages.site import Site

S = TypeVar("S", bound=Struct)


def rows(kind: type[S], **given: Any) -> tuple[list[S], list[S]]:
    """Rows in which each field differs from the first row's once, in two orders."""
    found = [*variants(kind, given)]
    return found, found[::-1]


IDS = ("checklist_item_id", "poll_question_id", "poll_question_option_id")
NEW = dict.fromkeys(IDS, (None, None))
OPTIONS = rows(TypedPollPageOption, **NEW)
GIVEN: dict[str, Any] = {
    "items": rows(TypedChecklistItem, **NEW),
    "questions": rows(TypedQuestion, options=OPTIONS, **NEW),
    "time_zone": ("Europe/Paris", "Europe/Lisbon"),
    **{
        name: (f"{YEAR}-{month}-02T03:04:00.000Z", f"{YEAR}-{month}-03T04:05:00.000Z")
        for name, month in (("rsvp_deadline", "01"), ("start_time", "02"), ("end_time", "03"))
    },
    "closes_at": (f"{YEAR}-01-02T03:04:00.000Z", f"{YEAR}-02-03T04:05:00.000Z"),
}


@pytest.mark.parametrize("page", TYPED)
async def test_every_field_is_kept_when_a_page_is_made_and_edited(
    site: Site, page: type[Page]
) -> None:
    first, *others = variants(TYPED[page], GIVEN)
    edited = await site.made(first)
    browser = hold(await site.browser(), edited)
    for typed in (*others, first):
        made = await site.opened(await site.made(typed), page)
        assert [*find_lost(by_name(typed, *IDS), by_name(made.page))] == []
        gate = await site.opened(edited, page)
        await save(gate, gate.page.version, typed)
        stored = (await site.opened(edited, page)).page
        assert [*find_lost(by_name(typed, *IDS), by_name(stored))] == []
        sheet = (await edit_form(browser, edited)).sheet()
        again = DRAFTS[kind_of(stored)].read(sheet).typed(time.time(), stored)
        assert [*find_lost(by_name(again), by_name(stored))] == []
