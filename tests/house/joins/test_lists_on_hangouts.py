"""Lists that a hangout carries are seen by those who may read them, and by nobody else."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list
from commonroom.watchlists.tables import Watchlist
from tests.hangouts.pages.browsing import sent, shown
from tests.house.joins.friends import EVERY_ROOM, Friends
from tests.watchlists.examples import ALIEN, HEAT, MATRIX, add_item, list_of, stock


@pytest.fixture
async def private(friends: Friends) -> Watchlist:
    """A private list of Ada's, with two films."""
    await stock(friends.store)
    return await list_of(
        friends.store,
        friends.clock,
        friends.ada,
        *(ALIEN, HEAT),
        title="Scary evenings",
        is_public=False,
    )


async def test_a_private_list_shows_to_whoever_may_read_it_alone(
    friends: Friends, private: Watchlist
) -> None:
    assert "Scary evenings" in await friends.page(friends.ada, "/attach")
    await friends.attach(friends.ada, "watchlist", private.watchlist_id)
    text = await friends.page(friends.ada)
    assert "Scary evenings" in text
    assert "2 titles" in text
    for who in (friends.ben, friends.cleo):
        text = await friends.page(who)
        assert "Scary evenings" not in text
        assert "Along with it" not in text, "not even that there is something"
        await friends.page(who, f"/attachments/watchlist/{private.watchlist_id}", 404)


async def test_once_it_is_public_all_of_the_hangout_see_it_and_hear_of_changes(
    friends: Friends, private: Watchlist
) -> None:
    await friends.attach(friends.ada, "watchlist", private.watchlist_id)
    ctx = friends.ctx(friends.ada)
    change = ListChange(is_public=True)
    await change_list(ctx, private.watchlist_id, change, who_publishes="everybody")
    assert "Scary evenings" in await friends.page(friends.ben)
    async with friends.listening(friends.ben) as heard:
        first = await heard()
        await add_item(ctx, private.watchlist_id, MATRIX.content_type, MATRIX.content_id)
        assert await heard() != first
    assert "3 titles" in await friends.page(friends.ben)


async def test_nobody_attaches_a_list_that_they_may_not_read(
    friends: Friends, private: Watchlist
) -> None:
    ben = await friends.browser(friends.ben)
    for thing in (private.watchlist_id, "nothing", "a#b"):
        form = {"kind": "watchlist", "thing": thing}
        assert (await ben.post(f"{friends.address}/attachments", data=form)).status_code == 404
    assert await friends.attached() == []


async def test_it_goes_with_the_list_and_comes_back_with_the_room(
    friends: Friends, private: Watchlist
) -> None:
    await friends.attach(friends.ada, "watchlist", private.watchlist_id)
    friends.opens("hangouts,shareables")
    assert "Scary evenings" not in await friends.page(friends.ada)
    friends.opens(EVERY_ROOM)
    assert "Scary evenings" in await friends.page(friends.ada)
    await delete_list(friends.ctx(friends.ada), private.watchlist_id)
    await friends.follow()
    assert await friends.attached() == []


async def test_lists_take_one_request(friends: Friends, private: Watchlist) -> None:
    async def both(*people: User) -> list[int]:
        return [await friends.requests(one) for one in people]

    before = await both(friends.ada, friends.ben)
    await friends.attach(friends.ada, "watchlist", private.watchlist_id)
    assert await both(friends.ada, friends.ben) == [one + 1 for one in before]


async def test_a_list_leads_to_a_form_that_plans_with_it(
    friends: Friends, private: Watchlist
) -> None:
    ada, ben = await friends.browser(friends.ada), await friends.browser(friends.ben)
    new = f"/hangouts/new?kind=watchlist&thing={private.watchlist_id}"
    assert f'href="{new}"' in await shown(ada, f"/lists/{private.watchlist_id}")
    assert "Scary evenings" in await shown(ada, new)
    assert (await ben.get(new)).status_code == 404
    friends.opens("watchlists")
    ada = await friends.browser(friends.ada)
    assert "Watch it together" not in await shown(ada, f"/lists/{private.watchlist_id}")


async def test_a_list_becomes_a_watch_party(friends: Friends, private: Watchlist) -> None:
    ada = await friends.browser(friends.ada)
    form = await shown(ada, f"/hangouts/new?kind=watchlist&thing={private.watchlist_id}")
    assert ">Alien\nHeat</textarea>" in form
    assert '<option value="WEEKLY" selected>' in form
    fields = {
        "kind": "watchlist",
        "thing": private.watchlist_id,
        "title": "Scary evenings",
        "group_ids": friends.group.group_id,
        "day_choice": "weekend",
        "repeats": "WEEKLY",
        "parts": "Alien\nHeat",
        "how": "float",
    }
    text = await shown(ada, await sent(ada, "/hangouts/new", **fields))
    assert "Scary evenings: Alien" in text
    assert "Watch party, 1 of 2" in text
    assert "Skip this date" in text
    assert "2 titles" in text, "the list is attached"
    once = await sent(ada, "/hangouts/new", **{**fields, "repeats": ""})
    assert "Watch party" not in await shown(ada, once), "one evening is no party"


async def test_a_show_becomes_a_watch_party_by_its_episodes(friends: Friends) -> None:
    ada = await friends.browser(friends.ada)
    fields = {"title": "Dark", "day_choice": "weekend", "repeats": "WEEKLY", "how": "float"}
    text = await shown(ada, await sent(ada, "/hangouts/new", **fields, episodes="10"))
    assert "Dark: Episode 1" in text
    for wrong in ("1", "101", "x", "0" * 5 + "9" * 50):
        answer = await ada.post("/hangouts/new", data={**fields, "episodes": wrong})
        assert answer.status_code == 422
        assert "Enter a number from 2 to 100." in answer.text
