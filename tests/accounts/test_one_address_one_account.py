"""Whatever people do, and in whatever order: one address, one account, and nothing left over."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import make_administrator, make_ordinary
from commonroom.accounts.service.email_addresses import (
    change_address,
    confirm_address,
    want_address,
)
from commonroom.accounts.service.profiles import add_managed, remove_managed
from commonroom.accounts.service.signup import set_up, sign_up
from commonroom.accounts.tables import User, accounts, managed_members, tables, users
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.values import Item
from tests.accounts.people import PASSWORD, Watch, at_once, newcomer
from tests.support.budget import examples
from tests.support.world import fresh

ADDRESSES = ["a@example.org", "A@example.org", "b@example.org", "B@Example.org", "ß@example.org"]

addresses = st.sampled_from(ADDRESSES)
someone = st.integers(0, 5)


class SignUp(Struct, frozen=True):
    """Somebody signs up."""

    email: str


class Act(Struct, frozen=True):
    """Somebody does something, as they were when we last saw them, which may be long ago."""

    who: int
    what: str
    email: str


steps = st.one_of(
    st.builds(SignUp, addresses),
    st.builds(
        Act,
        someone,
        st.sampled_from(
            ["move", "want", "confirm", "leave", "add", "remove", "raise", "lower", "look"]
        ),
        addresses,
    ),
)


class House:
    """An installation, and the people that we have seen in it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = Watch()
        self.seen: list[User] = []
        self.links: list[str] = []

    async def begin(self) -> None:
        """Sets the installation up."""
        self.seen.append(await set_up(self.store, self.clock(), newcomer("Ada")))

    async def take(self, step: SignUp | Act) -> None:
        """Does one step, which may be refused."""
        if isinstance(step, SignUp):
            new = newcomer("Somebody", email=step.email)
            self.seen.append(await sign_up(self.store, self.clock(), "open", new))
            return
        place = step.who % len(self.seen)
        await self._act(place, self.seen[place], step)

    async def _act(self, place: int, user: User, step: Act) -> None:
        store, now = self.store, self.clock()
        match step.what:
            case "move":
                # What comes of it is not remembered: the next step goes by what we saw before.
                await change_address(Context(store, user, now), step.email, password=PASSWORD)
            case "want":
                _, link = await want_address(
                    Context(store, user, now), step.email, password=PASSWORD
                )
                self.links.append(link)
            case "confirm" if self.links:
                await confirm_address(
                    Context(store, await store.get(user.ref) or user, now), self.links[-1]
                )
            case "leave":
                await delete_account(store, user, typed=CONFIRMATION)
            case "add":
                await add_managed(Context(store, user, now), display_name="Zoe")
            case "remove":
                async for child in store.all(managed_members(parent_user_id=user.user_id)):
                    await remove_managed(store, user, child.user_id)
            case "raise":
                await make_administrator(store, user)
            case "lower":
                await make_ordinary(store, user)
            case _:
                self.seen[place] = await store.get(user.ref) or user

    async def check(self) -> None:
        """Holds what is stored of people against each other."""
        people = {one["user_id"]: one for one in await self._items(users)}
        kinds: dict[str, list[Item]] = {}
        for item in await self._items(accounts):
            kinds.setdefault(item["kind"], []).append(item)
        own = {key: one for key, one in people.items() if not one["is_managed"]}

        # Every account has its one claim and its password, and there are no others.
        claims = {claim["pk"]: claim["user_id"] for claim in kinds["ADDRESS"]}
        assert claims == {f"address#{one['email'].casefold()}": key for key, one in own.items()}
        assert {one["user_id"] for one in kinds["PASSWORD"]} == own.keys()

        children = Counter(one["parent_user_id"] for one in people.values() if one["is_managed"])
        assert children.keys() <= own.keys()
        assert {key: one["managed_count"] for key, one in own.items()} == {
            key: children[key] for key in own
        }

        (installation,) = kinds["INSTALLATION"]
        assert installation["administrators"] == sum(one["is_admin"] for one in own.values()) >= 1

    async def _items(self, table: Any) -> Sequence[Item]:
        return (await self.store.engine.scan(table, limit=1000)).items


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each example has a file of its own."""
    return tmp_path_factory.mktemp("houses")


@settings(max_examples=examples(50))
@given(st.lists(st.lists(steps, min_size=1, max_size=3), max_size=12))
def test_one_address_is_one_account_and_nothing_is_left_over(
    folder: Path, several: list[list[SignUp | Act]]
) -> None:
    """Steps in a list of their own are taken at once."""

    async def live() -> None:
        store = Store(EmbeddedEngine(folder / f"{fresh()}.db", tables, durability="OFF"))
        try:
            house = House(store)
            await house.begin()
            for together in several:
                await at_once(*(house.take(step) for step in together))
                await house.check()
        finally:
            await store.close()

    asyncio.run(live())
