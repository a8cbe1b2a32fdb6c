"""New things: what a room lets people make, declared for the one place where anything is made."""

from __future__ import annotations

from msgspec import Struct


class NewThing(Struct, frozen=True, kw_only=True):
    """Something that can be made; texts are translated when they are shown."""

    name: str
    line: str
    """What it is for, in a few words."""
    icon: str
    """One of the house (`hangouts`), or of the room (`library/hand`)."""
    address: str
    """The form that makes it. Where something must be there first, it says so."""
    for_guests: bool = False
    """Whether those without an account may make it."""
    for_managed: bool = False
    """Whether a person who acts for a managed member may make it."""
