"""Secrets that people hold: passwords are stored as argon2id hashes, everything else as digests."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from commonroom.metering import MeteredThreads

if TYPE_CHECKING:
    from argon2 import PasswordHasher

BYTES = 32

_DIGEST = re.compile(r"[0-9a-f]{64}")

# Each takes 19 MiB for a moment; a crowd at the door must not take the house down.
_threads = MeteredThreads(max_workers=4, thread_name_prefix="passwords")
_nobody: str | None = None


def new_secret(prefix: str = "") -> str:
    """Returns a secret that nobody can guess, safe in addresses and headers."""
    return prefix + secrets.token_urlsafe(BYTES)


def digest(secret: str) -> str:
    """Returns what is stored of a secret. It has 256 random bits, so it needs no slow hash."""
    # People may show anything: also what is no text has a digest, which nothing is stored under.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Whether something can be stored under this at all; it may come from an address."""
    return _DIGEST.fullmatch(text) is not None


async def hash_password(password: str) -> str:
    """Returns what is stored of a password."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, _hash, password)


async def is_password(hashed: str | None, password: str) -> bool:
    """Whether it is the one. Without a stored one it takes as long, and is never."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads, _verify, hashed, password)


def needs_rehash(hashed: str) -> bool:
    """Whether it was hashed with other costs than we use now."""
    return _hasher().check_needs_rehash(hashed)


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # when the first password is typed

    # 19 MiB and two passes: OWASP's recommendation for argon2id on a small server.
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def _hash(password: str) -> str:
    return _hasher().hash(_typed(password))


def _verify(hashed: str | None, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    global _nobody  # noqa: PLW0603 - made once, for the first unknown address
    if hashed is None and _nobody is None:
        _nobody = _hash("nobody's password")
    try:
        _hasher().verify(hashed or _nobody or "", _typed(password))
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None


def _typed(password: str) -> bytes:
    # Keyboards differ in how they make an é; and a form may hold what is no text.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
