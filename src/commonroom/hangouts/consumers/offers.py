"""After an offer was settled or taken back: its people have their tickets, or are told."""

from __future__ import annotations

from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.recipients import BATCH, accounts_of
from commonroom.hangouts.service.tickets import settle_tickets
from commonroom.hangouts.tables import Hangout, Offer, spots
from commonroom.notifications.notifications import tell
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_offer(store: Store, change: Change) -> None:
    """Settles tickets with their offer, and clears up after one that is gone."""
    before: Offer | None = change.old
    after: Offer | None = change.new
    if after is None:
        await _clear_up(store, change)
    elif after.for_tickets and after.done_at and (before is None or before.done_at is None):
        await _settle(store, after)


async def _settle(store: Store, settled: Offer) -> None:
    """Assigns the tickets of a settled offer, where it has not been opened again since."""
    now = await store.get(settled.ref)
    if now is None or now.done_at != settled.done_at:
        return
    asked = spots(hangout_id=settled.hangout_id, offer_id=settled.offer_id)
    claimed = [one async for one in store.all(asked)]
    for start in range(0, len(claimed), BATCH):
        await settle_tickets(store, settled, claimed[start : start + BATCH])


async def _clear_up(store: Store, change: Change) -> None:
    """Removes the spots of an offer that is gone; none can be claimed any more."""
    gone: Offer = change.old
    asked = spots(hangout_id=gone.hangout_id, offer_id=gone.offer_id)
    hangout = await store.get(Hangout.at(hangout_id=gone.hangout_id))
    if hangout is not None:  # with it, everything goes
        claimed = [one.user_id async for one in store.all(asked)]
        people = await accounts_of(store, claimed)
        facts = {"offer": gone.title, "title": hangout.title}
        link = f"{notifications.page_of(gone.hangout_id)}#tickets"
        kind, about = notifications.SPOT_LOST, gone.offer_id
        by = gone.user_id
        await tell(store, change.at, people, kind, facts=facts, link=link, id=about, by=by)
    await store.delete_all(asked)


OFFERS = Consumer("hangouts-offers", (Offer,), follow_offer, tells=(notifications.SPOT_LOST,))
