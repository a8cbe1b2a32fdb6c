"""What is a picture: by its own first bytes, whatever its sender says."""

from __future__ import annotations

PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/webp"})


def picture_type(data: bytes) -> str | None:
    """The content type of a picture that browsers show; None for everything else."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None
