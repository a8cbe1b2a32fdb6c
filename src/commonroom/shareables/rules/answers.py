"""Answers: with a code or a receipt, whoever gave one changes or withdraws it."""

from __future__ import annotations

import secrets

from msgspec import Struct

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without i, l, o, 0 and 1, which look like each other."""
LENGTH = 8


class Receipt(Struct, frozen=True, array_like=True):
    """What a browser keeps of an answer that was given in it: its code, which was right."""

    short_id: str
    code: str


def new_code() -> str:
    """A code that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str | None:
    """The code that somebody means, in any case and with any spaces; None where it is none."""
    code = typed.replace("-", "").replace(" ", "").strip().lower() if len(typed) < 40 else ""
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None
