"""Becoming a curator, and being suspended."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting
from commonroom.watchlists.rules.curators import Decision
from commonroom.watchlists.service import curators
from commonroom.watchlists.tables import CuratorEntry
from tests.accounts.people import Watch, at_once
from tests.watchlists.examples import asks, everything_of


async def test_an_application_is_pending_until_an_administrator_decides(
    store: Store, clock: Watch, ben: User, root: User
) -> None:
    applied = await curators.apply(asks(store, clock, ben), "I know films.")
    assert (applied.curator_status, applied.motivation) == ("pending", "I know films.")
    assert not applied.is_curator
    with counting() as count:
        found = await curators.curators_with(asks(store, clock, root), "pending")
    assert [one.user_id for one in found.items] == [ben.user_id]
    assert count.requests == 2

    clock.forward(60)
    approved = await curators.decide(asks(store, clock, root), ben.user_id, "approve")
    assert (approved.curator_status, approved.is_curator) == ("approved", True)
    assert [(one.to, one.by, one.at) for one in approved.curator_moves] == [
        ("pending", ben.user_id, iso(clock() - 60)),
        ("approved", root.user_id, iso(clock())),
    ]
    assert (await curators.curators_with(asks(store, clock, root), "pending")).items == []
    found = await curators.curators_with(asks(store, clock, root), "approved")
    assert [one.username for one in found.items] == ["ben"]


async def test_a_declined_person_reads_why_and_may_apply_again(
    store: Store, clock: Watch, ben: User, root: User
) -> None:
    await curators.apply(asks(store, clock, ben), "I know films.")
    declined = await curators.decide(
        asks(store, clock, root), ben.user_id, "decline", "Tell us more."
    )
    assert declined.curator_moves[-1].reason == "Tell us more."
    clock.forward(1)
    again = await curators.apply(asks(store, clock, ben), "I know 1,000 films.")
    assert (again.curator_status, again.motivation) == ("pending", "I know 1,000 films.")


async def test_a_suspended_curator_can_be_reinstated(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    clock.forward(1)
    assert (
        await curators.decide(asks(store, clock, root), ada.user_id, "suspend", "Spam.")
    ).is_curator is False
    clock.forward(1)
    back = await curators.decide(asks(store, clock, root), ada.user_id, "reinstate")
    assert (back.curator_status, back.is_curator) == ("approved", True)
    entries = await everything_of(store.engine, CuratorEntry)
    assert [(one.status, one.user_id) for one in entries] == [("approved", ada.user_id)]


async def test_steps_that_do_not_lead_on_are_refused(
    store: Store, clock: Watch, ada: User, ben: User, root: User
) -> None:
    ctx = asks(store, clock, root)
    with pytest.raises(NotFound):
        await curators.decide(ctx, ben.user_id, "approve")
    with pytest.raises(NotFound):
        await curators.decide(ctx, "a#b", "approve")
    decisions: tuple[Decision, ...] = ("approve", "reinstate")
    for decision in decisions:
        with pytest.raises(Conflict):
            await curators.decide(ctx, ada.user_id, decision)
    with pytest.raises(Conflict):
        await curators.apply(asks(store, clock, ada), "Again.")
    with pytest.raises(InvalidField):
        await curators.decide(ctx, ada.user_id, "suspend", " ")


async def test_only_administrators_decide_and_see(store: Store, clock: Watch, ada: User) -> None:
    ctx = asks(store, clock, ada)
    for doing in (
        curators.decide(ctx, ada.user_id, "approve"),
        curators.decide(ctx, ada.user_id, "suspend", "x"),
        curators.curators_with(ctx, "pending"),
    ):
        with pytest.raises(Forbidden):
            await doing


async def test_of_two_decisions_at_once_one_is_first(
    store: Store, clock: Watch, ben: User, root: User
) -> None:
    await curators.apply(asks(store, clock, ben), "I know films.")
    ctx = asks(store, clock, root)
    done, refused = await at_once(
        curators.decide(ctx, ben.user_id, "approve"),
        curators.decide(ctx, ben.user_id, "decline", "No."),
    )
    assert (len(done), [type(one) for one in refused]) == (1, [Conflict])
    entries = await everything_of(store.engine, CuratorEntry)
    assert [one.status for one in entries] == [done[0].curator_status]
