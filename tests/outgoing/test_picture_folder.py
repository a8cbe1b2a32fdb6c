"""Pictures, and a folder of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from commonroom.outgoing.picture_folder import KEPT_SECONDS, PictureFolder
from commonroom.outgoing.pictures import PICTURE_TYPES, picture_type

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
    folder = PictureFolder(tmp_path / "posters")
    assert folder.find("one.jpg") is None
    folder.keep("one.jpg", JPEG)
    folder.keep("one.jpg", PNG)
    assert folder.find("one.jpg") == PNG
    assert [path.name for path in (tmp_path / "posters").iterdir()] == ["one.jpg"]
    assert (tmp_path / "posters").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "posters" / "one.jpg").stat().st_mode & 0o777 == 0o600


def test_the_oldest_make_room_for_the_newest(tmp_path: Path) -> None:
    folder = PictureFolder(tmp_path, most=3)
    for number in range(5):
        folder.keep(f"{number}.jpg", JPEG)
        os.utime(tmp_path / f"{number}.jpg", (number, time.time() - 100 + number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.jpg", "3.jpg", "4.jpg"]


def test_nothing_is_kept_for_ever(tmp_path: Path) -> None:
    PictureFolder(tmp_path).keep("one.jpg", JPEG)
    later = time.time() + KEPT_SECONDS
    assert PictureFolder(tmp_path, clock=lambda: later - 60).find("one.jpg") == JPEG
    assert PictureFolder(tmp_path, clock=lambda: later + 60).find("one.jpg") is None


def test_what_was_cut_off_by_a_power_cut_is_not_found(tmp_path: Path) -> None:
    folder = PictureFolder(tmp_path)
    (tmp_path / "one.jpg").write_bytes(b"")
    assert folder.find("one.jpg") is None
    folder.keep("one.jpg", JPEG)
    assert folder.find("one.jpg") == JPEG


def test_where_nothing_can_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    folder = PictureFolder(tmp_path / "file")
    folder.keep("one.jpg", JPEG)
    assert folder.find("one.jpg") is None


def test_what_could_not_be_kept_is_not_left_lying_about(tmp_path: Path) -> None:
    (tmp_path / "one.jpg").mkdir()
    PictureFolder(tmp_path).keep("one.jpg", JPEG)
    assert [path.name for path in tmp_path.iterdir()] == ["one.jpg"]
