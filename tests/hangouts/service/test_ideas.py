"""Ideas wait in lists, what most would do comes first, and one becomes a hangout."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.ideas import MAX_IDEAS, MAX_LISTS
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.ideas import (
    add_idea,
    add_list,
    change_idea,
    change_list,
    plan_idea,
    remove_idea,
    remove_list,
    see_ideas,
    set_interest,
)
from commonroom.hangouts.tables import FriendGroup, Idea, IdeaList
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import everything_of, now_of, tidied


@pytest.fixture
async def food(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> IdeaList:
    """A list of Ada's."""
    ctx = Context(store, ada, clock())
    return await add_list(ctx, friends.group_id, {"name": " Food ", "category": "food"})


async def idea_of(store: Store, clock: Watch, who: User, of: IdeaList, name: str) -> Idea:
    """An idea of somebody's."""
    return await add_idea(Context(store, who, clock()), of.group_id, of.list_id, {"name": name})


async def check_ideas(store: Store) -> None:
    """Numbers of lists and ideas are exact."""
    lists = await everything_of(store.engine, IdeaList)
    ideas = await everything_of(store.engine, Idea)
    for one in lists:
        assert one.idea_count == sum(it.list_id == one.list_id for it in ideas)
    for group in await everything_of(store.engine, FriendGroup):
        theirs = [one for one in lists if one.group_id == group.group_id]
        assert group.idea_list_count == len(theirs)
        assert group.idea_count == sum(one.idea_count for one in theirs)


class TestLists:
    async def test_show_what_most_would_do_first_with_three_requests(
        self, store: Store, clock: Watch, ada: User, ben: User, food: IdeaList
    ) -> None:
        pizza = await idea_of(store, clock, ada, food, "Pizza")
        clock.forward(1)
        sushi = await idea_of(store, clock, ada, food, "Sushi")
        bens = Context(store, ben, clock())
        await set_interest(bens, sushi.ref, is_interested=True)
        with counting() as tally:
            found = await see_ideas(bens, food.group_id)
        assert tally.requests == 3
        (shown,) = found.lists
        assert [one.name for one in shown.ideas] == ["Sushi", "Pizza"]
        assert shown.ideas_list.category == "food"
        assert found.names[ada.user_id] == "Ada"
        await set_interest(bens, sushi.ref, is_interested=False)
        await set_interest(bens, pizza.ref, is_interested=True)
        (shown,) = (await see_ideas(bens, food.group_id)).lists
        assert [one.name for one in shown.ideas] == ["Pizza", "Sushi"]
        await check_ideas(store)

    async def test_are_deleted_with_their_ideas_by_whoever_started_them_or_an_admin(
        self, store: Store, clock: Watch, ada: User, ben: User, food: IdeaList
    ) -> None:
        await idea_of(store, clock, ben, food, "Pizza")
        bens = Context(store, ben, clock())
        with pytest.raises(Forbidden):
            await remove_list(bens, food.group_id, food.list_id)
        mine = await add_list(bens, food.group_id, {"name": "Mine", "category": "bar"})
        for who, one in ((bens, mine), (Context(store, ada, clock()), food)):
            await remove_list(who, one.group_id, one.list_id)
        await tidied(store, clock)
        assert await everything_of(store.engine, Idea, IdeaList) == []
        await check_ideas(store)

    async def test_are_changed_by_any_member(
        self, store: Store, clock: Watch, ben: User, food: IdeaList
    ) -> None:
        bens = Context(store, ben, clock())
        changed = await change_list(bens, food.group_id, food.list_id, {"category": "bar"})
        assert (changed.category, (await now_of(store, food)).category) == ("bar", "bar")
        with pytest.raises(InvalidField):
            await change_list(bens, food.group_id, food.list_id, {"category": "nap"})

    async def test_and_ideas_are_only_so_many(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, food: IdeaList
    ) -> None:
        full: dict[str, Any] = {"idea_count": MAX_IDEAS, "idea_list_count": MAX_LISTS}
        await store.write(update(friends.ref, **full))
        with pytest.raises(Conflict):
            await idea_of(store, clock, ada, food, "Pizza")
        with pytest.raises(Conflict):
            await add_list(Context(store, ada, clock()), friends.group_id, {"name": "More"})


class TestAnIdea:
    async def test_is_changed_by_any_member_and_deleted_by_whoever_had_it(
        self, store: Store, clock: Watch, ada: User, ben: User, food: IdeaList
    ) -> None:
        pizza = await idea_of(store, clock, ada, food, "Pizza")
        bens, adas = Context(store, ben, clock()), Context(store, ada, clock())
        given = {"note": "With cheese", "url": "https://pizza.example"}
        changed = await change_idea(bens, pizza.ref, given)
        assert (changed.name, changed.note, changed.url) == ("Pizza", *given.values())
        with pytest.raises(Forbidden):
            await remove_idea(bens, pizza.ref)
        await remove_idea(adas, pizza.ref)
        with pytest.raises(NotFound):
            await set_interest(adas, pizza.ref, is_interested=True)
        await check_ideas(store)

    @pytest.mark.parametrize("name", ["", "x" * 201])
    async def test_has_a_name_that_a_hangout_could_have(
        self, store: Store, clock: Watch, ada: User, food: IdeaList, name: str
    ) -> None:
        with pytest.raises(InvalidField):
            await idea_of(store, clock, ada, food, name)

    async def test_is_not_for_strangers(
        self, store: Store, clock: Watch, ada: User, eve: User, food: IdeaList
    ) -> None:
        pizza = await idea_of(store, clock, ada, food, "Pizza")
        eves = Context(store, eve, clock())
        with pytest.raises(NotFound):
            await set_interest(eves, pizza.ref, is_interested=True)
        for group_id in (food.group_id, "a#b"):
            with pytest.raises(NotFound):
                await see_ideas(eves, group_id)

    async def test_that_can_be_none_is_not_found(self) -> None:
        with pytest.raises(NotFound):
            ref_of(Idea, group_id="g", list_id="l", idea_id="a#b")

    async def test_becomes_a_hangout_with_its_words_and_says_so(
        self, store: Store, clock: Watch, ada: User, ben: User, food: IdeaList
    ) -> None:
        pizza = await idea_of(store, clock, ada, food, "Pizza")
        bens = Context(store, ben, clock())
        await change_idea(bens, pizza.ref, {"note": "At Gino’s"})
        made = await plan_idea(bens, pizza.ref)
        assert (made.title, made.description) == ("Pizza", "At Gino’s")
        assert made.group_ids == [food.group_id]
        assert (await now_of(store, pizza)).hangout_id == made.hangout_id
        await delete_hangout(bens, made.hangout_id)
        await tidied(store, clock)
        assert (await now_of(store, pizza)).hangout_id is None
