"""Admin pages: what a room adds to the administration."""

from __future__ import annotations

from msgspec import Struct


class AdminPage(Struct, frozen=True):
    """A page for administrators; its title is translated when it is shown."""

    address: str
    title: str
    icon: str
