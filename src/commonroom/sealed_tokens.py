"""Sealing: what the installation gives away and knows again, and nobody else can make or change.

All of it is here, so that it is right once: `Sealer` encrypts bytes, `SealedTokens` values to text
that nobody can read, `SignedTokens` text that anybody may read and that is always spelt the same.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:  # loaded with the first seal: ten megabytes, which a start need not wait for
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEY_BYTES = 32
NONCE_BYTES = 12
SIGNATURE_BYTES = 16

T = TypeVar("T")


class InvalidToken(ValueError):
    """A token that was not made here, not for this purpose, or was changed."""


class Sealer:
    """Encrypts and authenticates bytes with one key; those of another purpose do not open."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @cached_property
    def _cipher(self) -> ChaCha20Poly1305:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(self._key)

    def seal(self, plain: bytes, purpose: bytes) -> bytes:
        """Returns the bytes as nobody can read or change them; never the same twice."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, purpose)

    def open(self, sealed: bytes, purpose: bytes) -> bytes:
        """Returns the bytes that were sealed for this purpose, or raises `InvalidToken`."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], purpose)
        except (InvalidTag, ValueError):
            raise InvalidToken from None


class SealedTokens:
    """Seals and opens tokens with one key; one of another purpose is as good as none."""

    def __init__(self, key: bytes, *, longest: int) -> None:
        self._sealer = Sealer(key)
        self._longest = longest

    def seal(self, value: Any, purpose: bytes) -> str:
        """Returns a token that holds a value; safe in cookies, headers and addresses."""
        return to_base64url(self._sealer.seal(msgspec.msgpack.encode(value), purpose))

    def open(self, token: str, purpose: bytes, kind: type[T]) -> T | None:
        """Returns what a token holds; None where it is none of ours."""
        try:
            return self.unseal(token, purpose, kind)
        except InvalidToken:
            return None

    def unseal(self, token: str, purpose: bytes, kind: type[T] | Any) -> T:
        """Returns what a token holds, or raises `InvalidToken`."""
        if len(token) > self._longest:
            raise InvalidToken
        plain = self._sealer.open(from_base64url(token), purpose)
        try:
            found: T = msgspec.msgpack.decode(plain, type=kind)
        except msgspec.MsgspecError:
            raise InvalidToken from None
        return found


class SignedTokens:
    """Signs texts with one key: the same text is always the same token, which caches know again."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def sign(self, text: str) -> str:
        """Returns a token that holds a text."""
        written = text.encode()
        return to_base64url(self._signature(written) + written)

    def open(self, token: str) -> str | None:
        """Returns what a token holds; None where it is none of ours."""
        try:
            raw = from_base64url(token)
            signature, written = raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]
            is_ours = hmac.compare_digest(signature, self._signature(written))
            return written.decode() if is_ours else None
        except ValueError:
            return None

    def _signature(self, written: bytes) -> bytes:
        return hmac.digest(self._key, written, "sha256")[:SIGNATURE_BYTES]


def to_base64url(raw: bytes) -> str:
    """Bytes as text that cookies, headers and addresses can carry."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Returns the bytes of such a text, or raises `InvalidToken`."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise InvalidToken from None
    # Base64 has several spellings of the same bytes; ours has one.
    if to_base64url(raw) != text:
        raise InvalidToken
    return raw
