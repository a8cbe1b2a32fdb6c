"""After an offer was taken back: its spots go, too."""

from __future__ import annotations

from commonroom.hangouts.tables import Offer, spots
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def clear_spots(store: Store, change: Change) -> None:
    """Deletes the spots of an offer that is gone; none can be claimed any more."""
    if change.kind == "remove":
        gone: Offer = change.old
        await store.delete_all(spots(hangout_id=gone.hangout_id, offer_id=gone.offer_id))


OFFERS = Consumer(name="hangouts-offers", wants=(Offer,), handle=clear_spots)
