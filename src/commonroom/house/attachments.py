"""Joins rooms whose things can be attached with the one that keeps attachments."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial

from commonroom.joins.attachments import AttachableData, AttachmentKeeper
from commonroom.joins.rooms import Room, offers_without_server
from commonroom.store import Store, check, new
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.streams import Change, Consumer


def attachment_consumers(rooms: Sequence[Room]) -> list[Consumer]:
    """Those who take things that are gone off whatever they were attached to, and those who let
    things know of the plan that carries them."""
    keepers, kinds = offers_without_server(rooms, AttachmentKeeper), _kinds_in(rooms)
    plans = [
        Consumer(
            name="attachment-plans",
            wants=tuple(keeper.plan_entities),
            handle=partial(_follow_plan, keeper, kinds),
        )
        for keeper in keepers
    ]
    return plans + [
        Consumer(
            name=f"attachments-{kind.key}",
            wants=tuple(kind.entities),
            handle=partial(_follow, keeper, kind),
        )
        for keeper in keepers
        for kind in kinds.values()
    ]


def _kinds_in(rooms: Sequence[Room]) -> dict[str, AttachableData]:
    """Returns the stored data of all kinds of things that can be attached, by their keys."""
    return {one.key: one for one in offers_without_server(rooms, AttachableData)}


async def _follow_plan(
    keeper: AttachmentKeeper, kinds: Mapping[str, AttachableData], store: Store, change: Change
) -> None:
    """Lets the things that a plan carries, or carried, know of it."""
    async for one in keeper.carried_after(store, change):
        kind = kinds.get(one.kind)
        if kind is not None and kind.follow_plan is not None:
            await kind.follow_plan(store, one.thing_id, one.plan, one.is_carried)


async def _follow(
    keeper: AttachmentKeeper, kind: AttachableData, store: Store, change: Change
) -> None:
    """Takes a thing that is gone off the plans that it was attached to."""
    if change.kind == "remove" and await store.get(change.old.ref) is None:
        await keeper.forget(store, kind.key, kind.id_of(change.old))


class AttachmentCheck:
    """Looks for attachments of things that are gone."""

    def __init__(self, rooms: Sequence[Room]) -> None:
        self._kinds = _kinds_in(rooms)
        keepers = offers_without_server(rooms, AttachmentKeeper)
        self._keepers = {keeper.entity: keeper for keeper in keepers}

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields which of these attachments lead nowhere; those of rooms that are off stay."""
        asked = [
            (thing, keeper, kind.ref(thing_id))
            for thing in things
            if (keeper := self._keepers.get(type(thing.entity))) is not None
            for key, thing_id in [keeper.thing(thing.entity)]
            if (kind := self._kinds.get(key)) is not None
        ]
        refs = [ref for _, _, ref in asked if ref is not None]
        found = iter(await store.batch_get(refs) if refs else [])
        for thing, keeper, ref in asked:
            if ref is not None and next(found) is not None:
                continue
            gone = [] if ref is None else [check(ref, if_=new)]
            repair = (*gone, *keeper.removal(thing.entity))
            table = thing.entity.schema.table.name
            yield Problem("attachments", table, thing.key, "What was attached is gone.", repair)
