"""A room is a declaration: one more in the list is one more in the house, and nothing is left of
one that is no longer there."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.house.app import create_app
from commonroom.house.checks import all_checks
from commonroom.house.consumers import consumers, notification_kinds, timer_handlers
from commonroom.house.demo import seed_demo
from commonroom.house.rooms import ROOMS
from commonroom.house.running import housekeeping
from commonroom.http.access import Need
from commonroom.http.live_topics import Live
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router, get
from commonroom.http.words import FLASH_TEXTS
from commonroom.joins.rooms import (
    DeclaredTwice,
    Room,
    RoomData,
    RoomServer,
    offers_of,
    offers_without_server,
    open_offers,
)
from commonroom.model import MODEL, model_of
from commonroom.notifications.tables import newest_notifications
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store, delete, put
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from tests.house.garden.room import GARDEN, Harvest, Plant, plants, plants_of
from tests.house.whole import Whole, whole
from tests.support.fixtures import hashing
from tests.support.pages import said, text

__all__ = ["hashing"]

SIX = (*ROOMS, GARDEN)
TITLES = Titles(Catalogue())
PLAIN = Room(key="cellar", name="Cellar", sentence="What is below.")


class TestASixthRoom:
    async def test_is_on_the_front_door_and_has_pages_with_a_style_of_their_own(
        self, tmp_path: Path
    ) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            ada = await house.browser()
            assert 'href="/garden"' in (await ada.get("/")).text
            shown = await ada.get("/garden")
            assert "Garden" in text(shown)
            (leaf,) = re.findall(r'<img src="([^"]+)"', shown.text)
            assert (await ada.get(leaf)).headers["content-type"].startswith("image/svg+xml")
            worker = (await ada.get("/service-worker.js")).text
            assert '["/posters/","/pictures/","/library/covers/","/garden/pictures/"]' in worker

    async def test_says_what_was_done_on_the_next_page(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            ada = await house.browser()
            assert (await ada.post("/garden")).headers["location"] == "/garden"
            page = await ada.get("/garden")
            assert said(page) == "The fern is planted."
            assert "Fern" in text(page)

    async def test_tells_people_when_its_timer_is_due(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            ada = await house.browser()
            await ada.post("/garden")
            await until_told(house, tmp_path)
            assert "Fern is thirsty" in text(await ada.get("/notifications"))

    async def test_asks_people_whether_they_want_to_hear_of_it(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            ada = await house.browser()
            assert "A plant is thirsty" in text(await ada.get("/me/notifications"))
            await ada.post("/me/notifications", data={"list.new_round": "true"})
            chosen = (await ada.get("/api/v1/me")).json()["notification_prefs"]
            assert (chosen["garden_thirsty"], chosen["new_round"]) == (False, True)
            change = {"notification_prefs": {"garden_thirsty": True}}
            changed = (await ada.patch("/api/v1/me", json=change)).json()["notification_prefs"]
            assert changed == chosen | {"garden_thirsty": True}

    async def test_gives_its_part_to_the_data_export(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            ada = await house.browser()
            await ada.post("/garden")
            exported = (await ada.get("/me/data/download")).json()
            assert exported["kept_elsewhere"]["garden"] == {"plants": ["Fern"]}

    async def test_clears_up_after_a_person_who_left(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            asked = plants_of(user_id=house.ada.user_id)
            await house.store.write(put(Plant(user_id=house.ada.user_id, name="Fern")))
            await house.store.write(delete(house.ada))
            async with housekeeping(house.store, Settings(data=tmp_path / "data"), SIX):
                while (await house.store.page(asked)).items:
                    await house.store.engine.wait_for_changes(1)

    async def test_is_looked_at_by_check(self, tmp_path: Path) -> None:
        async with whole(tmp_path, of_rooms=SIX) as house:
            await house.store.write(put(Plant(user_id="ada", name="Fern", leaves=-1)))
            assert [one.detail for one in await problems(house.store, SIX)] == [
                "It has fewer leaves than none."
            ]

    async def test_adds_to_the_demonstration(self, tmp_path: Path) -> None:
        store = Store(EmbeddedEngine(tmp_path / "house.db", model_of(SIX).tables, durability="OFF"))
        people = await seed_demo(store, time.time(), [GARDEN])
        grown = (await store.page(plants_of(user_id=people.maya.user_id))).items
        assert [one.name for one in grown] == ["Rose"]
        await store.close()


class TestANewJoin:
    """A room offers something of a type that no room and nothing of the house knows."""

    async def test_is_found_by_its_type_where_somebody_asks_for_it(self, tmp_path: Path) -> None:
        @get("/kitchen", Need.ANYONE)
        async def kitchen(request: Request) -> Response[str]:
            return Response(" and ".join(one.food for one in open_offers(request, Harvest)))

        server = RoomServer(routers=lambda: [Router("/", [kitchen])])
        plain = replace(PLAIN, server=server)
        async with whole(tmp_path, of_rooms=(*SIX, plain)) as house:
            assert (await (await house.guest()).get("/kitchen")).text == "plums and rosemary"

    def test_is_found_by_commands_where_it_needs_no_server(self) -> None:
        assert offers_without_server(SIX, Harvest) == [Harvest("plums")]
        assert offers_of(ROOMS, Harvest) == []


class TestWithoutIt:
    async def test_nothing_of_it_answers_or_is_shown(self, tmp_path: Path) -> None:
        async with whole(tmp_path) as house:
            ada = await house.browser()
            ada.cookies.set("said", "garden-planted", domain="commonroom.test")
            home = await ada.get("/")
            assert said(home) == ""
            assert "arden" not in text(home)
            for path in ("/garden", "/static/garden/leaf.svg"):
                assert (await ada.get(path)).status_code == 404
            assert "garden" not in (await ada.get("/service-worker.js")).text
            assert "thirsty" not in text(await ada.get("/me/notifications"))
            assert "garden" not in (await ada.get("/me/data/download")).text
            assert "garden" not in (await ada.get("/api/v1/me")).text

    async def test_nothing_of_it_is_stored_done_or_told(self, tmp_path: Path) -> None:
        fetcher = Fetcher.for_user_addresses()
        settings = Settings(data=tmp_path)
        assert plants not in MODEL.tables
        assert "garden_thirsty" not in notification_kinds()
        assert "garden-thirst" not in timer_handlers(Titles(Catalogue()))
        assert "garden-people" not in {one.name for one in consumers(settings, fetcher)}
        assert len(all_checks(SIX)) == len(all_checks(ROOMS)) + 1
        await fetcher.close()


@pytest.mark.parametrize(
    "twin",
    [
        {"key": "library"},
        {"server": RoomServer(flash_texts={"lent": "It is lent."})},
        {"server": RoomServer(flash_texts=FLASH_TEXTS)},
        {"data": RoomData(notification_kinds=ROOMS[0].data.notification_kinds)},
        {"data": RoomData(exports=ROOMS[0].data.exports)},
        {"server": RoomServer(resources=lambda _settings, _fetcher: {"titles": TITLES})},
    ],
    ids=["key", "flash text", "flash text of the house", "notification", "export", "resource"],
)
async def test_a_name_that_is_taken_is_found_when_the_house_is_put_together(
    tmp_path: Path, twin: dict[str, object]
) -> None:
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    with pytest.raises(DeclaredTwice):
        create_app(
            store, Settings(data=tmp_path), Live(store), rooms=[*ROOMS, replace(PLAIN, **twin)]
        )
    await store.close()


async def test_so_is_a_consumer_or_a_timer_of_a_name_that_is_taken(tmp_path: Path) -> None:
    fetcher = Fetcher.for_user_addresses()
    with pytest.raises(DeclaredTwice):
        consumers(
            Settings(data=tmp_path),
            fetcher,
            [*ROOMS, replace(PLAIN, data=RoomData(consumers=ROOMS[0].data.consumers))],
        )
    rooms = [*ROOMS, replace(PLAIN, data=RoomData(timer_handlers=ROOMS[0].data.timer_handlers))]
    with pytest.raises(DeclaredTwice):
        timer_handlers(Titles(Catalogue()), rooms)
    await fetcher.close()


async def until_told(house: Whole, folder: Path) -> None:
    """Keeps house until Ada is told something."""
    asked = newest_notifications(user_id=house.ada.user_id)
    async with housekeeping(house.store, Settings(data=folder / "data"), SIX):
        while not (await house.store.page(asked)).items:
            await house.store.engine.wait_for_changes(1)


async def problems(store: Store, rooms: Sequence[Room]) -> list[ReportedProblem]:
    """What `commonroom check` finds in a house of these rooms."""
    found: list[ReportedProblem] = []
    await check_store(
        store,
        model_of(rooms).tables,
        all_checks(rooms),
        repair=False,
        report=found.append,
        progress=lambda _table, _items: None,
    )
    return found
