"""A poll's opening is told once, what it decides to who voted, and its maker when all have."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.notifications import DECIDED, NEW, POLL_FULL, POLL_OPENED
from commonroom.hangouts.service.detail import see_hangout
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.service.polls import delete_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import FriendGroup
from commonroom.notifications.kinds import Kind
from commonroom.notifications.preferences import NotificationSettings, save_settings
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from tests.accounts.people import Watch, again
from tests.hangouts.friends import DAY, PUB, group_of, hangout_of, now_of, starts_in, tidied
from tests.hangouts.voting import Voting


@pytest.fixture
async def friends(store: Store, clock: Watch, ada: User, ben: User, eve: User) -> FriendGroup:
    """Three in a group."""
    return await group_of(store, clock, ada, ben, eve)


@pytest.fixture
async def idea(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Voting:
    """An idea of Ada's, of which the others have been told."""
    made = Voting(store, clock, await hangout_of(store, clock, ada, friends))
    await tidied(store, clock)
    return made


async def news(idea: Voting, who: User, *kinds: Kind) -> list[Notification]:
    """What somebody was told by these kinds, once all is told."""
    await tidied(idea.store, idea.clock)
    kept = [one async for one in idea.store.all(kept_for_person(user_id=who.user_id))]
    told = [one for one in kept if isinstance(one, Notification)]
    return [one for one in told if one.kind in {kind.name for kind in kinds}]


async def test_an_opening_is_told_once_and_not_to_its_maker(
    idea: Voting, ada: User, ben: User, eve: User
) -> None:
    poll = await idea.days(ada)
    await idea.vote(eve, poll, "y")
    (told,) = await news(idea, ben, POLL_OPENED)
    assert POLL_OPENED.words(told.facts).text == "When shall we meet?"
    assert told.link == f"/hangouts/{idea.hangout.hangout_id}#poll-{poll.poll_id}"
    assert await news(idea, ada, POLL_OPENED) == []
    assert await news(idea, eve, POLL_OPENED) == [], "she has voted"


async def test_it_is_read_by_itself_with_a_vote_and_with_the_poll(
    idea: Voting, ada: User, ben: User, eve: User
) -> None:
    poll, other = await idea.days(ada), await idea.question(ada, "Chess", "Cards")
    assert len(await news(idea, ben, POLL_OPENED)) == 2
    await idea.vote(ben, poll, "y")
    await delete_poll(idea.ctx(ada), other.ref)
    assert [one.read_at is None for one in await news(idea, ben, POLL_OPENED)] == [False, False]
    left = [one.link for one in await news(idea, eve, POLL_OPENED) if one.read_at is None]
    assert left == [f"/hangouts/{poll.hangout_id}#poll-{poll.poll_id}"], "the other goes on"


async def test_who_voted_hears_the_day_and_a_yes_is_offered_as_going(
    idea: Voting, ada: User, ben: User, eve: User
) -> None:
    poll = await idea.days(ada)
    await idea.vote(ben, poll, "ny")
    await idea.vote(eve, poll, "nn")
    await close_poll(idea.ctx(ada), poll.ref)
    (bens,) = await news(idea, ben, DECIDED, notifications.CHANGED, notifications.ON)
    (eves,) = await news(idea, eve, DECIDED)
    assert DECIDED.words(bens.facts).title.startswith("Decided: ")
    assert "Karaoke?" in DECIDED.words(bens.facts).text
    assert DECIDED.action is not None
    assert DECIDED.action(eves.facts) is None
    offered = DECIDED.action(bens.facts)
    assert offered is not None
    assert offered.address == f"/hangouts/{poll.hangout_id}/answer"
    assert offered.values["status"] == "GOING"
    assert await news(idea, ada, DECIDED) == []
    assert (await see_hangout(idea.ctx(ben), ben, poll.hangout_id)).said_yes
    assert not (await see_hangout(idea.ctx(eve), eve, poll.hangout_id)).said_yes


async def test_who_answered_and_voted_hears_it_once(idea: Voting, ada: User, ben: User) -> None:
    going = TypedRsvp(status="GOING")
    await answer(idea.ctx(ben), ben, idea.hangout.hangout_id, going)
    poll = await idea.days(ada)
    await idea.vote(ben, poll, "y")
    # He answered before it was decided, in whatever order consumers come to see that.
    idea.clock.forward(1)
    await close_poll(idea.ctx(ada), poll.ref)
    idea.clock.forward(120)
    (told,) = await news(idea, ben, DECIDED, notifications.CHANGED, notifications.ON)
    assert told.kind == DECIDED.name
    assert told.settled_at is None
    assert DECIDED.action is not None
    assert DECIDED.action(told.facts) is None, "he goes already"


async def test_who_wants_to_hear_nothing_of_polls_still_hears_of_a_new_time(
    idea: Voting, ada: User, ben: User
) -> None:
    nothing = NotificationSettings({"hangout_polls": frozenset()})
    await save_settings(idea.ctx(ben), nothing)
    ben = await again(idea.store, ben)
    await answer(idea.ctx(ben), ben, idea.hangout.hangout_id, TypedRsvp(status="INTERESTED"))
    poll = await idea.days(ada)
    await idea.vote(ben, poll, "y")
    await close_poll(idea.ctx(ada), poll.ref)
    idea.clock.forward(120)
    (told,) = await news(idea, ben, DECIDED, POLL_OPENED, notifications.CHANGED)
    assert told.kind == notifications.CHANGED.name


async def test_a_day_set_by_hand_is_told_to_who_voted(idea: Voting, ada: User, ben: User) -> None:
    poll = await idea.days(ada)
    await idea.vote(ben, poll, "y")
    hangout = await now_of(idea.store, idea.hangout)
    day = {"time": starts_in(idea.clock, 9 * DAY)}
    await change_hangout(idea.ctx(ada), hangout.hangout_id, day, version=hangout.version)
    (told,) = await news(idea, ben, DECIDED)
    assert DECIDED.action is not None
    assert DECIDED.action(told.facts) is None, "nobody was asked about that day"


async def test_an_answer_settles_it(idea: Voting, ada: User, ben: User) -> None:
    poll = await idea.days(ada)
    await idea.vote(ben, poll, "y")
    await close_poll(idea.ctx(ada), poll.ref)
    assert [one.read_at for one in await news(idea, ben, DECIDED)] == [None]
    await answer(idea.ctx(ben), ben, poll.hangout_id, TypedRsvp(status="GOING"))
    assert [one.read_at is None for one in await news(idea, ben, DECIDED)] == [False]


async def test_the_maker_hears_when_everybody_has_voted(
    idea: Voting, ada: User, ben: User, eve: User
) -> None:
    poll = await idea.days(ada)
    await idea.vote(ada, poll, "y")
    await idea.vote(ben, poll, "y")
    assert await news(idea, ada, POLL_FULL) == []
    idea.clock.forward(1)
    await idea.vote(eve, poll, "m")
    (told,) = await news(idea, ada, POLL_FULL)
    assert POLL_FULL.words(told.facts).title == "Everyone has voted: Karaoke?"
    await close_poll(idea.ctx(ada), poll.ref)
    assert [one.read_at is None for one in await news(idea, ada, POLL_FULL)] == [False]


async def test_a_maker_who_votes_last_knows(idea: Voting, ada: User, ben: User, eve: User) -> None:
    poll = await idea.days(ada)
    for one in (ben, eve, ada):
        idea.clock.forward(1)
        await idea.vote(one, poll, "y")
    assert await news(idea, ada, POLL_FULL) == []


async def test_what_is_no_longer_true_is_not_said(idea: Voting, ada: User, ben: User) -> None:
    (before,) = await news(idea, ben, NEW)
    assert NEW.words(before.facts).text == "", "there may be a day when it is read"
    hangout = await now_of(idea.store, idea.hangout)
    given = {"time": starts_in(idea.clock, DAY), "place": PUB}
    await change_hangout(idea.ctx(ada), hangout.hangout_id, given, version=hangout.version)
    (after,) = await news(idea, ben, NEW)
    assert after.read_at is None
    assert NEW.words(after.facts).text.endswith("The pub")
