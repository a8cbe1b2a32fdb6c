"""What an installation allows of guests, as programs meet it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.shareables.rules.limits import MAX_PAGE
from tests.accounts.api.calling import V1, Calling, Client, given, problem
from tests.shareables.api.sharing import PAGES, held, shared

WIDE = "\N{GRINNING FACE}"


def settings(calling: Calling, **changed: Any) -> None:
    """Sets something, as after a start."""
    state = calling.app.state
    state.settings = replace(state.settings, **changed)


@pytest.mark.parametrize("kind", PAGES)
async def test_who_may_not_make_pages_is_told_so(
    calling: Calling, guest: Client, ann: Client, kind: str
) -> None:
    made = await shared(guest, kind)
    anns = await shared(ann, kind)
    settings(calling, page_makers="accounts")
    here = f"{V1}/shareables/{made['page']['short_id']}/clone"
    for answer in (
        await guest.post(f"{V1}/shareables/{kind}s", json=PAGES[kind]),
        await guest.post(here, headers=held(made)),
    ):
        assert "Please sign in" in problem(answer, 403)["detail"]
    await shared(ann, kind)
    settings(calling, page_makers="nobody")
    for answer in (
        await ann.post(f"{V1}/shareables/{kind}s", json=PAGES[kind]),
        await ann.post(f"{V1}/shareables/{anns['page']['short_id']}/clone"),
    ):
        problem(answer, 403)


async def test_there_is_room_for_guests_until_it_is_taken_up(
    calling: Calling, guest: Client, ann: Client
) -> None:
    settings(calling, guest_storage_mb=0)
    refused = await guest.post(f"{V1}/shareables/polls", json=PAGES["poll"])
    assert "no storage left" in problem(refused, 507)["detail"]
    await shared(ann, "poll")


async def test_the_fullest_list_is_made_ticked_and_edited(guest: Client) -> None:
    name, items = WIDE * 100, 200
    note = (MAX_PAGE - len(name)) // items - 1
    full = [{"name": WIDE, "note": WIDE * note} for _ in range(items)]
    made = await shared(guest, "checklist", name=name, note=None, items=full)
    here = f"{V1}/shareables/{made['page']['short_id']}"
    for item in made["page"]["items"]:
        ticked = f"{here}/ticks/{item['checklist_item_id']}"
        assert (await guest.put(ticked, json={"by": WIDE * 60})).status_code == 204
    page = given(await guest.get(here))
    assert len(page["ticks"]) == items
    edit = {"name": "All", "items": page["items"], "ticks_shared": True, "version": 1}
    given(await guest.put(f"{here}/checklist", json=edit, headers=held(made)))
    longer = [*full[1:], {"name": WIDE, "note": WIDE * 1000}]
    refused = await guest.post(f"{V1}/shareables/checklists", json={"name": name, "items": longer})
    assert "40,000 characters in total" in problem(refused, 422)["detail"]
