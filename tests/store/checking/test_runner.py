"""What looks wrong is looked at again, where people and consumers may be at work on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from commonroom.store import Store, as_read, put, update
from commonroom.store.checking import (
    CopyCheck,
    Grace,
    Problem,
    ReportedProblem,
    StoredEntity,
    check_store,
    repair_store,
)
from tests.support.checking import Patience, keep
from tests.support.copies_model import COPIES, TABLES, Card, Shelf, Volume
from tests.support.transfers import ignore

SHELF = Shelf(shelf_id="s", name="Top")
BEHIND = Card(card_id="c", shelf_id="s", holder="Bottom")


class Busy(CopyCheck):
    """A check beside which somebody mends the card after so many looks."""

    def __init__(self, after: int) -> None:
        super().__init__(COPIES)
        self.looks = 0
        self._after = after

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        if any(isinstance(thing.entity, Card) for thing in things):
            self.looks += 1
        async for problem in super().examine(store, things):
            if self.looks == self._after:
                await store.write(update(BEHIND, holder="Top"))
            yield problem


async def checked(
    store: Store, check: CopyCheck, grace: Grace | None, *, repair: bool = False
) -> list[ReportedProblem]:
    """What is reported."""
    reported: list[ReportedProblem] = []
    await check_store(
        store,
        TABLES,
        [check],
        repair=repair,
        report=reported.append,
        progress=ignore,
        grace=grace,
    )
    return reported


async def test_what_is_well_at_the_second_look_is_not_reported(store: Store) -> None:
    await keep(store, SHELF, BEHIND)
    assert await checked(store, Busy(after=1), Patience(0)) == []


async def test_there_are_more_looks_in_the_grace_period(store: Store) -> None:
    await keep(store, SHELF, BEHIND)
    assert await checked(store, Busy(after=3), Patience(60)) == []


async def test_without_a_grace_period_one_look_counts(store: Store) -> None:
    await keep(store, SHELF, BEHIND)
    check = Busy(after=9)
    assert len(await checked(store, check, None)) == 1
    assert check.looks == 1


async def test_what_stays_wrong_is_reported_and_mended_once(store: Store) -> None:
    await keep(store, SHELF, BEHIND)
    reported = await checked(store, Busy(after=99), Patience(0.3), repair=True)
    assert [one.repaired for one in reported] == [True]
    assert await checked(store, CopyCheck(COPIES), None) == []


async def test_what_consumers_may_still_mend_is_on_its_way(store: Store) -> None:
    await keep(store, SHELF, BEHIND)
    for behind in (True, False):
        reported = await checked(store, Busy(after=99), Patience(0, behind=behind))
        assert [one.on_its_way for one in reported] == [behind]


async def test_what_a_repair_leaves_behind_is_mended_after_it(store: Store) -> None:
    await keep(store, SHELF, Card(card_id="a", shelf_id="s", holder="Top"))

    class Chain:
        async def examine(
            self, store: Store, things: Sequence[StoredEntity]
        ) -> AsyncIterator[Problem]:
            for thing in things:
                card = thing.entity
                if isinstance(card, Card) and len(card.holder) < 6:
                    longer = Card(card_id=card.card_id, shelf_id="s", holder=f"{card.holder}!")
                    yield Problem(card.holder, "Cards", thing.key, "Too short.", (put(longer),))

    reported: list[ReportedProblem] = []
    await check_store(
        store, TABLES, [Chain()], repair=True, report=reported.append, progress=ignore
    )
    assert [one.check for one in reported] == ["Top", "Top!", "Top!!"]


class TestRepairing:
    async def test_what_the_last_repair_made_wrong_of_the_first_is_repaired_too(
        self, store: Store
    ) -> None:
        volume = Volume(volume_id="v", title="T", shelf_id="s", shelf_name="Top")
        await keep(store, SHELF, volume, Card(card_id="c", shelf_id="s", holder="Top"))

        class Names:
            async def examine(
                self, store: Store, things: Sequence[StoredEntity]
            ) -> AsyncIterator[Problem]:
                for thing in things:
                    if isinstance(thing.entity, Card) and await store.get(SHELF.ref) == SHELF:
                        renamed = update(SHELF, name="Bottom")
                        yield Problem("names", "Cards", thing.key, "Renamed.", (renamed,))

        reported: list[ReportedProblem] = []
        outcome = await repair_store(
            store, TABLES, [CopyCheck(COPIES), Names()], report=reported.append, progress=ignore
        )
        assert [one.check for one in reported] == ["names", "copies", "copies"]
        assert (outcome.items, outcome.found, outcome.repaired) == (3, 3, 3)
        assert await checked(store, CopyCheck(COPIES), None) == []

    async def test_what_cannot_be_repaired_is_reported_once(self, store: Store) -> None:
        await keep(store, SHELF, BEHIND, Card(card_id="o", shelf_id="gone", holder="Top"))
        reported: list[ReportedProblem] = []
        outcome = await repair_store(
            store, TABLES, [CopyCheck(COPIES)], report=reported.append, progress=ignore
        )
        assert sorted((one.check, one.repaired) for one in reported) == [
            ("copies", True),
            ("orphans", False),
        ]
        assert (outcome.found, outcome.repaired, outcome.left) == (2, 1, 1)

    async def test_what_has_no_end_ends(self, store: Store) -> None:
        await keep(store, SHELF)

        class Restless:
            async def examine(
                self, store: Store, things: Sequence[StoredEntity]
            ) -> AsyncIterator[Problem]:
                for thing in things:
                    if isinstance(shelf := thing.entity, Shelf):
                        more = update(shelf.ref, volumes=shelf.volumes + 1)
                        yield Problem("restless", "Shelves", thing.key, "More.", (more,))

        outcome = await repair_store(
            store, TABLES, [Restless()], report=lambda _: None, progress=ignore
        )
        assert (outcome.items, outcome.left) == (1, 0)


async def test_a_repair_that_another_one_overtook_is_worked_out_anew(store: Store) -> None:
    await keep(store, SHELF)
    right: dict[str, str | int] = {"name": "Bottom", "volumes": 3}

    class Both:
        async def examine(
            self, store: Store, things: Sequence[StoredEntity]
        ) -> AsyncIterator[Problem]:
            for thing in things:
                if isinstance(shelf := thing.entity, Shelf):
                    held = as_read(shelf, *right)
                    for name, value in right.items():
                        if getattr(shelf, name) != value:
                            mend = update(shelf.ref, if_=held, **{name: value})
                            yield Problem(name, "Shelves", thing.key, "Wrong.", (mend,))

    reported: list[ReportedProblem] = []
    outcome = await check_store(
        store, TABLES, [Both()], repair=True, report=reported.append, progress=ignore
    )
    assert [(one.check, one.repaired) for one in reported] == [("name", True), ("volumes", True)]
    assert outcome.left == 0
    assert await store.get(SHELF.ref) == Shelf(shelf_id="s", name="Bottom", volumes=3)


async def test_orphans_that_are_left_to_others_are_not_reported_here(store: Store) -> None:
    await keep(store, Card(card_id="c", shelf_id="gone", holder="Top"))
    assert len(await checked(store, CopyCheck(COPIES), None)) == 1
    assert await checked(store, CopyCheck(COPIES, [Card]), None) == []
