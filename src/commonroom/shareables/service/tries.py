"""Guessing: passcodes and codes are tried only so often, per page and per address."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from commonroom.accounts.errors import TooManyTries
from commonroom.accounts.service.throttle import Limit
from commonroom.accounts.tables import Attempts
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.store import ConditionFailed, Store, above, add, below, create, update

PASSCODES_OF_PAGE = Limit("shareable-passcode", 30, 15 * 60)
PASSCODES_FROM_ADDRESS = Limit("shareable-passcode-address", 20, 15 * 60)
CODES_OF_PAGE = Limit("shareable-code", 50, 15 * 60)
CODES_FROM_ADDRESS = Limit("shareable-code-address", 20, 15 * 60)

CROWDED = 5


@asynccontextmanager
async def guessing(store: Store, now: float, *limits: tuple[Limit, str]) -> AsyncIterator[None]:
    """Counts a try before it is made, and takes it back unless it turns out to be wrong.

    Counting first is what holds when a thousand guesses come at once; taking back, rather than
    forgetting, is what keeps somebody who knows one passcode from guessing the other for ever.
    """
    counted: list[tuple[Limit, str]] = []
    try:
        for limit, who in limits:
            await _count(store, now, limit, who)
            counted.append((limit, who))
        yield
    except (WrongPasscode, WrongCode):
        raise
    except TooManyTries:
        await _take_back(store, counted)
        raise
    else:
        await _take_back(store, counted)


async def _count(store: Store, now: float, limit: Limit, who: str) -> None:
    fresh = Attempts(what=limit.what, who=_named(who), count=1, ttl=int(now) + limit.seconds)
    for _ in range(CROWDED):
        try:
            await store.write(update(fresh.ref, count=add(1), if_=below(count=limit.tries)))
        except ConditionFailed as failed:
            if failed.entity is not None:
                raise TooManyTries(max(1, int(failed.entity.ttl - now))) from None
        else:
            return
        with suppress(ConditionFailed):  # somebody else began the window at the same moment
            await store.write(create(fresh))
            return
    raise TooManyTries(1)


async def _take_back(store: Store, counted: list[tuple[Limit, str]]) -> None:
    for limit, who in counted:
        ref = Attempts.at(what=limit.what, who=_named(who))
        with suppress(ConditionFailed):  # the window has ended
            await store.write(update(ref, count=add(-1), if_=above(count=0)))


def _named(who: str) -> str:
    return hashlib.sha256(who.encode("utf-8", "replace")).hexdigest()[:32]
