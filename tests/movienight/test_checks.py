"""Households that are wrong about their members are found, and repaired."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.movienight.checks import checks
from commonroom.movienight.tables import Group
from commonroom.store import Store, update
from commonroom.store.checking import check_store
from commonroom.store.checking.runner import ReportedProblem
from tests.movienight.evenings import TABLES, now_of


async def drift(store: Store, *, repair: bool = False) -> list[ReportedProblem]:
    """What `commonroom check` finds wrong in this room."""
    reported: list[ReportedProblem] = []
    await check_store(
        store,
        TABLES,
        checks(),
        repair=repair,
        report=reported.append,
        progress=lambda *_: None,
    )
    return reported


async def test_a_household_that_is_right_is_no_problem(store: Store, home: Group) -> None:
    assert await drift(store) == []


async def test_a_household_of_an_earlier_version_is_no_problem(store: Store, home: Group) -> None:
    await store.write(update(home.ref, member_ids=[]))
    assert await drift(store) == []


async def test_names_of_others_are_put_right(
    store: Store, home: Group, ada: User, ben: User, eve: User
) -> None:
    await store.write(update(home.ref, member_ids=[ada.user_id, eve.user_id]))
    assert len(await drift(store)) == 1
    await drift(store, repair=True)
    assert sorted((await now_of(store, home)).member_ids) == sorted([ada.user_id, ben.user_id])
    assert await drift(store) == []


async def test_a_wrong_count_is_put_right(store: Store, home: Group) -> None:
    await store.write(update(home.ref, member_count=5))
    assert len(await drift(store)) == 1
    await drift(store, repair=True)
    assert (await now_of(store, home)).member_count == 2
    assert await drift(store) == []
