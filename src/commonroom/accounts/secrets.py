"""Secrets that people hold: made here, and stored only as digests."""

from __future__ import annotations

import hashlib
import re
import secrets

BYTES = 32

_DIGEST = re.compile(r"[0-9a-f]{64}")


def new_secret(prefix: str = "") -> str:
    """A secret that nobody can guess, safe in addresses and headers."""
    return prefix + secrets.token_urlsafe(BYTES)


def digest(secret: str) -> str:
    """What is stored of a secret. It has 256 random bits, so it needs no slow hash."""
    # People may show anything: also what is no text has a digest, which nothing is stored under.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Whether something can be stored under this at all; it may come from an address."""
    return _DIGEST.fullmatch(text) is not None
