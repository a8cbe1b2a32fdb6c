"""Who may do what with a page, and what they show for it: passes, passcodes, codes, receipts."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from commonroom.accounts.rules import is_common
from commonroom.errors import InvalidField, NotFound
from commonroom.shareables.tables import Shareable

Role: TypeAlias = Literal["view", "admin"]
Standing: TypeAlias = Literal["view", "admin", "creator"]
"""What a visitor is to a page; each may do what those before may."""

RANK: dict[Standing, int] = {"view": 0, "admin": 1, "creator": 2}
MIN_PASSCODE, MAX_PASSCODE = 6, 64
MIN_NUMBER = 10
"""Of a passcode that is digits alone: six of them, or a date, are soon guessed."""
CODE_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without i, l, o, 0 and 1, which look like each other."""
CODE_LENGTH = 8


class Pass(Struct, frozen=True, array_like=True):
    """What a signed token says: good for one page, one standing and one version."""

    short_id: str
    standing: Standing
    version: int
    plan_id: str = ""
    """The plan that gave it: good only while the page is attached there, for the plan's people."""


class Receipt(Struct, frozen=True, array_like=True):
    """What a browser keeps of an answer that was given in it: its code, which was right."""

    short_id: str
    code: str


def standing_of(
    page: Shareable, passes: Iterable[Pass], account_id: str | None = None
) -> Standing | None:
    """Returns the highest standing that passes and account give; None where the page stays shut."""
    good = {one.standing for one in passes if _is_good(page, one)}
    if account_id is not None and account_id == page.created_by:
        good.add("creator")
    if page.view_passcode is None:
        good.add("view")
    return max(good, key=RANK.__getitem__, default=None)


def pass_for(page: Shareable, standing: Standing) -> Pass:
    """Returns a pass that is good until its passcode, or the creator's pass, is changed."""
    return Pass(page.short_id, standing, _version(page, standing) or 0)


def _is_good(page: Shareable, shown: Pass) -> bool:
    if shown.short_id != page.short_id or shown.version != _version(page, shown.standing):
        return False
    # A pass comes from a passcode and cannot outlive it; the creator's comes from none.
    return shown.standing == "creator" or _passcode(page, shown.standing) is not None


def _version(page: Shareable, standing: Standing) -> int | None:
    match standing:
        case "view":
            return page.view_passcode_version
        case "admin":
            return page.admin_passcode_version
        case "creator":
            return page.creator_token_version


def _passcode(page: Shareable, standing: Standing) -> str | None:
    return page.view_passcode if standing == "view" else page.admin_passcode


def role_named(name: str) -> Role:
    """Returns the role that an address names."""
    roles: tuple[Role, ...] = get_args(Role)
    for role in roles:
        if role == name:
            return role
    raise NotFound("A page has a passcode to view and one to edit.")


def next_version(now: float, before: int | None) -> int:
    """Returns a version that no earlier pass carries: milliseconds, and always more than before."""
    return max(int(now * 1000), (before or 0) + 1)


def passcode(typed: str) -> str:
    """Returns a passcode that may be chosen."""
    composed = unicodedata.normalize("NFC", typed)
    if not MIN_PASSCODE <= len(composed) <= MAX_PASSCODE:
        raise InvalidField(
            "passcode",
            f"Use {MIN_PASSCODE} to {MAX_PASSCODE} characters for the passcode.",
        )
    if composed.isdigit() and len(composed) < MIN_NUMBER:
        raise InvalidField(
            "passcode",
            f"Use at least {MIN_NUMBER} digits, or add a letter.",
        )
    if is_common(composed):
        raise InvalidField("passcode", "This passcode is too common. Please choose another.")
    return composed


def new_code() -> str:
    """Returns a code that nobody can guess."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str | None:
    """Returns the code that was typed, in any case and with any spaces; None where it is none."""
    code = typed.replace("-", "").replace(" ", "").strip().lower() if len(typed) < 40 else ""
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_ALPHABET) else None
