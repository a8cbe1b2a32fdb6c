"""Passes: tokens that say what somebody may do with one page, sealed by the installation."""

from __future__ import annotations

import base64
import binascii
import os
from typing import TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from commonroom.shareables.rules.access import Pass, Receipt

PURPOSE = "passes of shareables"
"""What the installation's secret is derived for."""
NONCE_BYTES = 12
LONGEST = 200


_PASS, _RECEIPT = b"pass", b"receipt"

T = TypeVar("T", Pass, Receipt)


class Passes:
    """Seals and opens passes with a key that all servers of an installation share."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)

    def sealed(self, one: Pass) -> str:
        """A token that nobody can read, change or make."""
        return self._sealed(one, _PASS)

    def opened(self, token: str) -> Pass | None:
        """What a token says; None where it is none of ours."""
        return self._opened(token, _PASS, Pass)

    def receipt(self, one: Receipt) -> str:
        """The same for an answer: whoever shows it need not guess its code."""
        return self._sealed(one, _RECEIPT)

    def opened_receipt(self, token: str) -> Receipt | None:
        """What a receipt says; None where it is none of ours."""
        return self._opened(token, _RECEIPT, Receipt)

    def _sealed(self, one: Pass | Receipt, purpose: bytes) -> str:
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, msgspec.msgpack.encode(one), purpose)
        return base64.urlsafe_b64encode(nonce + sealed).rstrip(b"=").decode()

    def _opened(self, token: str, purpose: bytes, kind: type[T]) -> T | None:
        if len(token) > LONGEST or not token.isascii():
            return None
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
            plain = self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], purpose)
            return msgspec.msgpack.decode(plain, type=kind)
        except (InvalidTag, binascii.Error, ValueError, msgspec.MsgspecError):
            return None
