"""The sizes in which a cover is kept."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal, TypeAlias

Size: TypeAlias = Literal["small", "large"]
Thumbnails: TypeAlias = dict[Size, bytes]

BOXES: dict[Size, tuple[int, int]] = {"large": (600, 900), "small": (240, 360)}
"""For an item's page and for a shelf, on screens with two dots where others have one."""


def file_name(address: str, size: Size) -> str:
    """What the picture at an address is kept as."""
    return f"{sha256(address.encode()).hexdigest()[:40]}-{size}.webp"
