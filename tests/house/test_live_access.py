"""A page that is open hears of changes only as long as whoever opened it may see it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import get_type_hints

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, sessions, tokens
from commonroom.accounts.tables import User
from commonroom.hangouts.tables import GroupMembership
from commonroom.house.app import create_app
from commonroom.house.server import web_server
from commonroom.http.authentication import COOKIE
from commonroom.http.live_topics import Live
from commonroom.http.live_updates import LiveUpdates
from commonroom.model import MODEL
from commonroom.movienight.service.members import leave, remove_member
from commonroom.movienight.service.rounds.lifecycle import create_round
from commonroom.settings import Settings, secrets_of
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import Created, Passcodes, create_page
from commonroom.shareables.service.edit import delete_page
from commonroom.shareables.service.gate import Page, PageAccess, ShareableVisitor, open_page
from commonroom.shareables.service.passcodes import change_passcode, enter
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.store import Store, create, delete
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from tests.accounts.api.calling import first, someone
from tests.accounts.people import Watch
from tests.attacks.connections import connections, request
from tests.hangouts.friends import group_of, hangout_of
from tests.movienight.evenings import context_of, home_of, likes
from tests.shareables.furniture import ADMIN, SHOPPING, VIEW
from tests.support.application import application_without_store
from tests.support.context import at
from tests.support.dynamodb_local import free_port

DAY = 24 * 3600.0
STREAMS = {
    "/home/live",
    "/notifications/live",
    "/movie-night/live",
    "/movie-night/rounds/{round_id:str}/live",
    "/s/{short_id:str}/live",
    "/groups/{group_id:str}/live",
    "/hangouts/{hangout_id:str}/live",
}
"""Every live stream of the house; each of them ends in a test below."""


class NotOpened(Exception):
    """The page could not be opened."""


class House:
    """The whole house on a real server, which asks very often whether listeners may listen."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(EmbeddedEngine(folder / "house.db", MODEL.tables, durability="OFF"))
        self.settings = Settings(data=folder, port=free_port())
        self.live = Live(self.store, access_seconds=0.05)
        self.passes = Passes(secrets_of(self.settings).derived(PURPOSE))
        self._server = web_server(create_app(self.store, self.settings, self.live), self.settings)

    async def serve(self) -> None:
        """Answers until it is stopped."""
        await self._server.serve()

    def stop(self) -> None:
        """Stops answering."""
        self.live.close()
        self._server.stop()  # type: ignore[no-untyped-call] # Granian does not say

    async def session(self, person: User) -> dict[str, str]:
        """What a browser of somebody's shows."""
        secret = await sessions.open_session(self.store, time.time(), person)
        return {"Cookie": f"{COOKIE}={secret}"}

    async def page(self, made: Created) -> PageAccess[Page]:
        """A page, opened to its creator."""
        visitor = ShareableVisitor(self.store, self.passes, time.time(), tokens=(made.token,))
        return await open_page(visitor, made.page.short_id, want="admin")

    @asynccontextmanager
    async def listening(
        self, path: str, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[asyncio.StreamReader]:
        """A page that is open and has heard the first version."""
        async with connections("127.0.0.1", self.settings.port, 1) as ((reader, writer),):
            writer.write(request(path, headers))
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 OK" not in head:
                raise NotOpened(head)
            await reader.readuntil(b"event: version\n")
            yield reader


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    serving = asyncio.create_task(house.serve())
    while True:
        try:
            async with connections("127.0.0.1", house.settings.port, 1):
                break
        except OSError:
            await asyncio.sleep(0.02)
    yield house
    house.stop()
    await serving
    await house.store.close()


@pytest.fixture
async def ada(house: House) -> User:
    return await first(house.store, "Ada")


@pytest.fixture
async def ben(house: House, ada: User) -> User:
    return await someone(house.store, "Ben")


async def ends(reader: asyncio.StreamReader) -> bool:
    """Waits for the stream's end; whether it said before that it is over for this listener."""
    return b"event: over\n" in await reader.readuntil(b"\r\n0\r\n\r\n")


async def goes_on(house: House, reader: asyncio.StreamReader) -> bool:
    """Whether a stream is still open after it was asked several times whether it may be."""
    await asyncio.sleep(0.5)
    return house.live.listeners == 1 and not reader.at_eof()


def test_every_stream_of_the_house_is_tested_here() -> None:
    found = {
        one.path
        for one in application_without_store().routes
        if get_type_hints(one.route.function).get("return") is LiveUpdates
    }
    assert found == STREAMS


class TestHome:
    async def test_ends_when_the_session_ends(self, house: House, ada: User) -> None:
        async with house.listening("/home/live", await house.session(ada)) as heard:
            assert await goes_on(house, heard)
            await sessions.end_all_sessions(house.store, ada)
            assert await ends(heard)


class TestTheBell:
    async def test_ends_when_the_session_ends(self, house: House, ada: User) -> None:
        async with house.listening("/notifications/live", await house.session(ada)) as heard:
            await sessions.end_all_sessions(house.store, ada)
            assert await ends(heard)

    async def test_ends_when_the_person_is_disabled(
        self, house: House, ada: User, ben: User
    ) -> None:
        async with house.listening("/notifications/live", await house.session(ben)) as heard:
            await administration.disable(house.store, time.time(), ben)
            assert await ends(heard)

    async def test_goes_on_when_somebody_else_s_session_ends(
        self, house: House, ada: User, ben: User
    ) -> None:
        async with house.listening("/notifications/live", await house.session(ada)) as heard:
            await sessions.end_all_sessions(house.store, ben)
            assert await goes_on(house, heard)


class TestAHousehold:
    async def test_ends_for_whoever_is_taken_out_of_it(
        self, house: House, ada: User, ben: User
    ) -> None:
        await home_of(house.store, Watch(), ada, ben)
        async with house.listening("/movie-night/live", await house.session(ben)) as heard:
            seat = await context_of(house.store, ada)
            await remove_member(at(house.store, time.time(), seat), ben.user_id)
            assert await ends(heard)

    async def test_ends_for_a_program_whose_token_is_revoked(self, house: House, ada: User) -> None:
        await home_of(house.store, Watch(), ada)
        token, secret = await tokens.make_token(
            Context(house.store, ada, time.time()), name="a program", scopes=["read"]
        )
        shown = {"Authorization": f"Bearer {secret}"}
        async with house.listening("/movie-night/live", shown) as heard:
            await tokens.revoke_token(Context(house.store, ada), token.digest)
            assert await ends(heard)


class TestARound:
    async def test_ends_for_whoever_leaves_the_household(
        self, house: House, ada: User, ben: User
    ) -> None:
        await home_of(house.store, Watch(), ada, ben)
        for person in (ada, ben):
            await likes(house.store, Watch(), person)
        seat = await context_of(house.store, ada)
        made = await create_round(at(house.store, time.time(), seat), Catalogue())
        path = f"/movie-night/rounds/{made.round_id}/live"
        async with house.listening(path, await house.session(ben)) as heard:
            await leave(at(house.store, time.time(), await context_of(house.store, ben)))
            assert await ends(heard)


class TestAPage:
    async def made(self, house: House, passcodes: Passcodes | None = None) -> Created:
        return await create_page(
            ShareableVisitor(house.store, house.passes, time.time()),
            SHOPPING,
            expires_after=7,
            passcodes=passcodes or Passcodes(),
        )

    async def test_ends_for_guests_when_its_passcode_changes(self, house: House) -> None:
        made = await self.made(house, Passcodes(VIEW, ADMIN))
        short_id, path = made.page.short_id, f"{address_of(made.page.short_id)}/live"
        let_in = await enter(
            ShareableVisitor(house.store, house.passes, time.time(), address="192.0.2.1"),
            short_id,
            VIEW,
        )
        async with house.listening(path, {"Cookie": f"pass-view={let_in.token}"}) as heard:
            gate = await house.page(made)
            another = "something else entirely"
            await change_passcode(gate, "view", typed=another)
            assert await ends(heard)

    async def test_ends_when_its_time_is_over(self, house: House) -> None:
        for seconds in (2, 20, 100):
            soon = time.time() - 7 * DAY + seconds
            visitor = ShareableVisitor(house.store, house.passes, soon)
            made = await create_page(visitor, SHOPPING, expires_after=7)
            # On a busy machine it may be over before the page is opened.
            with suppress(NotOpened):
                async with house.listening(f"{address_of(made.page.short_id)}/live") as heard:
                    assert await ends(heard)
                    return
        pytest.fail("The page was never opened in time.")

    async def test_ends_when_it_is_deleted(self, house: House) -> None:
        made = await self.made(house)
        async with house.listening(f"{address_of(made.page.short_id)}/live") as heard:
            await delete_page(await house.page(made))
            assert await ends(heard)

    async def test_goes_on_for_guests_when_something_else_changes(
        self, house: House, ada: User, ben: User
    ) -> None:
        made = await self.made(house)
        async with house.listening(f"{address_of(made.page.short_id)}/live") as heard:
            await sessions.end_all_sessions(house.store, ada)
            assert await goes_on(house, heard)


class TestAGroupAndItsHangouts:
    async def test_end_for_whoever_is_no_longer_a_member(
        self, house: House, ada: User, ben: User
    ) -> None:
        clock = Watch()
        clock.now = time.time()
        group = await group_of(house.store, clock, ada, ben)
        made = await hangout_of(house.store, clock, ada, group)
        shown = await house.session(ben)
        paths = (f"/groups/{group.group_id}/live", f"/hangouts/{made.hangout_id}/live")
        membership = GroupMembership.at(group_id=group.group_id, user_id=ben.user_id)
        kept = await house.store.get(membership)
        assert kept is not None
        for path in paths:
            async with house.listening(path, shown) as reader:
                assert await goes_on(house, reader)
                await house.store.write(delete(membership))
                assert await ends(reader)
            with pytest.raises(NotOpened):
                async with house.listening(path, shown):
                    pass
            await house.store.write(create(kept))
