"""After an offer was taken back: who had a spot is told, and their spots go."""

from __future__ import annotations

from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.recipients import accounts_of
from commonroom.hangouts.tables import Hangout, Offer, spots
from commonroom.notify.notifications import tell
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_offer(store: Store, change: Change) -> None:
    """Clears up the spots of an offer that is gone; none can be claimed any more."""
    if change.kind != "remove":
        return
    gone: Offer = change.old
    asked = spots(hangout_id=gone.hangout_id, offer_id=gone.offer_id)
    hangout = await store.get(Hangout.at(hangout_id=gone.hangout_id))
    if hangout is not None:  # with it, everything goes
        claimed = [one.user_id async for one in store.all(asked)]
        people = [one for one in await accounts_of(store, claimed) if one.user_id != gone.user_id]
        facts = {"offer": gone.title, "title": hangout.title}
        link = f"{notifications.page_of(gone.hangout_id)}#tickets"
        kind, about = notifications.SPOT_LOST, gone.offer_id
        await tell(store, change.at, people, kind, facts=facts, link=link, id=about)
    await store.delete_all(asked)


OFFERS = Consumer(name="hangouts-offers", wants=(Offer,), handle=follow_offer)
