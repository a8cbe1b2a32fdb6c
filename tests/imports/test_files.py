"""Bytes become text, repaired where they are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.imports.files import UNKNOWN, decode


def test_a_few_bytes_of_another_encoding_spoil_nothing_else() -> None:
    file = "Łódź – ".encode() + "Café “x”".encode("cp1252") + " Ωμέγα".encode()
    assert decode(file) == ("Łódź – Café “x” Ωμέγα", 3)


def test_a_whole_file_of_windows_is_read() -> None:
    assert decode("Été à Noël".encode("cp1252")).text == "Été à Noël"


def test_what_means_nothing_anywhere_shows_as_unknown() -> None:
    assert decode(b"a\x81b\x8dc") == (f"a{UNKNOWN}b{UNKNOWN}c", 2)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_marks_and_wide_letters_are_known(encoding: str) -> None:
    assert decode("Title,Author\nÉté".encode(encoding)) == ("Title,Author\nÉté", 0)


def test_a_wide_file_that_is_cut_short_loses_one_letter() -> None:
    file = "Title,Author".encode("utf-16")[:-1]
    assert decode(file) == (f"Title,Autho{UNKNOWN}", 1)


@given(st.text().filter(lambda text: "\0" not in text and not text.startswith("\ufeff")))
def test_what_is_right_is_left_as_it_is(text: str) -> None:
    assert decode(text.encode(errors="ignore")) == (text.encode(errors="ignore").decode(), 0)


@given(st.binary(max_size=300).filter(lambda file: 0 not in file[:400]))
def test_every_file_without_wide_letters_can_be_read(file: bytes) -> None:
    text, repaired = decode(file)
    assert not any(0xDC80 <= ord(char) <= 0xDCFF for char in text)
    assert repaired <= len(file)
