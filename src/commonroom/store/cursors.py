"""Cursors: where a page ended, sealed: they tell nothing, cannot be changed, fit one query."""

from __future__ import annotations

import os
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec

from commonroom.sealed_tokens import (
    KEY_BYTES,
    InvalidToken,
    SealedTokens,
    from_base64url,
    to_base64url,
)
from commonroom.store.errors import BadCursor

if TYPE_CHECKING:  # loaded with the first cursor: not every command and start needs it
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

MAX_CURSOR = 16384
"""Far beyond the four longest keys that a position can hold."""

_REFUSED = (
    "This page link has been changed or belongs to another list; start again from its beginning."
)


class Cursors:
    """Seals and opens cursors with a key that all servers of an installation share."""

    def __init__(self, key: bytes) -> None:
        self._tokens = SealedTokens(key, longest=MAX_CURSOR)
        self._key = key

    @staticmethod
    def new_key() -> bytes:
        """Returns a fresh secret."""
        return os.urandom(KEY_BYTES)

    def seal(self, position: Any, query: Any) -> str:
        """Returns an opaque cursor that only the same query takes."""
        return self._tokens.seal(position, msgspec.msgpack.encode(query))

    def open(self, cursor: str, query: Any) -> Any:
        """Returns the position in a cursor of this query."""
        try:
            return self._tokens.unseal(cursor, msgspec.msgpack.encode(query), Any)
        except InvalidToken as error:
            raise BadCursor(_REFUSED) from error

    def seal_position(self, position: Any, query: Any) -> str:
        """Seals a position, always spelt alike: a list that has not changed keeps its ETag."""
        plain, bound = msgspec.msgpack.encode(position), msgspec.msgpack.encode(query)
        return to_base64url(self._positions.encrypt(plain, [bound]))

    def open_position(self, cursor: str, query: Any) -> Any:
        """Returns the position in such a cursor."""
        if len(cursor) > MAX_CURSOR:
            raise BadCursor(_REFUSED)
        from cryptography.exceptions import InvalidTag

        bound = msgspec.msgpack.encode(query)
        try:
            plain = self._positions.decrypt(from_base64url(cursor), [bound])
            return msgspec.msgpack.decode(plain)
        except (InvalidTag, ValueError) as error:
            raise BadCursor(_REFUSED) from error

    @cached_property
    def _positions(self) -> AESSIV:
        from cryptography.hazmat.primitives.ciphers.aead import AESSIV

        return AESSIV(blake2b(b"positions", key=self._key, digest_size=KEY_BYTES).digest())
