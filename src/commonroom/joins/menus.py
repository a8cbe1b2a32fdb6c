"""What a room has in the menus of the house: things to make, first steps and pages, declared.

All texts are translated when they are shown.
"""

from __future__ import annotations

from msgspec import Struct


class NewThing(Struct, frozen=True, kw_only=True):
    """Something that can be made, for the one place where anything is made."""

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


class FirstStep(Struct, frozen=True):
    """Something to begin with, for a person who has nothing in the room yet."""

    name: str
    address: str
    icon: str
    title: str
    text: str


class AdminPage(Struct, frozen=True):
    """A page for administrators."""

    address: str
    title: str
    icon: str
