"""Small pictures, out of all that a server may send."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from commonroom.outgoing.thumbnails import FORMATS, MAX_MEGABYTES, thumbnails
from tests.outgoing.example_pictures import (
    BLUE,
    RED,
    animated,
    bomb,
    drawn,
    is_like,
    looked_at,
    photo,
    turned,
    written,
)

WHITE = (255, 255, 255)


def small(data: bytes) -> Image.Image:
    """A picture as a shelf shows it."""
    made = thumbnails(data)
    assert made is not None
    return looked_at(made["small"])


def test_a_large_picture_becomes_two_small_ones_of_the_same_shape() -> None:
    made = thumbnails(photo(1200, 1800))
    assert made is not None
    sizes = {size: looked_at(data).size for size, data in made.items()}
    assert sizes == {"small": (240, 360), "large": (600, 900)}
    assert all(data[:4] == b"RIFF" and data[8:12] == b"WEBP" for data in made.values())


def test_a_small_picture_is_not_blown_up() -> None:
    made = thumbnails(photo(100, 150))
    assert made is not None
    assert [looked_at(data).size for data in made.values()] == [(100, 150)] * 2


@pytest.mark.parametrize("kind", FORMATS)
def test_whatever_its_kind(kind: str) -> None:
    assert is_like(small(written(drawn(), kind)), (50, 50), RED)


@pytest.mark.parametrize(
    "mode, kind, colour",
    [
        ("CMYK", "JPEG", (0, 255, 255, 0)),
        ("L", "JPEG", 128),
        ("1", "PNG", 1),
        ("I;16", "PNG", 40_000),
        ("P", "GIF", 0),
        ("LA", "PNG", (128, 128)),
    ],
)
def test_whatever_its_colours_are_written_in(mode: str, kind: str, colour: object) -> None:
    shown = small(written(drawn(mode=mode, colour=colour), kind))
    assert shown.size == (240, 360)
    if mode == "CMYK":
        assert is_like(shown, (50, 50), (255, 0, 0))


def test_what_one_can_see_through_is_on_white() -> None:
    clear = drawn(mode="RGBA", colour=(0, 0, 0, 0))
    assert is_like(small(written(clear, "PNG")), (50, 50), WHITE)


@pytest.mark.parametrize("side, kind", [(200, "JPEG"), (2500, "JPEG"), (1700, "PNG")])
def test_a_picture_stands_as_it_was_taken_and_tells_nothing_else(side: int, kind: str) -> None:
    made = thumbnails(turned(side, kind))
    assert made is not None
    shown = looked_at(made["small"])
    assert shown.width < shown.height
    assert is_like(shown, (50, 20), RED)
    assert is_like(shown, (50, shown.height - 20), BLUE)
    assert b"where we live" not in made["small"]
    assert not looked_at(made["small"]).getexif()


def test_of_one_that_moves_the_first_is_shown() -> None:
    made = thumbnails(animated())
    assert made is not None
    assert is_like(looked_at(made["small"]), (50, 50), RED)


NO_WHOLE_PICTURE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "a drawing with a script": lambda: b"<svg onload='alert(1)'/>",
    "words after a JPEG's first bytes": lambda: b"\xff\xd8\xff\xe0" + b"a picture" * 100,
    "the beginning of a JPEG": lambda: photo()[:300],
    "the beginning of a large JPEG": lambda: photo(3000, 3000)[:3000],
    "a PNG without its end": lambda: written(drawn(), "PNG")[:-40],
    "TIFF": lambda: written(drawn(), "TIFF"),
    "BMP": lambda: written(drawn(), "BMP"),
    "ICO": lambda: written(drawn(), "ICO"),
    "a single dot": lambda: written(drawn(1, 1), "GIF"),
    "a line": lambda: written(drawn(9, 400), "PNG"),
}


@pytest.mark.parametrize("what", NO_WHOLE_PICTURE)
def test_what_is_no_whole_picture_is_none(what: str) -> None:
    assert thumbnails(NO_WHOLE_PICTURE[what]()) is None


@pytest.mark.parametrize("side", [2_500, 4_900, 10_000, 14_000, 60_000])
def test_what_would_unpack_to_too_much_is_none(side: int) -> None:
    assert thumbnails(bomb(side, side)) is None


MEASURE = """
import resource, sys
from commonroom.outgoing.thumbnails import thumbnails

data = sys.stdin.buffer.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert thumbnails(data) is not None
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


LARGEST: dict[str, Callable[[], bytes]] = {
    "palette": lambda: written(drawn(2449, 2449, "P", 0), "PNG", transparency=0),
    "see-through": lambda: written(drawn(2449, 2449, "RGBA", 0), "PNG"),
    "webp": lambda: written(drawn(2449, 2449, "RGBA", 0), "WEBP"),
    "progressive": lambda: written(drawn(4000, 4000), "JPEG", progressive=True, subsampling=0),
}


@pytest.mark.parametrize("what", LARGEST)
def test_the_largest_picture_takes_no_more_memory_than_is_said(what: str) -> None:
    data = LARGEST[what]()
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE], input=data, capture_output=True, check=True
    )
    assert int(measured.stdout) <= MAX_MEGABYTES


@given(
    st.binary(max_size=200), st.integers(0, 800), st.sampled_from(["JPEG", "PNG", "WEBP", "GIF"])
)
def test_whatever_is_broken_breaks_nothing(noise: bytes, at: int, kind: str) -> None:
    whole = written(drawn(60, 90), kind)
    thumbnails(whole[:at] + noise + whole[at + len(noise) :])
