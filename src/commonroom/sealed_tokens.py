"""Sealed tokens: what the installation gives away and knows again, and nobody can read or make."""

from __future__ import annotations

import base64
import binascii
import os
from typing import Any, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

NONCE_BYTES = 12

T = TypeVar("T")


class SealedTokens:
    """Seals and opens tokens with one key; one of another purpose is as good as none."""

    def __init__(self, key: bytes, *, longest: int) -> None:
        self._cipher = ChaCha20Poly1305(key)
        self._longest = longest

    def seal(self, value: Any, purpose: bytes) -> str:
        """A token that holds a value; safe in cookies, headers and addresses."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, msgspec.msgpack.encode(value), purpose)
        return base64.urlsafe_b64encode(nonce + sealed).rstrip(b"=").decode()

    def open(self, token: str, purpose: bytes, kind: type[T]) -> T | None:
        """What a token holds; None where it is none of ours."""
        if len(token) > self._longest or not token.isascii():
            return None
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
            plain = self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], purpose)
            return msgspec.msgpack.decode(plain, type=kind)
        except (InvalidTag, binascii.Error, ValueError, msgspec.MsgspecError):
            return None
