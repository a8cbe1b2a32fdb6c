"""Who was recognised before is recognised again, for as long as nothing at all has been written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.web.callers import Caller

MOST = 1000
SECONDS = 60
"""After this we look again, and note when a browser or program was last here."""


class Recognised:
    """The callers of a store's data as it is now.

    Recognising takes two reads, half of what a short answer takes. While nobody has written
    anything, in any process, they would give the same again. Where an engine cannot tell, as
    DynamoDB cannot, nobody is remembered.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._moment: int | None = None
        self._known: dict[str, tuple[float, Caller]] = {}
        self._looked = False

    def again(self, secret: str, now: float) -> Caller | None:
        """Who shows this secret, if that is known as of now."""
        if not self._looked:
            self._look()
        found = self._known.get(secret)
        return None if found is None or found[0] <= now else found[1]

    def remember(self, secret: str, now: float, caller: Caller, until: float | None) -> None:
        """Keeps who was recognised, unless something was written meanwhile."""
        if self._moment is None or self._store.moment() != self._moment:
            return
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[secret] = (min(now + SECONDS, until or now + SECONDS), caller)

    def _look(self) -> None:
        moment = self._store.moment()
        if moment is None or moment != self._moment:
            self._known.clear()
            self._moment = moment
        # Requests that wait beside this one were all here before we looked, so one look is enough
        # for them; whatever comes later is behind this in the loop's queue, and makes us look again.
        self._looked = True
        asyncio.get_running_loop().call_soon(self._look_again)

    def _look_again(self) -> None:
        self._looked = False


_of_stores: WeakKeyDictionary[Store, Recognised] = WeakKeyDictionary()


def recognised_in(store: Store) -> Recognised:
    """Those of a store; they go with it."""
    found = _of_stores.get(store)
    if found is None:
        found = _of_stores[store] = Recognised(store)
    return found
