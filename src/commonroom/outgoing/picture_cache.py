"""A cache of pictures in a folder: so many, and none of them for ever; all can be fetched again."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PICTURE_TYPES = frozenset({"image/jpeg", "image/png", "image/webp"})

MOST = 2000
KEPT_SECONDS = 150 * 24 * 3600
"""Less than the six months for which TMDB, for one, lets its things be kept."""


class PictureCache:
    """Pictures by name. Where the disk is full or fails, they are just not kept."""

    def __init__(
        self, folder: Path, *, most: int = MOST, clock: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._most = most
        self._clock = clock

    def get(self, name: str) -> bytes | None:
        """A picture that was kept; None where it is too old, or not what was kept."""
        path = self._folder / name
        try:
            if self._clock() - path.stat().st_mtime > KEPT_SECONDS:
                return None
            picture = path.read_bytes()
        except OSError:
            return None
        return picture if picture_type(picture) else None

    def put(self, name: str, picture: bytes) -> None:
        """Keeps a picture under a name; others see all of it or nothing."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._write(picture, self._folder / name)
            self._make_room()

    def _write(self, picture: bytes, path: Path) -> None:
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            beside = Path(file.name)
            try:
                file.write(picture)
                file.flush()
                beside.replace(path)
            except OSError:
                beside.unlink()
                raise

    def _make_room(self) -> None:
        oldest_first = sorted((path.stat().st_mtime, path) for path in self._folder.iterdir())
        for _, path in oldest_first[: max(0, len(oldest_first) - self._most)]:
            path.unlink(missing_ok=True)


def picture_type(data: bytes) -> str | None:
    """A picture's content type by its first bytes, whoever sends it; None for others."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None
