"""What the library keeps of a person, for their data export."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.loans import borrowed_by_me
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    LibraryImport,
    LoanEvent,
    Video,
    contents,
    libraries,
    owner_id_of,
    shared_libraries,
)
from commonroom.store import Entity, Store

PARTS: dict[str, tuple[type[Entity], ...]] = {
    "collections": (Collection,),
    "items": (Book, Video),
    "history": (LoanEvent,),
    "imports": (LibraryImport,),
}
"""What a person has put into a library; the rest only helps to find that."""


async def export_person(store: Store, person: User) -> dict[str, Any]:
    """A person's libraries with all that is in them, and what others share with them or lent."""
    me = owner_id_of(person.user_id)
    mine = [one async for one in store.all(libraries(owner_id=me))]
    return {
        "libraries": [await _library(store, one) for one in mine],
        "shared_with_me": [
            {"name": one.library_name, "from": one.shared_from_name, "since": one.shared_at}
            async for one in store.all(shared_libraries(shared_to_id=me))
        ],
        "borrowed": await _borrowed(store, person),
    }


async def _library(store: Store, library: Library) -> dict[str, Any]:
    kept: dict[str, Any] = {"library": library.to_item(), **{name: [] for name in PARTS}}
    asked = contents(owner_id=library.owner_id, library_id=library.library_id)
    async for one in store.all(asked):
        for name, kinds in PARTS.items():
            if isinstance(one, kinds):
                kept[name].append(one.to_item())
    return kept


async def _borrowed(store: Store, person: User) -> list[dict[str, Any]]:
    """As the person sees it: the rest is the owner's."""
    found: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = await borrowed_by_me(Context(store, person, time.time()), cursor=cursor)
        found += [msgspec.to_builtins(one) for one in page.items]
        if page.cursor is None:
            return found
        cursor = page.cursor
