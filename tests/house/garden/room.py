"""A throw-away room: everything that a room can declare, and as little as possible of each."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User, user_by_id
from commonroom.http.access import Need
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router, get, post
from commonroom.joins.rooms import Room, RoomData, RoomServer
from commonroom.notifications import Kind, tell
from commonroom.notifications.preferences import Preference
from commonroom.store import Entity, Store, Table, many, put
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Timer, timer

plants = Table("Plants", room="garden", partition="user_id", sort="name")


class Plant(Entity, table=plants):
    """Something that grows."""

    user_id: str
    name: str
    leaves: int = 3


plants_of = many(plants, "List a person's plants", gives=Plant)


@get("/garden", Need.BROWSER)
async def garden(request: Request) -> Response[Any]:
    """What one grows."""
    asked = plants_of(user_id=request.person.user_id)
    grown = [one async for one in request.store.all(asked)]
    return render(request, "garden/home.html", plants=grown)


@post("/garden", Need.BROWSER)
async def plant(request: Request) -> Response[Any]:
    """Plants a fern, which is thirsty at once."""
    user_id = request.person.user_id
    thirst = timer("garden-thirst", time.time(), {"user_id": user_id})
    await request.store.write(put(Plant(user_id=user_id, name="Fern")), put(thirst))
    return redirect("/garden", "garden-planted")


THIRSTY = Kind(
    "garden_thirsty",
    title=lambda facts: f"{facts['plant']} is thirsty",
    text=lambda _facts: "Bring water.",
    preference=Preference("garden_thirsty", "A plant is thirsty", "It wants water."),
)


async def tell_of_thirst(store: Store, due: Timer, now: float) -> None:
    """Tells whoever grows something."""
    person = await store.get(user_by_id(user_id=due.about["user_id"]))
    if person is not None:
        facts = {"plant": "Fern"}
        await tell(store, now, [person], THIRSTY, facts=facts, link="/garden", id="fern", by=None)


async def clear_plants(store: Store, change: Change) -> None:
    """Deletes what somebody grew who has left."""
    if change.kind == "remove":
        await store.delete_all(plants_of(user_id=change.old.user_id))


async def export_plants(store: Store, person: User) -> dict[str, Any]:
    """What a person grows."""
    return {"plants": [one.name async for one in store.all(plants_of(user_id=person.user_id))]}


class LeavesCheck:
    """Looks for plants with less than nothing."""

    async def examine(
        self, _store: Store, things: Sequence[StoredEntity]
    ) -> AsyncIterator[Problem]:
        """Those among these things."""
        for thing in things:
            if isinstance(thing.entity, Plant) and thing.entity.leaves < 0:
                yield Problem("leaves", "Plants", thing.key, "It has fewer leaves than none.")


async def furnish(store: Store, _now: float, people: DemoPeople) -> None:
    """Lets Maya grow something."""
    await store.write(put(Plant(user_id=people.maya.user_id, name="Rose")))


class Harvest(Struct, frozen=True):
    """A join of which the house has never heard: what a room gives to those who cook."""

    food: str


SERVER = RoomServer(
    routers=lambda: [Router("/", [garden, plant])],
    flash_texts={"garden-planted": "The fern is planted."},
    picture_paths=["/garden/pictures/"],
    offers=[Harvest("rosemary")],
)

GARDEN = Room(
    key="garden",
    name="Garden",
    sentence="What grows behind the house.",
    addresses=["/garden"],
    package="tests.house.garden",
    data=RoomData(
        tables=[plants],
        consumers=[Consumer("garden-people", (User,), clear_plants)],
        timer_handlers={"garden-thirst": tell_of_thirst},
        notification_kinds=[THIRSTY],
        exports={"garden": export_plants},
        checks=lambda: [LeavesCheck()],
    ),
    offers=[Harvest("plums")],
    server="tests.house.garden.room",
    demo=furnish,
)
