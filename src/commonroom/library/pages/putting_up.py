"""Putting a new item on the shelf once, however often its form is sent."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.pages.item_forms import ItemForm, entity_of
from commonroom.library.rules.ids import new_id
from commonroom.library.service.codes import same_works
from commonroom.library.service.items import Arriving, Kept, put_up
from commonroom.library.service.reach import item_in
from commonroom.library.tables import Library
from commonroom.store import Store


async def put_up_once(
    store: Store,
    now: float,
    person: User,
    library: Library,
    *,
    form: ItemForm,
    given: dict[str, Any],
) -> Kept:
    """Puts up what a form says; pressed twice, it gives what the first press has put there."""
    arriving = Arriving(_item_id(library, form), {}, lambda _: [])
    try:
        item = await item_in(store, library, arriving.item_id)
    except NotFound:
        kind = entity_of(form.kind)
        try:
            item = await put_up(
                store, now, person, library.library_id, kind=kind, given=given, arriving=arriving
            )
        except Conflict as error:
            try:
                item = await item_in(store, library, arriving.item_id)
            except NotFound:
                raise error from None
    return Kept(item, await same_works(store, item))


def _item_id(library: Library, form: ItemForm) -> str:
    """The id of what a form makes: another one where one goes back and types something else."""
    if not form.form_id:
        return new_id()
    whole = msgspec.json.encode([library.owner_id, library.library_id, form])
    return blake2b(whole, digest_size=16).hexdigest().upper()
