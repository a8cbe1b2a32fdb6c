"""Pictures, and a cache of them in a folder."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from commonroom.outgoing.picture_cache import (
    KEPT_SECONDS,
    PICTURE_TYPES,
    PictureCache,
    picture_type,
)

JPEG = b"\xff\xd8\xff\xe0 a picture"
PNG = b"\x89PNG\r\n\x1a\n a picture"
WEBP = b"RIFF\x00\x00\x00\x00WEBPVP8 a picture"


@pytest.mark.parametrize(
    "data, told", [(JPEG, "image/jpeg"), (PNG, "image/png"), (WEBP, "image/webp")]
)
def test_a_picture_is_known_by_its_first_bytes(data: bytes, told: str) -> None:
    assert picture_type(data) == told
    assert told in PICTURE_TYPES


@pytest.mark.parametrize(
    "data", [b"", b"<svg/>", b"<html>", b"GIF89a", b"RIFF\0\0\0\0WAVE", PNG[:4]]
)
def test_everything_else_is_none(data: bytes) -> None:
    assert picture_type(data) is None


def test_what_is_kept_is_found_and_for_its_owner_alone(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "posters")
    assert cache.get("one.jpg") is None
    cache.put("one.jpg", JPEG)
    cache.put("one.jpg", PNG)
    assert cache.get("one.jpg") == PNG
    assert [path.name for path in (tmp_path / "posters").iterdir()] == ["one.jpg"]
    assert (tmp_path / "posters").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "posters" / "one.jpg").stat().st_mode & 0o777 == 0o600


def test_the_oldest_make_room_for_the_newest(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path, most=3)
    for number in range(5):
        cache.put(f"{number}.jpg", JPEG)
        os.utime(tmp_path / f"{number}.jpg", (number, time.time() - 100 + number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.jpg", "3.jpg", "4.jpg"]


def test_nothing_is_kept_for_ever(tmp_path: Path) -> None:
    PictureCache(tmp_path).put("one.jpg", JPEG)
    later = time.time() + KEPT_SECONDS
    assert PictureCache(tmp_path, clock=lambda: later - 60).get("one.jpg") == JPEG
    assert PictureCache(tmp_path, clock=lambda: later + 60).get("one.jpg") is None


def test_what_was_cut_off_by_a_power_cut_is_not_found(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    (tmp_path / "one.jpg").write_bytes(b"")
    assert cache.get("one.jpg") is None
    cache.put("one.jpg", JPEG)
    assert cache.get("one.jpg") == JPEG


def test_where_nothing_can_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    cache = PictureCache(tmp_path / "file")
    cache.put("one.jpg", JPEG)
    assert cache.get("one.jpg") is None


def test_what_could_not_be_kept_is_not_left_lying_about(tmp_path: Path) -> None:
    (tmp_path / "one.jpg").mkdir()
    PictureCache(tmp_path).put("one.jpg", JPEG)
    assert [path.name for path in tmp_path.iterdir()] == ["one.jpg"]
