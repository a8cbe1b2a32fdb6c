"""A believable small world: a family of four, and friends. Every room adds what it knows."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.service import administering, profiles, signing_up
from commonroom.accounts.service.signing_up import NewAccount
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.library import demo as library
from commonroom.movienight import demo as movienight
from commonroom.shareables import demo as shareables
from commonroom.store import Store

YEAR = 370 * 24 * 3600.0
PASSWORD = "a sofa for everyone"  # noqa: S105 - printed by the command; only of a demonstration


class NotEmpty(CommonroomError):
    """Demonstration data goes only into an empty house."""

    status = 409
    title = "This installation is in use"


class World(Struct, frozen=True):
    """The people of the demonstration."""

    maya: User
    jonas: User
    friends: list[User]
    children: list[User]


async def furnish(store: Store, now: float) -> World:
    """Fills an empty installation with people, and with what they did in the last year."""
    world = await _people(store, now - YEAR)
    await movienight.furnish(store, now, world.maya, world.jonas, world.children)
    await shareables.furnish(store, now, [world.maya, world.jonas])
    friends = {one.display_name: one for one in world.friends}
    await library.furnish(store, now, world.maya, world.jonas, friends)
    return world


async def _people(store: Store, now: float) -> World:
    if await signing_up.is_set_up(store):
        raise NotEmpty("Somebody lives here already; a demonstration needs an empty data folder.")
    maya = await signing_up.set_up(store, now, _new("Maya"))
    jonas, ines, tom = [
        await signing_up.sign_up(store, now, "open", _new(name))
        for name in ("Jonas", "Inès", "Tom")
    ]
    await administering.make_administrator(store, jonas)
    children = [
        await profiles.add_managed(
            store, now, maya, display_name="Lea", avatar_key="rabbit", ceiling="PG"
        ),
        await profiles.add_managed(
            store, now, maya, display_name="Finn", avatar_key="hedgehog", ceiling="G"
        ),
    ]
    return World(maya, jonas, [ines, tom], children)


def _new(name: str) -> NewAccount:
    plain = name.lower().replace("è", "e")
    return NewAccount(f"{plain}@home.example", name, PASSWORD)
