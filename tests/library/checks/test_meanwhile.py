"""What changes between a look and its repair: the repair is refused, and nothing is lost by it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from commonroom.library.checks import RULES
from commonroom.library.tables import Book, MovedItem
from commonroom.store import ConditionFailed, Entity, delete
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.related import RelatedCheck
from tests.library.bookcase import everything_of
from tests.library.checks import faults
from tests.library.checks.example import House, parts_of

Meanwhile: TypeAlias = Callable[[House, Any], Awaitable[Any]]
"""What somebody does with something that was found to be wrong."""


async def library_arrives(house: House, thing: Any) -> None:
    await house.load(replace(house.home, library_id=thing.library_id))


async def collection_arrives(house: House, thing: Any) -> None:
    named = {"name": "Bernstein", "collection_id": thing.collection_id}
    await house.load(replace(house.amber, **named))


async def item_arrives(house: House, thing: Any) -> None:
    await house.load(replace(house.video, item_id=thing.item_id))


async def item_is_seen_to_have_moved(house: House, thing: Any) -> None:
    at = {"owner_id": thing.owner_id, "library_id": thing.library_id, "item_id": thing.item_id}
    await house.load(MovedItem(**at, moved_to=house.attic.library_id))


async def import_arrives(house: House, thing: Any) -> None:
    await house.load(replace(house.shipment("ready"), import_id=thing.import_id))


async def another_import_takes_its_place(house: House, thing: Any) -> None:
    await house.load(replace(thing, import_id="ANOTHER"))


async def it_changes(house: House, thing: Any) -> None:
    await house.load(replace(thing, version=thing.version + 1))


async def library_changes(house: House, thing: Any) -> None:
    (library,) = [one for one in (house.home, house.attic) if one.library_id == thing.library_id]
    await house.load(replace(library, version=library.version + 1))


async def library_changes_hands(house: House, _thing: Any) -> None:
    await house.load(replace(house.home, account_id="another"))


async def collection_is_renamed(house: House, _thing: Any) -> None:
    await house.load(replace(house.amber, name="Bernstein"))


async def name_goes_to_another(house: House, _thing: Any) -> None:
    for claim in await everything_of(house.store.engine, type(house.claim)):
        await house.load(replace(claim, collection_id="ANOTHER"))


async def account_arrives(house: House, thing: Book) -> None:
    await house.load(replace(house.ben, user_id=thing.borrower_id or ""))


async def account_is_deleted(house: House, _thing: Any) -> None:
    await house.store.write(delete(house.ben))


CASES: list[tuple[faults.Break, Meanwhile]] = [
    (faults.item_without_library, library_arrives),
    (faults.item_without_library, it_changes),
    (faults.item_without_collection, collection_arrives),
    (faults.item_of_another_account, library_changes_hands),
    (faults.collection_without_library, library_arrives),
    (faults.collection_without_library, it_changes),
    (faults.collection_without_claim, collection_is_renamed),
    (faults.claim_in_other_letters, collection_is_renamed),
    (faults.claim_in_other_letters, name_goes_to_another),
    (faults.claim_without_collection, collection_arrives),
    (faults.claim_without_collection, name_goes_to_another),
    (faults.claim_of_an_old_name, collection_is_renamed),
    (faults.no_code, it_changes),
    (faults.code_of_nothing, item_arrives),
    (faults.event_without_item, item_arrives),
    (faults.event_without_item, item_is_seen_to_have_moved),
    (faults.loan_to_nobody, account_arrives),
    (faults.loan_without_pointer, it_changes),
    (faults.loan_without_pointer, account_is_deleted),
    (faults.pointer_without_item, item_arrives),
    (faults.history_that_nobody_carries, it_changes),
    (faults.share_without_pointer, it_changes),
    (faults.share_without_pointer, account_is_deleted),
    (faults.pointer_without_library, library_arrives),
    (faults.pointer_that_is_not_listed, library_changes),
    (faults.pointer_of_another_owner, library_changes),
    (faults.import_without_library, library_arrives),
    (faults.import_without_library, another_import_takes_its_place),
    (faults.parts_without_import, import_arrives),
]


async def looked_at(house: House, sentence: str) -> tuple[Problem, Entity]:
    """What a look finds wrong, and what it is wrong with."""
    for kind in RULES:
        for one in await everything_of(house.store.engine, kind):
            things = [StoredEntity(one.ref.key, one.to_item(), one)]
            async for problem in RelatedCheck(RULES).examine(house.store, things):
                if sentence in problem.detail:
                    return problem, one
    raise AssertionError(sentence)


@pytest.mark.parametrize(
    "breaks, meanwhile", CASES, ids=[f"{one.__name__}-{then.__name__}" for one, then in CASES]
)
async def test_what_changed_since_is_not_mended(
    house: House, breaks: faults.Break, meanwhile: Meanwhile
) -> None:
    await breaks(house)
    problem, thing = await looked_at(house, faults.BREAKS[breaks][1])
    await meanwhile(house, thing)
    with pytest.raises(ConditionFailed):
        await house.store.write(*problem.repair)


async def test_rows_of_an_import_that_runs_again_stay(house: House) -> None:
    over = house.shipment("done")
    rows, report = parts_of(over)
    await house.load(over, rows, report)
    problem, _ = await looked_at(house, "an import that is finished")
    await house.load(replace(over, state="running"))
    with pytest.raises(ConditionFailed):
        await house.store.write(*problem.repair)
