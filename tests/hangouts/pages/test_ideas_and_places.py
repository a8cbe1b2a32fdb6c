"""Ideas and places in a browser, and how both help to make a hangout."""

from __future__ import annotations

import re

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.ideas import add_idea, add_list
from commonroom.hangouts.service.places import add_group_place, add_own_place
from commonroom.hangouts.tables import FriendGroup, Hangout, Idea, IdeaList, PersonPlace, Venue
from commonroom.store import Store
from tests.accounts.api.calling import Calling
from tests.accounts.people import Watch
from tests.hangouts.friends import everything_of, now_of
from tests.hangouts.pages.browsing import refused, sent, shown


async def test_an_idea_is_added_liked_and_planned(
    calling: Calling, store: Store, ada: User, ben: User, friends: FriendGroup
) -> None:
    adas, bens = await calling.browser(ada), await calling.browser(ben)
    here = f"/groups/{friends.group_id}/ideas"
    assert "What could you do one day?" in await shown(adas, here)
    await sent(adas, f"{here}/lists", category="food")
    (made,) = await everything_of(store.engine, IdeaList)
    assert made.name == "Food"
    await sent(adas, here, list_id=made.list_id, name="Pizza")
    (pizza,) = await everything_of(store.engine, Idea)
    which = {"list_id": made.list_id, "idea_id": pizza.idea_id}
    await sent(adas, f"{here}/edit", **which, name="Pizza", note="With cheese")
    await sent(bens, f"{here}/interest", **which)
    page = await shown(bens, here)
    assert "· 2" in page
    link = re.findall(r'href="(/hangouts/new\?[^"]*)"', page)[0]
    form = await shown(bens, link)
    assert 'value="Pizza"' in form
    assert "With cheese" in form
    hangout = await sent(
        bens,
        "/hangouts/new",
        title="Pizza!",
        group_ids=friends.group_id,
        ideas=made.list_id,
        idea=pizza.idea_id,
        how="float",
    )
    assert (await now_of(store, pizza)).hangout_id == hangout.rpartition("/")[2]
    assert hangout in await shown(adas, here)


async def test_what_is_wrong_with_an_idea_is_said_and_only_some_may_delete_it(
    calling: Calling, store: Store, clock: Watch, ada: User, ben: User
) -> None:
    adas, bens = await calling.browser(ada), await calling.browser(ben)
    await sent(adas, "/groups/new", group_name="Friends")
    (group,) = await everything_of(store.engine, FriendGroup)
    here = f"/groups/{group.group_id}/ideas"
    ctx = Context(store, ada, clock())
    made = await add_list(ctx, group.group_id, {"name": "Food"})
    idea = await add_idea(ctx, group.group_id, made.list_id, {"name": "Pizza"})
    assert "Give it a title." in await refused(adas, here, 422, list_id=made.list_id, name=" ")
    assert "categories" in await refused(adas, f"{here}/lists", 422, name="X", category="nap")
    await shown(bens, here, 404)
    which = {"list_id": made.list_id, "idea_id": idea.idea_id}
    await sent(adas, f"{here}/no-interest", **which)
    await sent(adas, f"{here}/remove", **which)
    await sent(adas, f"{here}/lists/remove", list_id=made.list_id)
    assert await everything_of(store.engine, Idea, IdeaList) == []


async def test_places_are_kept_and_offered_for_a_hangout(
    calling: Calling, store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    adas, here = await calling.browser(ada), f"/groups/{friends.group_id}"
    await sent(adas, f"{here}/places", name="The pub", address="1 High Street", notes="Ring")
    await sent(adas, "/hangouts/places", name="Ada’s", is_home="true")
    assert "Give the place a name." in await refused(adas, f"{here}/places", 422, name="")
    assert "1 High Street" in await shown(adas, f"{here}/places")
    assert "Home" in await shown(adas, "/hangouts/places")
    form = await shown(adas, f"/hangouts/new?group={friends.group_id}")
    assert "The pub" in form
    assert "Ada’s" in form
    (home,) = await everything_of(store.engine, PersonPlace)
    made = await sent(
        adas,
        "/hangouts/new",
        title="Games",
        group_ids=friends.group_id,
        place_id=home.place_id,
        how="float",
    )
    assert "Ada’s" in await shown(adas, made)
    await sent(adas, "/hangouts/places/remove", place_id=home.place_id)
    assert "Archived" in await shown(adas, "/hangouts/places")
    await sent(adas, f"{made}/edit", title="More games", place_id=home.place_id, version="1")
    (hangout,) = await everything_of(store.engine, Hangout)
    assert hangout.place is not None
    assert (hangout.title, hangout.place.name) == ("More games", "Ada’s")
    await sent(adas, "/hangouts/places/restore", place_id=home.place_id)
    # What is typed counts, also where the chip of the place before is still ticked.
    given = {"title": "Games", "place_id": home.place_id, "version": "2"}
    await sent(adas, f"{made}/edit", **given, place_name="The park")
    (hangout,) = await everything_of(store.engine, Hangout)
    assert hangout.place == Venue(name="The park")
    given = {**given, "version": "3", "place_name": "The park", "place_was": "The park"}
    await sent(adas, f"{made}/edit", **given)
    (hangout,) = await everything_of(store.engine, Hangout)
    assert hangout.place == Venue(name="Ada’s", place_id=home.place_id)


async def test_a_place_is_edited_archived_and_brought_back(
    calling: Calling, store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    adas, here = await calling.browser(ada), f"/groups/{friends.group_id}/places"
    ctx = Context(store, ada, clock())
    kept = await add_group_place(ctx, friends.group_id, {"name": "Pub"})
    own = await add_own_place(ctx, {"name": "Allotment"})
    await sent(adas, here, place_id=kept.place_id, name="The pub", notes="Ring")
    assert (await now_of(store, kept)).notes == "Ring"
    await sent(adas, "/hangouts/places", place_id=own.place_id, name="Garden", is_home="true")
    assert "Garden" in await shown(adas, "/hangouts/places")
    await sent(adas, f"{here}/remove", place_id=kept.place_id)
    assert await store.get(kept.ref) is None
    assert (await adas.post(f"{here}/restore", data={"place_id": kept.place_id})).status_code == 404
