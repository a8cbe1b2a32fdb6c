"""Guessing: passcodes and codes are tried only so often, per page and per address."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from commonroom.accounts.errors import TooManyTries
from commonroom.accounts.service.throttle import Limit, count_try, take_back_try
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.store import Store

PASSCODES_OF_PAGE = Limit("shareable-passcode", 30, 15 * 60)
PASSCODES_FROM_ADDRESS = Limit("shareable-passcode-address", 20, 15 * 60)
CODES_OF_PAGE = Limit("shareable-code", 50, 15 * 60)
CODES_FROM_ADDRESS = Limit("shareable-code-address", 20, 15 * 60)


@asynccontextmanager
async def guessing(store: Store, now: float, *limits: tuple[Limit, str]) -> AsyncIterator[None]:
    """Counts a try before it is made, and takes it back unless it turns out to be wrong.

    Counting first is what holds when a thousand guesses come at once; taking back, rather than
    forgetting, is what keeps somebody who knows one passcode from guessing the other for ever.
    """
    counted: list[tuple[Limit, str]] = []
    try:
        for limit, who in limits:
            await count_try(store, now, limit, who)
            counted.append((limit, who))
        yield
    except (WrongPasscode, WrongCode):
        raise
    except TooManyTries:
        await _take_back(store, counted)
        raise
    else:
        await _take_back(store, counted)


async def _take_back(store: Store, counted: list[tuple[Limit, str]]) -> None:
    for limit, who in counted:
        await take_back_try(store, limit, who)
