"""What each member likes and may see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import change_managed
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import Attendee, ceiling_of, taste_of
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import leave, list_members, remove_member
from commonroom.movienight.service.preferences import list_preferences, set_preferences
from commonroom.movienight.tables import Household, Preferences
from commonroom.store import ConditionFailed, Store, counting, equal
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import (
    COMEDY,
    DRAMA,
    HORROR,
    check_households,
    context_of,
    everything_of,
    now_of,
    somebody,
)
from tests.support.context import at

CHOSEN: dict[str, Any] = {"likes": [COMEDY, DRAMA], "dislikes": [HORROR], "ceiling": "PG-13"}

Choose: TypeAlias = Callable[..., Awaitable[Preferences]]


@pytest.fixture
def choose(store: Store, clock: Watch) -> Choose:
    """Sets preferences as somebody, for somebody: for whoever sits there where nobody is named."""

    async def choosing(
        person: User, acting_as: User | None = None, *, for_: User | None = None, **given: Any
    ) -> Preferences:
        ctx = await context_of(store, person, acting_as)
        whose = ctx.member_id if for_ is None else for_.user_id
        return await set_preferences(at(store, clock(), ctx), whose, **{**CHOSEN, **given})

    return choosing


class TestSetPreferences:
    async def test_keeps_what_a_member_chose(
        self, store: Store, clock: Watch, home: Household, ben: User, choose: Choose
    ) -> None:
        chosen = await choose(ben)

        assert await now_of(store, chosen) == chosen
        assert chosen == Preferences(
            group_id=home.group_id,
            user_id=ben.user_id,
            genre_likes=[COMEDY, DRAMA],
            genre_dislikes=[HORROR],
            max_content_rating="PG-13",
            updated_at=iso(clock()),
        )

    async def test_again_replaces_what_was_chosen(
        self, store: Store, home: Household, ben: User, choose: Choose
    ) -> None:
        await choose(ben)

        chosen = await choose(ben, likes=[HORROR, DRAMA], dislikes=[], ceiling="R")

        assert await everything_of(store.engine, Preferences) == [chosen]

    async def test_tells_open_pages_of_the_household(
        self, store: Store, home: Household, ben: User, choose: Choose
    ) -> None:
        await choose(ben)

        assert (await now_of(store, home)).version == home.version + 1

    async def test_of_a_managed_member_are_set_by_itself_its_parent_and_the_creator(
        self, store: Store, ada: User, ben: User, zoe: User, choose: Choose
    ) -> None:
        for person, acting_as in ((ben, zoe), (ben, None), (ada, None)):
            chosen = await choose(person, acting_as, for_=zoe, ceiling="PG")
            assert chosen.user_id == zoe.user_id
        assert await everything_of(store.engine, Preferences) == [chosen]

    async def test_of_others_are_not_ones_to_set(
        self, store: Store, ada: User, ben: User, zoe: User, choose: Choose
    ) -> None:
        for person, acting_as, whose in (
            (ada, None, ben),
            (ben, None, ada),
            (ben, zoe, ben),
            (ben, zoe, ada),
        ):
            with pytest.raises(Forbidden) as caught:
                await choose(person, acting_as, for_=whose)
            assert caught.value.status == 403
        assert await everything_of(store.engine, Preferences) == []

    async def test_of_a_managed_member_are_not_for_whoever_is_neither_parent_nor_creator(
        self, store: Store, clock: Watch, ada: User, zoe: User, choose: Choose
    ) -> None:
        eve = await somebody(store, clock, "Eve")
        link = await create_invite(at(store, clock(), await context_of(store, ada)))
        await join(Context(store, eve, clock()), link.token)

        with pytest.raises(Forbidden):
            await choose(eve, for_=zoe)
        assert await everything_of(store.engine, Preferences) == []

    async def test_are_nothing_for_somebody_from_elsewhere(
        self, store: Store, home: Household, ada: User, eve: User, choose: Choose
    ) -> None:
        with pytest.raises(NotFound):
            await choose(ada, for_=eve)
        assert await everything_of(store.engine, Preferences) == []

    @pytest.mark.parametrize(
        "field, given",
        [
            ("genre_likes", {"likes": [COMEDY]}),
            ("genre_likes", {"likes": [COMEDY, "cinema"]}),
            ("genre_dislikes", {"dislikes": [COMEDY]}),
            ("genre_dislikes", {"dislikes": ["0"]}),
        ],
    )
    async def test_are_not_kept_where_a_field_does_not_fit(
        self, home: Household, ben: User, choose: Choose, field: str, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await choose(ben, **given)
        assert caught.value.field == field

    async def test_are_not_kept_where_the_callers_condition_does_not_hold(
        self, store: Store, ben: User, zoe: User, choose: Choose
    ) -> None:
        before = [await choose(ben), await choose(ben, zoe, ceiling="G")]
        otherwise = equal(max_content_rating="R")

        for acting_as in (None, zoe):
            with pytest.raises(ConditionFailed):
                await choose(ben, acting_as, dislikes=[], ceiling="G", if_=otherwise)
        assert [await now_of(store, one) for one in before] == before

    async def test_are_not_kept_for_somebody_who_leaves_meanwhile(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        ctx = await context_of(store, ben)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Preferences)

        with pytest.raises(NotFound):
            await set_preferences(at(slow, clock(), ctx), ben.user_id, **CHOSEN)
        await check_households(store.engine)

    async def test_are_not_kept_for_a_child_that_is_taken_out_meanwhile(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        parent = await context_of(store, ben)
        slow = Meanwhile(
            store,
            lambda: remove_member(at(store, clock(), parent), zoe.user_id),
            before_writing=Preferences,
        )

        with pytest.raises(NotFound):
            await set_preferences(
                at(slow, clock(), await context_of(store, ada)), zoe.user_id, **CHOSEN
            )
        await check_households(store.engine)

    async def test_of_a_child_are_not_set_by_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, ada: User, zoe: User
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Preferences)

        with pytest.raises(Forbidden):
            await set_preferences(at(slow, clock(), ctx), zoe.user_id, **CHOSEN)
        assert await everything_of(store.engine, Preferences) == []


class TestAManagedMember:
    @pytest.mark.parametrize("ceiling", ["G", "PG"])
    async def test_may_choose_what_it_may_see_and_less(
        self, ben: User, zoe: User, choose: Choose, ceiling: Ceiling
    ) -> None:
        chosen = await choose(ben, zoe, ceiling=ceiling)

        assert chosen.max_content_rating == ceiling

    @pytest.mark.parametrize("ceiling", ["PG-13", "R"])
    async def test_cannot_raise_its_own_ceiling(
        self, store: Store, ben: User, zoe: User, choose: Choose, ceiling: Ceiling
    ) -> None:
        with pytest.raises(Forbidden):
            await choose(ben, zoe, ceiling=ceiling)
        assert await everything_of(store.engine, Preferences) == []

    async def test_cannot_undo_what_its_parent_lowered(
        self, ben: User, zoe: User, choose: Choose
    ) -> None:
        await choose(ben, for_=zoe, ceiling="G")

        with pytest.raises(Forbidden):
            await choose(ben, zoe, ceiling="PG")
        await choose(ben, zoe, likes=[HORROR, DRAMA], dislikes=[], ceiling="G")
        await choose(ben, for_=zoe, ceiling="PG")

    async def test_cannot_choose_in_the_moment_its_ceiling_is_lowered(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        ctx = await context_of(store, ben, zoe)
        slow = Meanwhile(
            store,
            lambda: change_managed(Context(store, ben, clock()), zoe.user_id, ceiling="G"),
            before_writing=Preferences,
        )

        with pytest.raises(Conflict, match="try again"):
            await set_preferences(
                at(slow, clock(), ctx), zoe.user_id, **{**CHOSEN, "ceiling": "PG"}
            )
        assert await everything_of(store.engine, Preferences) == []

    async def test_cannot_choose_in_the_moment_its_parent_does(
        self, store: Store, clock: Watch, ben: User, zoe: User, choose: Choose
    ) -> None:
        ctx = await context_of(store, ben, zoe)
        slow = Meanwhile(
            store, lambda: choose(ben, for_=zoe, ceiling="G"), before_writing=Preferences
        )

        with pytest.raises(Conflict, match="try again"):
            await set_preferences(
                at(slow, clock(), ctx), zoe.user_id, **{**CHOSEN, "ceiling": "PG"}
            )
        (kept,) = await everything_of(store.engine, Preferences)
        assert kept.max_content_rating == "G"

    async def test_has_the_stricter_of_its_preference_and_what_was_set_for_it(
        self, store: Store, ada: User, zoe: User, choose: Choose
    ) -> None:
        for ceiling, effective in (("R", "PG"), ("PG", "PG"), ("G", "G")):
            chosen = await choose(ada, for_=zoe, ceiling=ceiling)
            assert ceiling_of(await now_of(store, zoe), chosen) == effective

    async def test_the_ceiling_counts_for_members_without_preferences(
        self, store: Store, home: Household, ben: User, zoe: User, choose: Choose
    ) -> None:
        await choose(ben, ceiling="R")
        chosen = await list_preferences(await context_of(store, ben))
        members = await list_members(store, home.group_id)
        company = [Attendee(one.user, chosen.get(one.user_id)) for one in members if one.user]

        assert zoe.user_id not in chosen
        assert taste_of(company).ceiling == "PG"


class TestPreferencesOf:
    async def test_are_those_of_all_members_by_member(
        self, store: Store, ada: User, ben: User, zoe: User, choose: Choose
    ) -> None:
        chosen = [await choose(ben), await choose(ben, zoe, ceiling="G")]

        ctx = await context_of(store, ada)

        with counting() as tally:
            found = await list_preferences(ctx)

        assert found == {one.user_id: one for one in chosen}
        assert tally.requests == 1

    async def test_are_none_where_nobody_chose(
        self, store: Store, home: Household, ada: User
    ) -> None:
        assert await list_preferences(await context_of(store, ada)) == {}
