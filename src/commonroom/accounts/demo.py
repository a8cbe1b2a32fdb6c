"""The people of the demonstration: a family of four, and two friends."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, profiles, signup
from commonroom.accounts.service.signup import NewAccount
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.store import Store

PASSWORD = "a sofa for everyone"  # noqa: S105 - printed by the command; only of a demonstration


class NotEmpty(CommonroomError):
    """Demonstration data goes only into an empty house."""

    status = 409
    title = "This installation is in use"


class DemoPeople(Struct, frozen=True):
    """Who lives in the demonstration."""

    maya: User
    jonas: User
    friends: list[User]
    children: list[User]


async def add_people(store: Store, now: float) -> DemoPeople:
    """Adds the people of the demonstration to an empty installation."""
    if await signup.is_set_up(store):
        raise NotEmpty("Somebody lives here already; a demonstration needs an empty data folder.")
    maya = await signup.set_up(store, now, _new("Maya"))
    jonas, ines, tom = [
        await signup.sign_up(store, now, "open", _new(name)) for name in ("Jonas", "Inès", "Tom")
    ]
    await administration.make_administrator(store, jonas)
    children = [
        await profiles.add_managed(
            Context(store, maya, now), display_name="Lea", avatar_key="rabbit", ceiling="PG"
        ),
        await profiles.add_managed(
            Context(store, maya, now), display_name="Finn", avatar_key="hedgehog", ceiling="G"
        ),
    ]
    return DemoPeople(maya, jonas, [ines, tom], children)


def _new(name: str) -> NewAccount:
    plain = name.lower().replace("è", "e")
    return NewAccount(f"{plain}@home.example", name, PASSWORD)
