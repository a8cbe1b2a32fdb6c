"""Guessing: how often the passcodes and codes of a page are tried, from where and by whom."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal, TypeAlias

from commonroom.accounts.service import throttle
from commonroom.accounts.service.throttle import GuessLimits, Limit, failures_logged
from commonroom.rate_limits import network_of
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.store import Store

Group: TypeAlias = Literal["guest", "visitor", "account"]
"""Who guesses: a stranger, a device that has had a pass for the page, somebody signed in.

Each group has a budget of its own for a page, so that strangers, however many, use up nobody's but
their own.
"""

QUARTER = 15 * 60
OF_PAGE = (2000, 2000 * 36)
"""A hundred an hour by one group, from all networks together: what a passcode must withstand."""

PASSCODES_FROM_ADDRESS = Limit("shareable-passcode-network", 10, 10 * QUARTER, first_wait=15)
PASSCODES_OF_PAGE = Limit("shareable-passcode", *OF_PAGE)
PASSCODES = GuessLimits(
    from_network=PASSCODES_FROM_ADDRESS,
    from_neighbourhood=Limit("shareable-passcode-around", 30, 30 * QUARTER, first_wait=15),
    overall=PASSCODES_OF_PAGE,
    at_anything=Limit("shareable-passcode-address", 40, 40 * 60, first_wait=2),
)
CODES_FROM_ADDRESS = Limit("shareable-code-network", 10, 10 * QUARTER, first_wait=15)
CODES_OF_PAGE = Limit("shareable-code", *OF_PAGE)
CODES = GuessLimits(
    from_network=CODES_FROM_ADDRESS,
    from_neighbourhood=Limit("shareable-code-around", 30, 30 * QUARTER, first_wait=15),
    overall=CODES_OF_PAGE,
    at_anything=Limit("shareable-code-address", 40, 40 * 60, first_wait=2),
)
ANSWERS_FROM_ADDRESS = Limit("shareable-answer-address", 300, 3600)
"""To one page: a school behind one address can answer, and nobody alone fills a page up."""


def group_of(account_id: str | None, *, had_pass: bool) -> Group:
    """Which budget of a page somebody's guesses come from."""
    if account_id is not None:
        return "account"
    return "visitor" if had_pass else "guest"


@asynccontextmanager
async def guessing(
    store: Store, now: float, limits: GuessLimits, short_id: str, *, address: str, group: Group
) -> AsyncIterator[None]:
    """A guess at a passcode or a code, which counts unless it turns out to be right."""
    counted = limits.of(short_id, address, group=group)
    wrong = (WrongPasscode, WrongCode)
    with failures_logged("passcode" if limits is PASSCODES else "code", address, wrong):
        async with throttle.guessing(store, now, *counted, wrong=wrong):
            yield


async def count_answer(store: Store, now: float, short_id: str, address: str) -> None:
    """Counts an answer to a page, and refuses it where too many come from the same address."""
    await throttle.count_try(store, now, ANSWERS_FROM_ADDRESS, f"{short_id} {network_of(address)}")
