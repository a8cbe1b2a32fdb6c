"""Nothing stays behind of polls and lists; whoever made a poll that is tied is asked."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.bring_list import TypedBringItem, add_item, claim, remove_item
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import cancel, delete_hangout
from commonroom.hangouts.service.polls import delete_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import (
    Ballot,
    BringClaim,
    BringItem,
    FriendGroup,
    GroupMembership,
    HangoutPoll,
)
from commonroom.moments import iso
from commonroom.notifications.tables import Notification, unread_notifications
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    HOUR,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    tidied,
)
from tests.hangouts.plan_checks import check_bring_lists, check_polls
from tests.hangouts.voting import Voting


@pytest.fixture
async def idea(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Voting:
    """An idea of Ada's."""
    return Voting(store, clock, await hangout_of(store, clock, ada, friends))


async def news_of(store: Store, who: User, kind: str) -> list[Notification]:
    found = (await store.page(unread_notifications(user_id=who.user_id), limit=10)).items
    return [one for one in found if one.kind == kind]


async def bring(idea: Voting, who: User) -> BringItem:
    """Bread, which somebody claims."""
    item = await add_item(idea.ctx(who), idea.hangout.hangout_id, TypedBringItem(name="Bread"))
    await claim(idea.ctx(who), who, item.ref, 1)
    return item


async def test_ballots_go_with_their_poll_and_no_others(
    idea: Voting, clock: Watch, ada: User, ben: User
) -> None:
    poll, other = await idea.days(ada), await idea.question(ada, "Chess", "Cards")
    for one in (poll, other):
        await idea.vote(ben, one, "y")
    await delete_poll(idea.ctx(ada), poll.ref)
    await tidied(idea.store, clock)
    (left,) = await everything_of(idea.store.engine, Ballot)
    assert left.poll_id == other.poll_id
    await idea.check()


async def test_claims_go_with_their_thing(idea: Voting, clock: Watch, ada: User) -> None:
    item = await bring(idea, ada)
    await remove_item(idea.ctx(ada), item.ref)
    await tidied(idea.store, clock)
    assert await everything_of(idea.store.engine, BringClaim) == []


async def test_everything_goes_with_the_hangout(idea: Voting, clock: Watch, ada: User) -> None:
    await idea.vote(ada, await idea.days(ada), "y")
    await bring(idea, ada)
    await delete_hangout(idea.ctx(ada), idea.hangout.hangout_id)
    await tidied(idea.store, clock)
    for kind in (HangoutPoll, Ballot, BringClaim):
        assert await everything_of(idea.store.engine, kind) == []


async def test_votes_and_claims_go_with_the_group_they_came_from(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    club = await group_of(store, clock, ada, name="Club")
    plan = Voting(store, clock, await hangout_of(store, clock, ada, friends, club))
    poll, closed = await plan.days(ada), await plan.question(ada, "Chess", "Cards")
    for who in (ada, ben):
        await plan.vote(who, poll, "yn")
        await plan.vote(who, closed, "y")
    await plan.close(ada, closed)
    await bring(plan, ben)
    ctx = Context(store, ada, clock())
    made = plan.hangout.hangout_id
    await change_hangout(ctx, made, {"group_ids": [club.group_id]}, version=1)
    await tidied(store, clock)
    ballots = await everything_of(store.engine, Ballot)
    assert {one.user_id for one in ballots} == {ada.user_id}
    assert await plan.tallies(poll) == [(1, 0, 0), (0, 0, 1), (0, 0, 0)]
    assert await everything_of(store.engine, BringClaim) == []
    await check_polls(store.engine)
    await check_bring_lists(store.engine)


async def test_a_tie_at_the_deadline_asks_the_polls_maker_once(
    idea: Voting, clock: Watch, ada: User, ben: User
) -> None:
    poll = await idea.days(ben, deadline=iso(clock() + HOUR))
    clock.forward(HOUR)
    await idea.tick()
    await tidied(idea.store, clock)
    await tidied(idea.store, clock)
    (asked,) = await news_of(idea.store, ben, "hangout_poll_tied")
    assert asked.link == f"/hangouts/{poll.hangout_id}#poll-{poll.poll_id}"
    assert await news_of(idea.store, ada, "hangout_poll_tied") == []


async def test_where_the_polls_maker_has_left_the_hangouts_maker_is_asked(
    idea: Voting, clock: Watch, ada: User, ben: User
) -> None:
    await idea.days(ben, deadline=iso(clock() + HOUR))
    (group_id,) = idea.hangout.group_ids
    await idea.store.write(delete(GroupMembership.at(group_id=group_id, user_id=ben.user_id)))
    clock.forward(HOUR)
    await idea.tick()
    await tidied(idea.store, clock)
    assert await news_of(idea.store, ben, "hangout_poll_tied") == []
    assert len(await news_of(idea.store, ada, "hangout_poll_tied")) == 1


async def test_nobody_is_asked_about_a_cancelled_hangout(
    idea: Voting, clock: Watch, ada: User
) -> None:
    poll = await idea.days(ada, deadline=iso(clock() + HOUR))
    await cancel(idea.ctx(ada), idea.hangout.hangout_id)
    clock.forward(HOUR)
    await idea.tick()
    await tidied(idea.store, clock)
    assert (await now_of(idea.store, poll)).overdue_at is not None
    assert await news_of(idea.store, ada, "hangout_poll_tied") == []


async def test_everybody_else_who_answered_is_told_what_was_decided(
    idea: Voting, clock: Watch, ada: User, ben: User
) -> None:
    await answer(idea.ctx(ben), ben, idea.hangout.hangout_id, TypedRsvp(status="INTERESTED"))
    poll = await idea.days(ada)
    await idea.vote(ada, poll, "y")
    await tidied(idea.store, clock)
    await idea.close(ada, poll)
    await tidied(idea.store, clock)
    clock.forward(60)
    await idea.tick()
    assert len(await news_of(idea.store, ben, "hangout_changed")) == 1
    assert await news_of(idea.store, ada, "hangout_changed") == []
