"""Everybody who wants to hear of something is told of it once, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.blocks import block
from commonroom.accounts.tables import NotificationPrefs
from commonroom.moments import iso
from commonroom.notifications import Kind, tell
from commonroom.notifications.notifications import KEPT_SECONDS
from commonroom.notifications.preferences import Preference
from commonroom.notifications.reading import (
    read,
)
from commonroom.store import Store, counting, delete
from tests.accounts.people import Watch
from tests.accounts.people import again as again_of
from tests.notifications.people import FACTS, LINK, NEWS, ROUND, person, told

ABOUT: dict[str, Any] = {"facts": FACTS, "link": LINK, "id": "1"}


class TestTelling:
    async def test_gives_each_person_a_notification_of_their_own(
        self, either: Store, clock: Watch
    ) -> None:
        people = [await person(either, name) for name in ("Ada", "Ben")]
        count = await tell(either, clock(), people, ROUND, facts=FACTS, link=LINK, id="1", by=None)
        assert count == 2
        for one in people:
            [notification] = await told(either, one)
            assert notification.user_id == one.user_id
            assert notification.kind == "new_round"
            assert notification.facts == FACTS
            assert notification.link == LINK
            assert notification.made_at == iso(clock())
            assert notification.read_at is None

    async def test_of_the_same_thing_happens_once_whenever_it_is_repeated(
        self, either: Store, clock: Watch
    ) -> None:
        ada = await person(either, "Ada")
        await tell(either, clock(), [ada], ROUND, facts=FACTS, link=LINK, id="1", by=None)
        [first] = await told(either, ada)
        await read(Context(either, ada, clock()), first.notification_id)
        clock.forward(3600)
        again = await tell(either, clock(), [ada], ROUND, facts=FACTS, link=LINK, id="1", by=None)
        assert again == 0
        [only] = await told(either, ada)
        assert only.read_at is not None, "it stays read"

    async def test_nobody_is_told_of_their_own_act(self, store: Store, clock: Watch) -> None:
        ada, ben = [await person(store, name) for name in ("Ada", "Ben")]
        by = ada.user_id
        for kind in (NEWS, ROUND):
            told_now = await tell(store, clock(), [ada, ben], kind, **ABOUT, by=by)
            assert told_now == 1
        assert await told(store, ada) == []

    async def test_who_has_blocked_somebody_hears_nothing_of_them(
        self, store: Store, clock: Watch
    ) -> None:
        ada, ben = [await person(store, name) for name in ("Ada", "Ben")]
        await block(Context(store, ada, clock()), ben.user_id, "Ben")
        ada = await again_of(store, ada)
        assert await tell(store, clock(), [ada], ROUND, **ABOUT, by=ben.user_id) == 0
        assert await tell(store, clock(), [ada], ROUND, **ABOUT, by="another") == 1
        assert await tell(store, clock(), [ada], NEWS, **ABOUT, by=ben.user_id) == 1, (
            "what nothing turns off, no block does"
        )

    async def test_by_several_at_once_happens_once(self, either: Store, clock: Watch) -> None:
        ada = await person(either, "Ada")
        counts = await asyncio.gather(
            *(
                tell(either, clock(), [ada], NEWS, facts={}, link="/", id="1", by=None)
                for _ in range(5)
            )
        )
        assert sum(counts) == 1
        assert len(await told(either, ada)) == 1

    async def test_of_another_thing_or_of_another_kind_is_something_else(
        self, store: Store, clock: Watch
    ) -> None:
        ada = await person(store, "Ada")
        for kind, about in ((ROUND, "1"), (ROUND, "2"), (NEWS, "1")):
            await tell(store, clock(), [ada], kind, facts=FACTS, link=LINK, id=about, by=None)
        assert len(await told(store, ada)) == 3

    async def test_names_somebody_twice_and_tells_them_once(
        self, store: Store, clock: Watch
    ) -> None:
        ada = await person(store, "Ada")
        assert (
            await tell(store, clock(), [ada, ada], NEWS, facts={}, link="/", id="1", by=None) == 1
        )

    async def test_takes_one_write_for_each_person(self, store: Store, clock: Watch) -> None:
        people = [await person(store, f"P{number}") for number in range(30)]
        with counting() as tally:
            await tell(store, clock(), people, NEWS, facts={}, link="/", id="1", by=None)
        assert (tally.reads, tally.writes) == (0, 30)

    async def test_keeps_facts_short(self, store: Store, clock: Watch) -> None:
        ada = await person(store, "Ada")
        await tell(
            store, clock(), [ada], NEWS, facts={"what": "x" * 5000}, link="/", id="1", by=None
        )
        [notification] = await told(store, ada)
        assert len(notification.facts["what"]) == 200

    async def test_is_forgotten_after_two_months(self, store: Store, clock: Watch) -> None:
        ada = await person(store, "Ada")
        await tell(store, clock(), [ada], NEWS, facts={}, link="/", id="1", by=None)
        clock.forward(KEPT_SECONDS)
        assert await told(store, ada) == []

    @pytest.mark.parametrize(
        "link",
        [
            "",
            "https://elsewhere.example",
            "//elsewhere.example",
            "/\\elsewhere",
            "/a\nb",
            "/é",
            "x",
        ],
    )
    async def test_leads_to_pages_of_this_house_only(
        self, store: Store, clock: Watch, link: str
    ) -> None:
        ada = await person(store, "Ada")
        with pytest.raises(ValueError, match="a page of this house"):
            await tell(store, clock(), [ada], NEWS, facts={}, link=link, id="1", by=None)


class TestNobodyIsTold:
    @pytest.mark.parametrize("preference", ["new_round", "vote_nudge", "pick_announce"])
    async def test_what_they_turned_off(self, store: Store, clock: Watch, preference: str) -> None:
        prefs = NotificationPrefs(**{preference: False})
        ada = await person(store, "Ada", notification_prefs=prefs)
        kinds = [
            Kind(name, title=str, text=str, preference=Preference(name, label="", help=""))
            for name in ("new_round", "vote_nudge", "pick_announce")
        ]
        for kind in kinds:
            await tell(store, clock(), [ada], kind, facts={}, link="/", id="1", by=None)
        off = {one.kind for one in await told(store, ada)} ^ {kind.name for kind in kinds}
        assert off == {preference}

    async def test_for_a_managed_member(self, store: Store, clock: Watch) -> None:
        child = await person(
            store, "Mia", is_managed=True, email=None, notification_prefs=None, parent_user_id="ada"
        )
        assert await tell(store, clock(), [child], NEWS, facts={}, link="/", id="1", by=None) == 0
        assert await told(store, child) == []

    async def test_who_cannot_sign_in(self, store: Store, clock: Watch) -> None:
        gone = await person(store, "Dan", disabled_at=iso(clock()))
        assert await tell(store, clock(), [gone], NEWS, facts={}, link="/", id="1", by=None) == 0

    async def test_who_was_deleted_meanwhile(self, either: Store, clock: Watch) -> None:
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        await either.write(delete(ben))
        assert (
            await tell(either, clock(), [ada, ben], NEWS, facts={}, link="/", id="1", by=None) == 1
        )
        assert await told(either, ben) == []

    async def test_but_kinds_that_no_preference_speaks_of_are_on(
        self, store: Store, clock: Watch
    ) -> None:
        prefs = NotificationPrefs(vote_nudge=False, pick_announce=False, new_round=False)
        ada = await person(store, "Ada", notification_prefs=prefs)
        assert await tell(store, clock(), [ada], NEWS, facts={}, link="/", id="1", by=None) == 1
