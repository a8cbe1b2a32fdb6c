"""Cursors: where a page ended, sealed: they tell nothing, cannot be changed, fit one query."""

from __future__ import annotations

import base64
import binascii
import os
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from commonroom.store.errors import BadCursor

NONCE_BYTES = 12
LONGEST = 16384
"""Far beyond the four longest keys that a position can hold."""

_REFUSED = (
    "This page link has been changed or belongs to another list; start again from its beginning."
)


class Cursors:
    """Seals and opens cursors with a key that all servers of an installation share."""

    def __init__(self, key: bytes) -> None:
        self._cipher = ChaCha20Poly1305(key)

    @staticmethod
    def new_key() -> bytes:
        """A fresh secret."""
        return ChaCha20Poly1305.generate_key()

    def seal(self, position: Any, query: Any) -> str:
        """An opaque cursor that only the same query takes."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, _pack(position), _pack(query))
        return _encode(nonce + sealed)

    def open(self, cursor: str, query: Any) -> Any:
        """The position in a cursor of this query."""
        if len(cursor) > LONGEST:
            raise BadCursor(_REFUSED)
        try:
            raw = _decode(cursor)
            position = self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _pack(query))
        except (InvalidTag, binascii.Error, ValueError) as error:
            raise BadCursor(_REFUSED) from error
        return msgspec.msgpack.decode(position)


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(cursor: str) -> bytes:
    raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    # Base64 has several spellings of the same bytes; a cursor has one.
    if _encode(raw) != cursor:
        raise ValueError("not as we write it")
    return raw


def _pack(value: Any) -> bytes:
    return msgspec.msgpack.encode(value)
