"""Messages on a hangout: the newest first, a page at a time, and gone when they are deleted."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, RateLimited
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.rules.talk import MAX_MESSAGES
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.service.carpool import TypedCar, need_ride, offer_car
from commonroom.hangouts.service.detail import hangout_version, see_hangout
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.offers import make_offer
from commonroom.hangouts.service.talk import (
    BY_PERSON,
    delete_message,
    read_talk,
    remove_message,
    say,
)
from commonroom.hangouts.tables import FriendGroup, Hangout, TalkMessage
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import check_hangouts, child_of, group_of, hangout_of, now_of
from tests.hangouts.ride_checks import check_rides


class Talk:
    """People who talk on one hangout."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.id = store, clock, hangout.hangout_id
        self.hangout = hangout

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def say(
        self, who: User, text: str = "Hello", *, child: User | None = None
    ) -> TalkMessage:
        """Says something, a moment after what was said before."""
        self.clock.forward(0.01)
        return await say(self.ctx(who), child or who, self.id, text)

    async def delete(self, who: User, message_id: str) -> None:
        """Deletes a message by its id, as a form names it."""
        ref = ref_of(TalkMessage, hangout_id=self.id, message_id=message_id)
        await delete_message(self.ctx(who), who, ref)

    async def texts(self, who: User) -> list[str]:
        """What is said, all counts being right."""
        await check_rides(self.store.engine)
        _, page = await read_talk(self.ctx(who), self.id)
        return [one.text for one in page.items]


@pytest.fixture
async def talk(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Talk:
    """On an idea of Ada's."""
    return Talk(store, clock, await hangout_of(store, clock, ada, friends))


class TestAMessage:
    async def test_stands_before_those_said_earlier(self, talk: Talk, ada: User, ben: User) -> None:
        for text in ("one", "two", "three"):
            await talk.say(ben, text)
        assert await talk.texts(ada) == ["three", "two", "one"]
        seen = await see_hangout(talk.ctx(ada), ada, talk.id)
        assert [one.text for one in seen.things.of(TalkMessage)] == ["three", "two", "one"]

    async def test_has_a_thousand_characters_at_most_and_something_to_read(
        self, talk: Talk, ben: User
    ) -> None:
        for text in ("", " \n", "\u200b", "x" * 1001):
            with pytest.raises(InvalidField):
                await talk.say(ben, text)
        said = await talk.say(ben, " two\r\nlines ")
        assert said.text == "two\nlines"

    async def test_is_seen_by_whoever_watches_and_makes_no_edit_stale(
        self, talk: Talk, store: Store, ben: User
    ) -> None:
        before = await hangout_version(store, talk.id)
        await talk.say(ben)
        assert await hangout_version(store, talk.id) != before
        assert (await now_of(store, talk.hangout)).version == talk.hangout.version
        await check_hangouts(store.engine)

    async def test_can_be_said_on_a_cancelled_hangout(
        self, talk: Talk, ada: User, ben: User
    ) -> None:
        await cancel(talk.ctx(ada), talk.id)
        await talk.say(ben, "What a pity")
        assert await talk.texts(ada) == ["What a pity"]

    async def test_is_not_for_strangers(self, talk: Talk, eve: User) -> None:
        with pytest.raises(NotFound):
            await talk.say(eve)
        with pytest.raises(NotFound):
            await talk.texts(eve)

    async def test_is_not_for_those_who_only_pass_by(
        self, talk: Talk, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, is_public=True)
        made = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
        ctx, shown = talk.ctx(eve), made.hangout_id
        for deed in (
            say(ctx, eve, shown, "Buy my things"),
            make_offer(ctx, shown, TypedOffer(title="My things")),
            offer_car(ctx, shown, TypedCar(seats=4)),
        ):
            with pytest.raises(Forbidden):
                await deed
        await need_ride(ctx, eve, shown)

    async def test_can_be_a_childs(self, talk: Talk, store: Store, clock: Watch, ben: User) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        assert (await talk.say(ben, child=lea)).user_name == "Lea"

    async def test_costs_two_reads_and_two_writes(self, talk: Talk, ben: User) -> None:
        await talk.say(ben)
        with counting() as count:
            await talk.say(ben)
        assert (count.reads, count.writes) == (2, 2)

    async def test_is_refused_to_who_says_too_much(self, talk: Talk, ada: User, ben: User) -> None:
        for _ in range(BY_PERSON.tries):
            await talk.say(ben)
        with pytest.raises(RateLimited):
            await talk.say(ben)
        await talk.say(ada)
        talk.clock.forward(60)
        await talk.say(ben)

    async def test_is_refused_where_there_are_too_many(
        self, talk: Talk, store: Store, ben: User
    ) -> None:
        await store.write(update(talk.hangout, message_count=MAX_MESSAGES))
        with pytest.raises(Conflict):
            await talk.say(ben)


class TestDeleting:
    async def test_is_for_who_wrote_it_and_who_manages_the_hangout(
        self, talk: Talk, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        first, second = await talk.say(ben, "one"), await talk.say(ada, "two")
        with pytest.raises(Forbidden):
            await delete_message(talk.ctx(ben), ben, second.ref)
        await delete_message(talk.ctx(ben), ben, first.ref)
        third = await talk.say(ben, "three")
        await delete_message(talk.ctx(ada), ada, third.ref)
        assert await talk.texts(ada) == ["two"]
        for wrong in (first.message_id, "", "a#b", "x" * 101):
            with pytest.raises(NotFound, match="This message is no longer there"):
                await talk.delete(ada, wrong)

    async def test_counts_each_once_however_often_it_is_removed(
        self, talk: Talk, store: Store, ada: User, ben: User
    ) -> None:
        said = [await talk.say(ben) for _ in range(3)]
        await talk.say(ada, "stays")

        for one in [*said, *said]:
            await remove_message(store, one)
        assert await talk.texts(ada) == ["stays"]


async def test_a_long_talk_comes_page_by_page_without_gaps(
    talk: Talk, store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    texts = [str(number) for number in range(55)]
    for text in texts:
        clock.forward(60)
        await talk.say(ada, text)
    found, cursor = [], None
    while True:
        with counting() as count:
            _, page = await read_talk(talk.ctx(ada), talk.id, cursor=cursor)
        assert count.requests == 3
        found += [one.text for one in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert found == texts[::-1]
