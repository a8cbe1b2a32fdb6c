"""How often something may be tried, counted in the store so that it holds across processes."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from msgspec import Struct

from commonroom.accounts.errors import TooManyTries
from commonroom.accounts.tables import Attempts
from commonroom.store import ConditionFailed, Store, above, add, below, create, delete, update


class Limit(Struct, frozen=True):
    """So many tries in so many seconds."""

    what: str
    tries: int
    seconds: int


SIGN_IN_TO_ACCOUNT = Limit("sign-in-account", 10, 15 * 60)
SIGN_IN_FROM_ADDRESS = Limit("sign-in-address", 50, 15 * 60)
SIGN_UP_FROM_ADDRESS = Limit("sign-up-address", 20, 3600)
PASSWORD_AGAIN = Limit("password-again", 10, 15 * 60)
"""Asking somebody who is signed in for their password."""
RESET_FROM_ADDRESS = Limit("reset-address", 20, 3600)
FORGOTTEN_FROM_ADDRESS = Limit("forgotten-address", 20, 3600)
FORGOTTEN_OF_ACCOUNT = Limit("forgotten-account", 5, 3600)
CONFIRMATION_OF_ACCOUNT = Limit("confirmation-account", 5, 3600)
CONFIRMATION_TO_ADDRESS = Limit("confirmation-to", 5, 3600)
"""Letters to people who never asked for any."""


CROWDED = 5
"""How often a window is begun anew before a crowd is asked to wait."""


async def count_try(store: Store, now: float, limit: Limit, who: str) -> None:
    """Counts one more try, and refuses it where there have been too many.

    The count goes with its window, by TTL: an expired one is invisible at once.
    """
    ref = Attempts.at(what=limit.what, who=_named(who))
    fresh = Attempts(what=limit.what, who=_named(who), count=1, ttl=int(now) + limit.seconds)
    for _ in range(CROWDED):
        try:
            await store.write(update(ref, count=add(1), if_=below(count=limit.tries)))
        except ConditionFailed as failed:
            if failed.entity is not None:
                raise TooManyTries(max(1, int(failed.entity.ttl - now))) from None
        else:
            return
        try:
            await store.write(create(fresh))
        except ConditionFailed:
            continue  # somebody else began the window at the same moment
        else:
            return
    raise TooManyTries(1)  # a crowd is trying, and a try that was not counted is none


@asynccontextmanager
async def guessing(
    store: Store,
    now: float,
    *limits: tuple[Limit, str],
    wrong: type[Exception] | tuple[type[Exception], ...],
) -> AsyncIterator[None]:
    """Counts a guess before it is made, and takes it back unless it turns out to be wrong.

    Counting first is what holds when a thousand guesses come at once; taking back, rather than
    forgetting, is what keeps somebody who knows one answer from guessing others for ever.
    """
    counted: list[tuple[Limit, str]] = []
    try:
        for limit, who in limits:
            await count_try(store, now, limit, who)
            counted.append((limit, who))
        yield
    except wrong:
        raise
    except TooManyTries:
        await _take_back(store, counted)
        raise
    else:
        await _take_back(store, counted)


async def take_back_try(store: Store, limit: Limit, who: str) -> None:
    """A try that turned out to be none of those that are limited; the others still count."""
    ref = Attempts.at(what=limit.what, who=_named(who))
    with suppress(ConditionFailed):  # the window has ended
        await store.write(update(ref, count=add(-1), if_=above(count=0)))


async def forget_tries(store: Store, limit: Limit, who: str) -> None:
    """After a success, earlier failures no longer count."""
    await store.write(delete(Attempts.at(what=limit.what, who=_named(who))))


async def _take_back(store: Store, counted: Sequence[tuple[Limit, str]]) -> None:
    for limit, who in counted:
        await take_back_try(store, limit, who)


def _named(who: str) -> str:
    # People type anything into the field of an address; a key takes only so much of it. What is
    # one account must be one name, however it is typed.
    plain = unicodedata.normalize("NFC", who).strip().casefold()
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:32]
