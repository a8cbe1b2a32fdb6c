"""Collections: each is in a library, under a name that is its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from commonroom.library.checking.references import Fault, Found, Rule, as_read, look
from commonroom.library.tables import Collection, CollectionName, Library
from commonroom.store import Ref, Store, check, create, delete, equal, new, put


def _refers(collection: Collection) -> Iterator[Ref[Any]]:
    yield _library(collection)
    yield _claim(collection).ref


async def _judge(collection: Collection, found: Found) -> AsyncIterator[Fault]:
    if found.at(_library(collection)) is None:
        gone = check(_library(collection), if_=new)
        same = as_read(collection, "version")
        detail = f"The library of the collection “{collection.name}” was deleted."
        yield Fault("orphans", detail, [gone, delete(collection, if_=same)])
        return  # its claim goes after it
    expected, claim = _claim(collection), found.at(_claim(collection).ref)
    named = check(collection, if_=equal(name=collection.name))
    if claim is None:
        yield Fault("names", "Its name is not reserved for it.", [named, create(expected)])
    elif isinstance(claim, CollectionName) and claim.collection_id != expected.collection_id:
        if await _has_it(found.store, claim):
            yield Fault("names", "Another collection has the same name; rename one of them.")
    elif isinstance(claim, CollectionName) and claim != expected:
        mine = equal(collection_id=expected.collection_id)
        detail = "Its name is reserved in a different spelling."
        yield Fault("names", detail, [named, put(expected, if_=mine)])


async def _has_it(store: Store, claim: CollectionName) -> bool:
    """Whether the collection that a name is kept for has that name; else the claim is reported."""
    other = (await look(store, [_claimant(claim)])).at(_claimant(claim))
    return isinstance(other, Collection) and _claim(other).ref.key == claim.ref.key


def _claim_refers(claim: CollectionName) -> Iterator[Ref[Any]]:
    yield _claimant(claim)


async def _judge_claim(claim: CollectionName, found: Found) -> AsyncIterator[Fault]:
    collection = found.at(_claimant(claim))
    detail = f"The name “{claim.name}” is reserved for a collection that does not have it."
    mine = equal(collection_id=claim.collection_id)
    if collection is None:
        gone = check(_claimant(claim), if_=new)
        yield Fault("names", detail, [gone, delete(claim, if_=mine)])
    elif isinstance(collection, Collection) and _claim(collection).ref.key != claim.ref.key:
        named = check(collection, if_=equal(name=collection.name))
        yield Fault("names", detail, [named, delete(claim, if_=mine)])


def _claim(collection: Collection) -> CollectionName:
    return CollectionName(
        owner_id=collection.owner_id,
        library_id=collection.library_id,
        name=collection.name,
        collection_id=collection.collection_id,
    )


def _claimant(claim: CollectionName) -> Ref[Collection]:
    return Collection.at(
        owner_id=claim.owner_id, library_id=claim.library_id, collection_id=claim.collection_id
    )


def _library(collection: Collection) -> Ref[Library]:
    return Library.at(owner_id=collection.owner_id, library_id=collection.library_id)


COLLECTION = Rule(_refers, _judge)
CLAIM = Rule(_claim_refers, _judge_claim)
