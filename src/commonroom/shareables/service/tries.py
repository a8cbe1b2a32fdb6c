"""Guessing: passcodes and codes are tried only so often, per page and per address."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from commonroom.accounts.service import throttle
from commonroom.accounts.service.throttle import Limit
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.store import Store

PASSCODES_OF_PAGE = Limit("shareable-passcode", 30, 15 * 60)
PASSCODES_FROM_ADDRESS = Limit("shareable-passcode-address", 20, 15 * 60)
CODES_OF_PAGE = Limit("shareable-code", 50, 15 * 60)
CODES_FROM_ADDRESS = Limit("shareable-code-address", 20, 15 * 60)
ANSWERS_FROM_ADDRESS = Limit("shareable-answer-address", 300, 3600)
"""To one page: a school behind one address can answer, and nobody alone fills a page up."""


def guessing(
    store: Store, now: float, *limits: tuple[Limit, str]
) -> AbstractAsyncContextManager[None]:
    """A guess at a passcode or a code, which counts unless it turns out to be right."""
    return throttle.guessing(store, now, *limits, wrong=(WrongPasscode, WrongCode))


async def count_answer(store: Store, now: float, short_id: str, address: str) -> None:
    """Counts an answer to a page, and refuses it where too many come from the same address."""
    await throttle.count_try(store, now, ANSWERS_FROM_ADDRESS, f"{short_id} {address}")
