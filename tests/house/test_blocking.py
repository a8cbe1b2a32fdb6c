"""Blocking, in all rooms: nothing of a person reaches who has blocked them, and nobody is told."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient, Response

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.blocks import MAX_BLOCKED, block, list_blocked, unblock
from commonroom.accounts.tables import Block, User, accounts
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.hangouts.service import talk
from commonroom.hangouts.service.detail import see_hangout
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.tables import TalkMessage
from commonroom.house.consumers import consumers
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store, counting
from commonroom.store.streams import Worker
from commonroom.watchlists.service.collaborators import create_link, join
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch, again
from tests.hangouts.friends import group_of, hangout_of, tidied, told
from tests.support.cinema import Cinema, cinema, words_of
from tests.watchlists.examples import curator, list_of

V1 = "/api/v1"


@pytest.fixture
async def house(store_of_now: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The whole house."""
    async with cinema(store_of_now, tmp_path) as made:
        yield made


@pytest.fixture
def clock() -> Watch:
    """The time as it is."""
    made = Watch()
    made.now = time.time()
    return made


@pytest.fixture
async def ada(house: Cinema) -> User:
    """Who blocks."""
    return await house.person("Ada")


@pytest.fixture
async def ben(house: Cinema) -> User:
    """Who is blocked."""
    return await house.person("Ben")


@pytest.fixture
async def blocked(house: Cinema, ada: User, ben: User) -> User:
    """Ada, once she has blocked Ben."""
    await block(house.asks(ada), ben.user_id, "Ben")
    return await again(house.store, ada)


async def post(client: AsyncClient, path: str, **data: Any) -> Response:
    """A form, as a browser sends it from a page of the house."""
    return await client.post(path, data=data, headers={"referer": "http://house.example/lists"})


async def public_list(house: Cinema, clock: Watch) -> Watchlist:
    """A list of somebody else's."""
    return await list_of(house.store, clock, await curator(house.store, clock, "Cleo"))


async def caught_up(house: Cinema, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    await Worker(house.store, consumers(settings, Fetcher())).drain()


class TestRooms:
    async def test_neither_invites_shares_nor_lends_by_address(
        self, house: Cinema, clock: Watch, blocked: User, ben: User
    ) -> None:
        bens, address = house.asks(ben), str(blocked.email)
        library = await create_library(bens, name="Shelf")
        book = await add_item(bens, library.library_id, kind=Book, given={"title": "Dune"})
        hangout = await hangout_of(house.store, clock, ben)
        for refused in (
            invite(bens, hangout.hangout_id, address),
            share(bens, library.library_id, address),
            lend(bens, library.library_id, book.item.item_id, to="Ada", email=address),
        ):
            with pytest.raises(InvalidField, match="No account here"):
                await refused

    async def test_a_group_in_common_opens_no_invitation_by_id(
        self, house: Cinema, clock: Watch, blocked: User, ben: User
    ) -> None:
        group = await group_of(house.store, clock, ben, blocked)
        bens = await house.client(ben)
        new = {"title": "Come", "invited_user_ids": [blocked.user_id]}
        answer = await bens.post(f"{V1}/hangouts", json=new)
        stranger = await house.person("Stranger")
        other = {"title": "Come", "invited_user_ids": [stranger.user_id]}
        assert answer.status_code == 422
        assert (
            answer.json()["detail"]
            == ((await bens.post(f"{V1}/hangouts", json=other)).json()["detail"])
        ), "as to a stranger"
        await unblock(house.asks(blocked), ben.user_id)
        assert (await bens.post(f"{V1}/hangouts", json=new)).status_code == 201, group

    async def test_a_new_hangout_of_the_group_is_not_told(
        self, house: Cinema, clock: Watch, blocked: User, ben: User
    ) -> None:
        group = await group_of(house.store, clock, ben, blocked)
        await hangout_of(house.store, clock, ben, group)
        clock.forward(600)
        await tidied(house.store, clock)
        assert await told(house.store, blocked) == []
        await unblock(house.asks(blocked), ben.user_id)
        await hangout_of(house.store, clock, ben, group)
        clock.forward(600)
        await tidied(house.store, clock)
        assert await told(house.store, blocked) == ["hangout_new"]

    async def test_what_they_say_is_not_shown(
        self, house: Cinema, clock: Watch, blocked: User, ben: User
    ) -> None:
        listed = await public_list(house, clock)
        await add_comment(house.asks(ben), listed.watchlist_id, "Rubbish!")
        group = await group_of(house.store, clock, ben, blocked)
        hangout = (await hangout_of(house.store, clock, ben, group)).hangout_id
        await talk.say(house.asks(ben), ben, hangout, "Rubbish!")
        adas = await house.client(blocked)
        for path in (f"/lists/{listed.watchlist_id}", f"/hangouts/{hangout}"):
            assert "Rubbish!" not in (await adas.get(path)).text
            assert "Rubbish!" in (await (await house.client(ben)).get(path)).text
        hers = house.asks(blocked)
        assert (await talk.read_talk(hers, hangout))[1].items == []
        assert (await see_hangout(hers, blocked, hangout)).things.of(TalkMessage) == []
        comments = await adas.get(f"{V1}/watchlists/{listed.watchlist_id}/comments")
        assert comments.json()["items"] == []

    async def test_a_link_to_a_list_has_ended_for_them(
        self, house: Cinema, clock: Watch, blocked: User, ben: User
    ) -> None:
        mine = await list_of(house.store, clock, blocked)
        key = await create_link(house.asks(blocked), mine.watchlist_id, "join")
        with pytest.raises(NotFound):
            await join(house.asks(ben), mine.watchlist_id, key)


class TestPages:
    async def test_a_comment_offers_it_and_the_name_is_the_one_shown(
        self, house: Cinema, clock: Watch, ada: User, ben: User
    ) -> None:
        listed = await public_list(house, clock)
        await add_comment(house.asks(ben), listed.watchlist_id, "Rubbish!")
        adas = await house.client(ada)
        (said,) = (await adas.get(f"{V1}/watchlists/{listed.watchlist_id}/comments")).json()[
            "items"
        ]
        assert said["author_handle"] in (await adas.get(f"/lists/{listed.watchlist_id}")).text
        done = await post(adas, "/me/blocked", person=said["author_handle"])
        assert (done.status_code, done.headers["location"]) == (303, "/lists")
        shown = await adas.get("/me/blocked")
        assert "ben Blocked" in words_of(shown)
        assert ben.user_id not in shown.text
        await post(adas, "/me/blocked/unblock", person=said["author_handle"])
        assert "No one is blocked" in words_of(await adas.get("/me/blocked"))

    async def test_a_persons_page_offers_it(
        self, house: Cinema, clock: Watch, ada: User, ben: User
    ) -> None:
        await group_of(house.store, clock, ben, ada)
        adas = await house.client(ada)
        assert "Yes, block" in words_of(await adas.get(f"/people/{ben.user_id}"))
        await block(house.asks(ada), ben.user_id, "Ben")
        assert "You have blocked them." in words_of(await adas.get(f"/people/{ben.user_id}"))
        assert "blocked" not in words_of(
            await (await house.client(ben)).get(f"/people/{ada.user_id}")
        )

    async def test_the_list_is_one_request(self, house: Cinema, blocked: User) -> None:
        with counting() as tally:
            assert len(await list_blocked(house.store, blocked)) == 1
        assert tally.requests == 1


class TestApi:
    async def test_takes_acquaintances_by_id_and_strangers_only_by_handle(
        self, house: Cinema, clock: Watch, ada: User, ben: User
    ) -> None:
        adas = await house.client(ada)
        by_id = {"person": ben.user_id}
        assert (await adas.post(f"{V1}/me/blocked", json=by_id)).status_code == 404
        await group_of(house.store, clock, ben, ada)
        done = (await adas.post(f"{V1}/me/blocked", json=by_id)).json()
        assert done["name"] == "Ben"
        listed = (await adas.get(f"{V1}/me/blocked")).json()["items"]
        assert listed == [done]
        assert (await adas.get(f"{V1}/me/export")).json()["kept_elsewhere"]["blocked"] == {
            "people": [{"name": "Ben", "since": done["since"]}]
        }
        gone = await adas.delete(f"{V1}/me/blocked/{done['person']}")
        assert gone.status_code == 204
        assert (await adas.get(f"{V1}/me/blocked")).json()["items"] == []


class TestBlocks:
    async def test_nobody_blocks_themselves_or_too_many(self, house: Cinema, ada: User) -> None:
        with pytest.raises(InvalidField):
            await block(house.asks(ada), ada.user_id, "Ada")
        for number in range(MAX_BLOCKED):
            one = await house.person(f"P{number}")
            await block(house.asks(ada), one.user_id, one.display_name)
        with pytest.raises(Conflict):
            await block(house.asks(ada), (await house.person("More")).user_id, "More")

    @pytest.mark.parametrize("leaves", ["Ada", "Ben"])
    async def test_an_account_that_is_deleted_leaves_none(
        self, house: Cinema, tmp_path: Path, blocked: User, ben: User, leaves: str
    ) -> None:
        one, other = (blocked, ben) if leaves == "Ada" else (ben, blocked)
        await delete_account(house.store, one, typed=CONFIRMATION)
        await caught_up(house, tmp_path)
        assert (await again(house.store, other)).blocked == {}
        found = await house.store.engine.scan(accounts, limit=1000)
        assert [it for it in found.items if it["kind"] == Block.schema.kind] == []

    async def test_it_is_once_however_often(self, house: Cinema, ada: User, ben: User) -> None:
        ctx = Context(house.store, ada, time.time())
        first = await block(ctx, ben.user_id, "Ben")
        assert await block(Context(house.store, ada, ctx.now + 9), ben.user_id, "Ben") == first
        await unblock(ctx, ben.user_id)
        await unblock(ctx, ben.user_id)
        assert (await again(house.store, ada)).blocked == {}
