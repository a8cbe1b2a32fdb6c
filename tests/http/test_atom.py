"""Atom feeds are what RFC 4287 asks for, whatever people call their things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.http.atom import AtomEntry, AtomFeed, feed_xml
from tests.support.atom import ATOM, check_feed

MOMENT = "2026-01-02T03:04:05.678Z"
HOSTILE = [
    "</title><script>alert(1)</script>",
    "]]>",
    "&amp; &lt; &#0; &bogus;",
    '" onload="x',
    "\x00\x01\x0b\x1f\ufffe\uffff",
    "\ud800 alone",
    "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>&b;",
    "١٢٣ \u202e abc 🎬 é",
]


def feed(text: str) -> AtomFeed:
    """A feed that says the same everywhere."""
    entry = AtomEntry(
        about="entry",
        title=text,
        address="https://house.example/films/603",
        updated=MOMENT,
        published=MOMENT,
        author=text,
        text=text,
        tags=[text],
    )
    return AtomFeed(
        about="feed",
        title=text,
        subtitle=text,
        address="https://house.example/lists/1",
        own_address="https://house.example/lists/1/feed.atom",
        updated=MOMENT,
        author=text or "Ada",
        entries=[entry],
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_what_people_write_stays_text(text: str) -> None:
    root = check_feed(feed_xml(feed(text)))
    allowed = "".join(one for one in text if one.isprintable() or one in "\u202e\ud800")
    told = root.findtext(f"{ATOM}title") or ""
    assert told == allowed.replace("\ud800", "")
    assert len(list(root.iter())) == len(list(check_feed(feed_xml(feed("plain"))).iter()))


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_can_be_read_back(text: str) -> None:
    root = check_feed(feed_xml(feed(text)))
    assert len(root.findall(f"{ATOM}entry")) == 1


def test_ids_do_not_depend_on_the_address_of_the_installation() -> None:
    one = check_feed(feed_xml(feed("same")))
    other = check_feed(feed_xml(feed("same")).replace(b"house.example", b"elsewhere.example"))
    assert one.findtext(f"{ATOM}id") == other.findtext(f"{ATOM}id")
