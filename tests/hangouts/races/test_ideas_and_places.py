"""Ideas and places that many people touch at once: numbers stay exact, nothing dangles."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.ideas import MAX_IDEAS
from commonroom.hangouts.rules.places import MAX_PLACES
from commonroom.hangouts.service.ideas import add_idea, add_list, remove_list, set_interest
from commonroom.hangouts.service.places import (
    add_group_place,
    add_own_place,
    change_own_place,
    remove_group_place,
    remove_own_place,
    see_own_places,
)
from commonroom.hangouts.tables import FriendGroup, Idea, IdeaList, Venue
from commonroom.store import Store, update
from tests.accounts.people import Watch, at_once
from tests.hangouts.friends import (
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)


async def crowded(store: Store, clock: Watch, number: int) -> tuple[FriendGroup, list[User]]:
    """A group of so many more than its first member."""
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    return group, [ada, *await crowd_of(store, clock, group, number)]


async def test_twenty_who_like_an_idea_at_once_are_all_counted(store: Store, clock: Watch) -> None:
    group, people = await crowded(store, clock, 20)
    ctx = Context(store, people[0], clock())
    made = await add_list(ctx, group.group_id, {"name": "Food"})
    idea = await add_idea(ctx, group.group_id, made.list_id, {"name": "Pizza"})
    _, refused = await at_once(
        *(
            set_interest(Context(store, one, clock()), idea.ref, is_interested=True)
            for one in people
        )
    )
    assert refused == []
    assert len((await now_of(store, idea)).interested) == 21


async def test_the_last_idea_and_the_last_place_go_to_one_of_eight(
    store: Store, clock: Watch
) -> None:
    group, people = await crowded(store, clock, 7)
    ctx = Context(store, people[0], clock())
    made = await add_list(ctx, group.group_id, {"name": "Food"})
    counts = {"place_count": MAX_PLACES - 1, "idea_count": MAX_IDEAS - 1}
    await store.write(update(group.ref, if_=None, **counts))
    everybody = [Context(store, one, clock()) for one in people]
    ideas, _ = await at_once(
        *(add_idea(one, group.group_id, made.list_id, {"name": "X"}) for one in everybody)
    )
    places, _ = await at_once(
        *(add_group_place(one, group.group_id, {"name": "X"}) for one in everybody)
    )
    assert (len(ideas), len(places)) == (1, 1)


async def test_an_idea_that_is_added_while_its_list_goes_does_not_stay_alone(
    store: Store, clock: Watch
) -> None:
    group, (ada, ben) = await crowded(store, clock, 1)
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    for _ in range(4):
        made = await add_list(adas, group.group_id, {"name": "Food"})
        await at_once(
            remove_list(adas, group.group_id, made.list_id),
            add_idea(bens, group.group_id, made.list_id, {"name": "Pizza"}),
        )
    await tidied(store, clock)
    lists = {one.list_id for one in await everything_of(store.engine, IdeaList)}
    ideas = await everything_of(store.engine, Idea)
    assert {one.list_id for one in ideas} <= lists
    assert (await now_of(store, group)).idea_count == len(ideas)


async def test_a_place_that_is_removed_while_a_hangout_takes_it_is_archived_or_not_taken(
    store: Store, clock: Watch
) -> None:
    group, (ada, ben) = await crowded(store, clock, 1)
    bens = Context(store, ben, clock())
    for _ in range(4):
        kept = await add_group_place(bens, group.group_id, {"name": "Pub"})
        place = Venue(name="x", place_id=kept.place_id)
        made, _ = await at_once(
            hangout_of(store, clock, ada, group, place=place),
            remove_group_place(bens, group.group_id, kept.place_id),
        )
        found = await store.get(kept.ref)
        took = [one for one in made if one is not None]
        assert (found is not None) == bool(took)


async def test_a_home_that_is_removed_while_it_becomes_home_is_no_home(
    store: Store, clock: Watch
) -> None:
    ada = await somebody(store, clock, "Ada")
    ctx = Context(store, ada, clock())
    for _ in range(4):
        kept = await add_own_place(ctx, {"name": "Home"})
        await at_once(
            change_own_place(ctx, kept.place_id, {}, is_home=True),
            remove_own_place(ctx, kept.place_id),
        )
        found = await see_own_places(ctx)
        assert found.home_place_id in {None, *(one.place_id for one in found.places)}
        assert found.places == []
