"""After several people answered at once: the momentum that they reached together is stored.

Each of them knew of their own answer alone, so that none had to wait for another.
"""

from __future__ import annotations

from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.tables import COUNTS, Hangout
from commonroom.store import Store, as_read, update_with_copies
from commonroom.store.streams import Change, Consumer


@retry
async def follow_hangout(store: Store, change: Change) -> None:
    """Raises a hangout's momentum to what its answers come to, where these changed."""
    new: Hangout | None = change.new
    if new is None or _counts(change.old) == _counts(new):
        return
    if momentum(new, change.at) == new.momentum:
        return

    hangout = await store.get(new.ref)
    if hangout is None or (reached := momentum(hangout, change.at)) == hangout.momentum:
        return
    same = as_read(hangout, *sorted(COUNTS), "momentum", "version")
    await store.write(*update_with_copies(hangout, if_=same, momentum=reached))


def _counts(hangout: Hangout | None) -> tuple[int, ...] | None:
    return None if hangout is None else tuple(getattr(hangout, one) for one in sorted(COUNTS))


# It came with numbers that hangouts of earlier versions lack, and that a check counts.
MOMENTUM = Consumer("hangouts-momentum", (Hangout,), follow_hangout, needs_past=True)
