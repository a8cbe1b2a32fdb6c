"""Names of covers: the address of a picture, sealed, so that nobody names one that no item has."""

from __future__ import annotations

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cached_property

from commonroom.settings import Settings, secrets_of

PURPOSE = "library covers"
SEAL = 16
"""Bytes that nobody guesses."""


class Seal:
    """Seals and opens the names of an installation; all of its machines agree on them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def name(self, address: str) -> str:
        """The name of the picture at an address."""
        written = address.encode()
        return urlsafe_b64encode(self._sealed(written) + written).decode().rstrip("=")

    def address(self, name: str) -> str | None:
        """What a name means; None where it was not given here."""
        try:
            told = urlsafe_b64decode(name.encode("ascii") + b"=" * (-len(name) % 4))
            seal, written = told[:SEAL], told[SEAL:]
            return written.decode() if hmac.compare_digest(seal, self._sealed(written)) else None
        except (binascii.Error, ValueError):
            return None

    def _sealed(self, written: bytes) -> bytes:
        return hmac.digest(self._key, written, "sha256")[:SEAL]

    @cached_property
    def _key(self) -> bytes:
        """Made when the first is needed."""
        return secrets_of(self._settings).derived(PURPOSE)
