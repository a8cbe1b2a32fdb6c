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


def guessing(
    store: Store, now: float, *limits: tuple[Limit, str]
) -> AbstractAsyncContextManager[None]:
    """A guess at a passcode or a code, which counts unless it turns out to be right."""
    return throttle.guessing(store, now, *limits, wrong=(WrongPasscode, WrongCode))
