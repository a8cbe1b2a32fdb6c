"""Pictures of all sorts, made for the tests of covers."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image

RED, BLUE = (220, 20, 30), (10, 30, 200)


def drawn(width: int = 300, height: int = 450, mode: str = "RGB", colour: Any = RED) -> Image.Image:
    """A picture in one colour."""
    return Image.new(mode, (width, height), colour)


def written(picture: Image.Image, kind: str = "JPEG", **more: Any) -> bytes:
    """A picture as a file."""
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def photo(width: int = 300, height: int = 450) -> bytes:
    """An ordinary picture."""
    return written(drawn(width, height))


def turned(side: int = 200, kind: str = "JPEG") -> bytes:
    """A picture that was taken with the camera on its side: its left half is red."""
    picture = drawn(2 * side, side, colour=BLUE)
    picture.paste(drawn(side, side), (0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned to the right by a quarter: left becomes top
    exif[0x010E] = "where we live"
    return written(picture, kind, exif=exif)


def animated() -> bytes:
    """Red first, then blue."""
    frames = [drawn(100, 150).convert("P"), drawn(100, 150, colour=BLUE).convert("P")]
    return written(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)


def bomb(width: int, height: int) -> bytes:
    """A small PNG that claims, and would unpack, to a great many dots."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checked)

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packed = zlib.compress(bytes((width // 8 + 2) * 100))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )


def looked_at(data: bytes) -> Image.Image:
    """What a browser would show."""
    with Image.open(BytesIO(data)) as opened:
        return opened.convert("RGB")


def is_like(picture: Image.Image, at: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    """Whether there is about this colour at a place."""
    dot = picture.getpixel(at)
    assert isinstance(dot, tuple)
    return all(abs(one - other) < 40 for one, other in zip(dot, colour, strict=True))
