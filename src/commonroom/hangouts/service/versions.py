"""Versions that open pages watch: one request each, another text whenever what is shown changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from commonroom.hangouts.tables import (
    Attachment,
    AttachmentPointer,
    Hangout,
    feed,
    things_of_hangout,
)
from commonroom.store import Entity, Store

WATCHED = 100
WATCHED_THINGS = 250
"""As many as a hangout's page reads at once."""


async def feed_version(store: Store, group_id: str) -> str:
    """Returns the version of a group's feed."""
    page = await store.page(feed(group_id=group_id), limit=WATCHED)
    return _digest(page.items)


async def hangout_version(store: Store, hangout_id: str) -> str:
    """The version of a hangout with everything on it; `gone` where it is not there any more.

    Messages are not read for it: the hangout says how many there are, and since when. What it
    carries of other rooms is left out: not all who listen may know that it is there.
    """
    page = await store.page(things_of_hangout(hangout_id=hangout_id), limit=WATCHED_THINGS)
    return _digest([*_known_to_all(page.items)]) if page.items else "gone"


def _known_to_all(things: Iterable[Entity]) -> Iterator[Entity]:
    for one in things:
        if isinstance(one, Hangout):
            yield replace(one, attachment_count=0)
        elif not isinstance(one, Attachment | AttachmentPointer):
            yield one


def _digest(things: object) -> str:
    return blake2b(msgspec.msgpack.encode(things), digest_size=12).hexdigest()
