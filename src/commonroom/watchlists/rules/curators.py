"""Curators: which steps there are, who publishes, and what is said with a step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from commonroom.errors import Conflict, InvalidField
from commonroom.texts import fit_lines
from commonroom.watchlists.tables import CuratorMove, CuratorStatus, Profile

MAX_MOTIVATION = 1000
MAX_REASON = 500
MAX_MOVES = 50
"""How many steps are remembered, the newest ones."""

Decision: TypeAlias = Literal["approve", "decline", "suspend", "reinstate"]
Step: TypeAlias = Literal["apply", Decision]
NEED_REASON: frozenset[Decision] = frozenset({"decline", "suspend"})
WhoPublishes: TypeAlias = Literal["curators", "everybody", "administrator"]
"""The setting of the installation; `administrator` where one asks who is bound by `curators`."""

CURATOR_STATUS: Mapping[Step, tuple[frozenset[CuratorStatus | None], CuratorStatus]] = {
    "apply": (frozenset({None, "declined"}), "pending"),
    "approve": (frozenset({"pending"}), "approved"),
    "decline": (frozenset({"pending"}), "declined"),
    # Where everybody publishes, a person who never applied may have to be stopped, too.
    "suspend": (frozenset({None, "pending", "approved", "declined"}), "suspended"),
    "reinstate": (frozenset({"suspended"}), "approved"),
}
"""From where each step leads, and to where; there is no other."""

REFUSALS: Mapping[CuratorStatus | None, str] = {
    None: "They have not applied to become a curator.",
    "pending": "Their application is still waiting for an answer.",
    "approved": "They are a curator already.",
    "declined": "Their application was declined.",
    "suspended": "They are suspended.",
}


def status_after(step: Step, status: CuratorStatus | None) -> CuratorStatus:
    """Returns the status that a step leads to; refused where it cannot be taken from here."""
    allowed, to = CURATOR_STATUS[step]
    if status not in allowed:
        raise Conflict(REFUSALS[status], status=status)
    return to


def moves_after(profile: Profile, move: CuratorMove) -> list[CuratorMove]:
    """Returns the steps of a person with one more."""
    return [*profile.curator_moves, move][-MAX_MOVES:]


def motivation(text: str) -> str:
    """Why a person wants to be a curator."""
    return _needed("motivation", text, MAX_MOTIVATION, "Say why you want to publish lists.")


def reason(text: str) -> str:
    """Why an application is declined or a curator suspended: the person reads it."""
    return _needed("reason", text, MAX_REASON, "Give a reason. The person will read it.")


def _needed(field: str, text: str, longest: int, empty: str) -> str:
    found = fit_lines(field, text, longest)
    if found is None:
        raise InvalidField(field, empty)
    return found


def may_publish(status: CuratorStatus | None, who: WhoPublishes) -> bool:
    """Returns whether a person may make lists public."""
    return status == "approved" or (who != "curators" and status != "suspended")


def publishes_by_default(status: CuratorStatus | None, who: WhoPublishes) -> bool:
    """Returns whether lists are public unless their maker says otherwise."""
    return may_publish(status, who) and (status == "approved" or who == "everybody")
