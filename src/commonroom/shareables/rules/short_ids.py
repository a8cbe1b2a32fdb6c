"""Short ids: `AAA-AAA-00000`, as people see, type and say them, and the addresses made of them."""

from __future__ import annotations

import re
import secrets
from urllib.parse import quote
from uuid import uuid4

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without I, L and O, which look like 1 and 0."""
DIGITS = "0123456789"
GROUP, NUMBERS = 3, 5

_MAX_LENGTH = 40
"""More than anybody types around an id; what is longer is not looked at."""
_BETWEEN = re.compile(r"[\s\u2010-\u2015-]+")
_PLAIN = re.compile(rf"([{LETTERS}]{{3}})([{LETTERS}]{{3}})([0-9OIL]{{5}})")
_WRITTEN = re.compile(rf"[{LETTERS}]{{3}}-[{LETTERS}]{{3}}-[0-9]{{5}}", re.IGNORECASE | re.ASCII)
_MEANT = str.maketrans("OIL", "011")

# Anywhere among the six letters; longer words hold one of these or an I, L or O.
_RUDE = (
    "ASS", "CNT", "CUM", "CUN", "DCK", "FAG", "FAP", "FCK", "FKU", "FUC", "FUK", "FUQ", "GAY",
    "JAP", "JEW", "KKK", "KYS", "NAZ", "NEG", "NGR", "PEE", "PNS", "PUS", "RAP", "RPE", "SEX",
    "SHT", "STD", "SUC", "SUK", "TRD", "TWT", "VAG", "WTF", "XXX",
)  # fmt: skip


def new_short_id() -> str:
    """Returns a short id that nobody can guess and nobody minds, as the pool keeps it."""
    while True:
        letters = "".join(secrets.choice(LETTERS) for _ in range(2 * GROUP))
        if not is_rude(letters):
            break
    numbers = "".join(secrets.choice(DIGITS) for _ in range(NUMBERS))
    return f"{letters[:GROUP]}-{letters[GROUP:]}-{numbers}"


def is_rude(letters: str) -> bool:
    """Returns whether a rude word could be read in an id, in a group or across both."""
    plain = letters.upper().replace("-", "")
    return any(word in plain for word in _RUDE)


def read_short_id(typed: str) -> str | None:
    """Returns the typed id as it is stored; None where it cannot be one.

    Any case, with or without dashes and spaces; an O or I among the numbers is a 0 or 1.
    """
    if _WRITTEN.fullmatch(typed):
        return typed.lower()
    if len(typed) > _MAX_LENGTH or not (plain := _BETWEEN.sub("", typed)).isascii():
        return None
    found = _PLAIN.fullmatch(plain.upper())
    if found is None:
        return None
    first, second, numbers = found.groups()
    return f"{first}-{second}-{numbers.translate(_MEANT)}".lower()


def format_short_id(short_id: str) -> str:
    """Returns a stored id as people see it."""
    return short_id.upper()


def address_of(short_id: str) -> str:
    """Returns a page's one address, however its id was typed."""
    written = format_short_id(short_id)
    return f"/s/{written if _WRITTEN.fullmatch(written) else quote(written, safe='')}"


def recovery_address(short_id: str, token: str) -> str:
    """Returns the creator's way back in: its holder administers the page."""
    return f"{address_of(short_id)}/recover/{token}"


def new_id() -> str:
    """Returns an id for a part of a page; none is ever used again."""
    return str(uuid4())
