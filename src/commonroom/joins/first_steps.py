"""First steps: what a room offers to a person who has nothing in it yet, declared."""

from __future__ import annotations

from msgspec import Struct


class FirstStep(Struct, frozen=True):
    """Something to begin with; texts are translated when they are shown."""

    name: str
    address: str
    icon: str
    title: str
    text: str
