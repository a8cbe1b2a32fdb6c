"""Many people on one page at the same moment lose nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.shareables.errors import EditConflict, GuestStorageFull, TryAgain
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.service import polls
from commonroom.shareables.service.checklists import tick, ticks_of, untick
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.service.guest_storage import usage
from commonroom.shareables.tables import Checklist, Poll
from commonroom.store import Store
from tests.accounts.people import Watch, again, at_once
from tests.shareables.furniture import SUMMER, let_in_to, made
from tests.shareables.voting import ballot, check_count
from tests.support.context import at

ITEMS = 40
LONG = TypedChecklist(
    name="Long",
    items=[TypedChecklistItem(name=f"Item {n}") for n in range(ITEMS)],
    ticks_shared=True,
)


@pytest.fixture
async def gate(store: Store, clock: Watch) -> PageAccess[Checklist]:
    """A long checklist, opened to its creator."""
    return await let_in_to(Checklist, store, clock, await made(store, clock, LONG), want="admin")


def with_note(page: Checklist, note: str) -> TypedChecklist:
    """A checklist whose note somebody has edited."""
    items = [
        TypedChecklistItem(checklist_item_id=one.checklist_item_id, name=one.name)
        for one in page.items
    ]
    return replace(LONG, items=items, note=note)


async def test_all_who_tick_at_once_succeed(
    store: Store, clock: Watch, gate: PageAccess[Checklist]
) -> None:
    ids = [one.checklist_item_id for one in gate.page.items]
    for one in ids[:10]:
        await tick(at(store, clock(), gate), one)
    _, refusals = await at_once(
        *(tick(at(store, clock(), gate), one, by=f"by {one}") for one in ids[10:]),
        *(untick(at(store, clock(), gate), one) for one in ids[:10]),
    )
    assert not refusals
    page = await again(store, gate.page)
    assert {id_: one.by for id_, one in (await ticks_of(store, page)).items()} == {
        id_: f"by {id_}" for id_ in ids[10:]
    }


async def test_all_who_tick_and_one_who_edits_at_once_succeed_and_other_editors_are_told(
    store: Store, clock: Watch, gate: PageAccess[Checklist]
) -> None:
    ids = [one.checklist_item_id for one in gate.page.items]
    edits = [
        save(at(store, clock(), gate), 1, with_note(gate.page, f"Note {number}"))
        for number in range(5)
    ]
    saved, refusals = await at_once(*(tick(at(store, clock(), gate), one) for one in ids), *edits)

    page = await again(store, gate.page)
    assert set(await ticks_of(store, page)) == set(ids), "no tick is lost"
    assert saved.count(2) == 1, "one edit is there"
    assert (page.note or "").startswith("Note")
    assert len(refusals) == 4
    for one in refusals:
        assert isinstance(one, EditConflict)
        assert one.changed == ["note"]


async def test_all_who_vote_at_once_are_counted(store: Store, clock: Watch) -> None:
    gate = await let_in_to(Poll, store, clock, await made(store, clock, SUMMER))
    votes, refusals = await at_once(
        *(polls.vote(at(store, clock(), gate), ballot(gate.page, n, n)) for n in range(40))
    )
    assert {one.status for one in refusals} <= {TryAgain.status}
    poll = await check_count(store, gate.page.short_id)
    assert poll.vote_count >= len(votes) == len({one.code for one in votes}) > 0


async def test_all_who_make_pages_at_once_stay_within_what_guests_may_keep(
    store: Store, clock: Watch
) -> None:
    limits = replace(USUAL, guest_bytes=30_000)
    made_, refusals = await at_once(*(made(store, clock, SUMMER, limits=limits) for _ in range(20)))
    assert {one.status for one in refusals} <= {GuestStorageFull.status, TryAgain.status}
    used = await usage(store)
    assert 0 < used.bytes <= limits.guest_bytes
    assert used.pages == len(made_) < 20
