"""What RFC 4287 demands of a feed, by reading it as a program would."""

from __future__ import annotations

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

ATOM = "{http://www.w3.org/2005/Atom}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def check_feed(content: bytes) -> ET.Element:
    """The feed's root, once all that must be there is."""
    root = ET.fromstring(content)  # noqa: S314 - made here
    assert root.tag == f"{ATOM}feed"
    _check_head(root)
    (own,) = [one for one in root.findall(f"{ATOM}link") if one.get("rel") == "self"]
    assert own.get("type") == "application/atom+xml"
    assert root.findtext(f"{ATOM}author/{ATOM}name") is not None
    entries = root.findall(f"{ATOM}entry")
    for one in entries:
        _check_head(one)
    ids = [one.findtext(f"{ATOM}id") for one in (root, *entries)]
    assert len(set(ids)) == len(ids)
    return root


def _check_head(element: ET.Element) -> None:
    """What a feed and an entry both need: each once, and links that lead somewhere."""
    for name in ("id", "title", "updated"):
        assert len(element.findall(f"{ATOM}{name}")) == 1, name
    assert urlsplit(element.findtext(f"{ATOM}id") or "").scheme == "urn"
    moments = [*element.findall(f"{ATOM}updated"), *element.findall(f"{ATOM}published")]
    assert all(MOMENT.fullmatch(one.text or "") for one in moments)
    links = element.findall(f"{ATOM}link")
    assert all(urlsplit(one.get("href") or "").netloc for one in links)
    assert len([one for one in links if one.get("rel") == "alternate"]) == 1
