"""Atom feeds (RFC 4287): what is new somewhere, for programs that look now and then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from msgspec import Struct

from commonroom.http.etags import is_known
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.responses import Response

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

ATOM = "http://www.w3.org/2005/Atom"
TYPE = "application/atom+xml; charset=utf-8"
CACHING = "public, no-cache"
"""It may be kept, and is asked for again: what is no longer public is gone at once."""

_NAMES = UUID("0f6d2f58-6c6a-4b0e-9d0f-6d1a1b9a7c44")
# What XML 1.0 has no way to say, not even escaped.
_UNSAYABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class AtomEntry(Struct, frozen=True, kw_only=True):
    """Something new."""

    about: str
    """What it is, in words that never change: its id is made of them."""
    title: str
    address: str
    updated: str
    published: str | None = None
    author: str | None = None
    text: str | None = None
    tags: Sequence[str] = ()


class AtomFeed(Struct, frozen=True, kw_only=True):
    """What is new somewhere, newest first; moments are those of RFC 3339."""

    about: str
    title: str
    address: str
    """The page that tells the same."""
    own_address: str
    updated: str
    author: str
    subtitle: str | None = None
    entries: Sequence[AtomEntry] = ()


def feed_xml(feed: AtomFeed) -> bytes:
    """Returns the feed as it is sent."""
    from xml.etree import ElementTree as ET  # only feeds need it

    root = ET.Element("feed", xmlns=ATOM)
    _tell(root, "id", _id(feed.about))
    _tell(root, "title", feed.title)
    if feed.subtitle:
        _tell(root, "subtitle", feed.subtitle)
    _tell(root, "updated", feed.updated)
    _add(root, "link", rel="self", type="application/atom+xml", href=feed.own_address)
    _add(root, "link", rel="alternate", type="text/html", href=feed.address)
    _tell(_add(root, "author"), "name", feed.author)
    _tell(root, "generator", "Commonroom")
    for one in feed.entries:
        _add_entry(root, one)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def feed_response(request: Request, feed: AtomFeed) -> Response[bytes | None]:
    """Returns the feed, or that nothing has changed."""
    content = feed_xml(feed)
    tag = f'"{sha256(content).hexdigest()[:24]}"'
    headers = {"ETag": tag, "Cache-Control": CACHING}
    if is_known(header_in(request.scope, "if-none-match"), tag):
        return Response(None, status_code=304, headers=headers)
    return Response(content, media_type=TYPE, headers=headers)


def _add_entry(root: ET.Element, one: AtomEntry) -> None:
    entry = _add(root, "entry")
    _tell(entry, "id", _id(one.about))
    _tell(entry, "title", one.title)
    _tell(entry, "updated", one.updated)
    if one.published:
        _tell(entry, "published", one.published)
    _add(entry, "link", rel="alternate", type="text/html", href=one.address)
    if one.author:
        _tell(_add(entry, "author"), "name", one.author)
    for tag in one.tags:
        _add(entry, "category", term=_UNSAYABLE.sub("", tag))
    if one.text:
        _tell(entry, "content", one.text).set("type", "text")


def _add(parent: ET.Element, name: str, **attributes: str) -> ET.Element:
    element = parent.makeelement(name, attributes)
    parent.append(element)
    return element


def _tell(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = _add(parent, name)
    element.text = _UNSAYABLE.sub("", text)
    return element


def _id(about: str) -> str:
    """Returns an id that stays for the same thing, wherever the installation moves."""
    return f"urn:uuid:{uuid5(_NAMES, about)}"
