"""Groups: their names and looks, how large they may be, and the codes that let people in."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.errors import Gone, InvalidField
from commonroom.hangouts.tables import GroupMembership, InviteCode
from commonroom.moments import iso
from commonroom.texts import fit_line

MAX_NAME = 100
MAX_MEMBERS = 500
MAX_GROUPS = 50
"""Of one person: all of them are read at once for their list."""
MAX_CODES = 20
"""Of one group that let a person in: all of them end with one write."""
CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without what looks like something else: i, l, o, 0 and 1."""
CODE_LENGTH = 8
COLOURS = ("blue", "green", "orange", "pink", "purple", "red", "teal", "yellow")


def group_name(text: str) -> str:
    """Returns a group's name as it is kept."""
    return fit_line("group_name", text, MAX_NAME)


def colour(name: str | None) -> str | None:
    """One of the colours that groups can have."""
    if name is not None and name not in COLOURS:
        raise InvalidField("colour", "Choose one of the colours.")
    return name


def read_code(typed: str) -> str | None:
    """The code that a person means, in any case and with dashes or spaces; None if it is none."""
    plain = typed.strip().casefold().replace("-", "").replace(" ", "")
    is_code = len(plain) == CODE_LENGTH and all(sign in CODE_SIGNS for sign in plain)
    return plain if is_code else None


def check_code(code: InviteCode, now: float) -> None:
    """Refuses a code that lets nobody in any more."""
    if code.expires_at is not None and code.expires_at <= iso(now):
        raise Gone("This invite has expired. Ask for a new one.")
    if code.single_use and code.used_at is not None:
        raise Gone("This invite was already used. Ask for a new one.")


def is_good(code: InviteCode, now: float) -> bool:
    """Returns whether a code still lets a person in."""
    try:
        check_code(code, now)
    except Gone:
        return False
    return True


def successor(members: Iterable[GroupMembership], leaving: str) -> GroupMembership | None:
    """Returns who becomes admin when the last one leaves: the member who joined first."""
    others = [one for one in members if one.user_id != leaving]
    return min(others, key=lambda one: (one.joined_at, one.user_id), default=None)
