from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import change_profile
from commonroom.accounts.tables import NotificationPrefs, User
from commonroom.house.consumers import timer_handlers
from commonroom.model import MODEL
from commonroom.movienight.consumers import ROUNDS
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import list_members
from commonroom.movienight.service.rounds import ties
from commonroom.movienight.service.rounds.attendance import add_attendee, remove_attendee
from commonroom.movienight.service.rounds.lifecycle import abandon, create_round, start_voting
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.tables import Household, Round, round_by_id, suggestions_of_round
from commonroom.notifications.tables import Notification, newest_notifications
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, likes, now_of
from tests.movienight.rounds_support import Shelf, shelf_of_all_kinds
from tests.support.context import at

HOUR, DAY = 3600, 24 * 3600


@pytest.fixture
async def store(tmp_path: Path, clock: Watch) -> AsyncIterator[Store]:
    """A store of the whole house: what follows from a round reaches beyond the room."""
    engine = EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF", clock=clock)
    store = Store(engine)
    yield store
    await store.close()


@pytest.fixture
def films() -> Shelf:
    """Films of all kinds."""
    return Shelf(shelf_of_all_kinds())


@pytest.fixture
async def round_(store: Store, clock: Watch, films: Shelf, ada: User, zoe: User) -> Round:
    """A draft for Ada, Ben and Ben's child, which Ada started."""
    for member in await list_members(store, (await now_of(store, ada)).household_id or ""):
        if member.user is not None and not member.user.is_managed:
            await likes(store, clock, member.user)
    return await create_round(at(store, clock(), await context_of(store, ada)), films)


async def follow(store: Store, clock: Watch) -> None:
    """Lets happen what follows, and what is due by now."""
    await Worker(store, [ROUNDS], clock=clock).drain()
    while await Scheduler(store, timer_handlers(Titles(Catalogue())), clock=clock).once():
        pass


async def told(store: Store, person: User) -> list[Notification]:
    """What somebody was told, the newest first."""
    return (await store.page(newest_notifications(user_id=person.user_id))).items


async def kinds(store: Store, person: User) -> list[str]:
    return [one.kind for one in await told(store, person)]


class TestWhenVotingStarts:
    async def test_those_who_take_part_are_told_once(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        await follow(store, clock)
        await follow(store, clock)
        [notification] = await told(store, ben)
        assert notification.kind == "new_round"
        assert notification.facts["who"] == "Ada"
        assert notification.link.endswith(round_.round_id)
        assert await kinds(store, ada) == [], "she did it herself"

    async def test_whoever_comes_late_is_told_then_and_nobody_again(
        self, store: Store, clock: Watch, films: Shelf, round_: Round, ben: User
    ) -> None:
        ctx, round_id = await self.creators(store, round_), round_.round_id
        for one in reversed((round_.attendees or [])[1:]):
            await remove_attendee(at(store, clock(), ctx), films, round_id, one)
        await start_voting(at(store, clock(), ctx), round_id)
        await follow(store, clock)
        assert await kinds(store, ben) == []
        for _ in range(2):
            await add_attendee(at(store, clock(), ctx), films, round_id, ben.user_id)
            await follow(store, clock)
            assert await kinds(store, ben) == ["new_round"]
            await remove_attendee(at(store, clock(), ctx), films, round_id, ben.user_id)

    async def test_whoever_does_it_for_their_child_is_not_told_either(
        self, store: Store, clock: Watch, films: Shelf, round_: Round, zoe: User
    ) -> None:
        ben = await store.get(User.at(user_id=zoe.parent_user_id or ""))
        assert ben is not None
        creators = await self.creators(store, round_)
        await abandon(at(store, clock(), creators), round_.round_id)
        zoes = await context_of(store, ben, zoe)
        made = await create_round(at(store, clock(), zoes), films)
        await start_voting(at(store, clock(), zoes), made.round_id)
        await follow(store, clock)
        assert await kinds(store, ben) == []
        assert await kinds(store, creators.person) == ["new_round"]

    @staticmethod
    async def creators(store: Store, round_: Round) -> HouseholdContext:
        found = await store.get(User.at(user_id=round_.started_by))
        assert found is not None
        return await context_of(store, found)

    async def test_what_concerns_a_managed_member_goes_to_nobody(
        self, store: Store, clock: Watch, round_: Round, ada: User, zoe: User
    ) -> None:
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        await follow(store, clock)
        assert zoe.user_id in (round_.attendees or ())
        assert await kinds(store, zoe) == []

    async def test_a_draft_is_nobodys_business(
        self, store: Store, clock: Watch, round_: Round, ben: User
    ) -> None:
        await follow(store, clock)
        assert await kinds(store, ben) == []

    async def test_whoever_turned_it_off_is_not_told(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        quiet = NotificationPrefs(new_round=False)
        quiet_ben = Context(store, await now_of(store, ben), clock())
        await change_profile(quiet_ben, notification_prefs=quiet)
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        await follow(store, clock)
        assert await kinds(store, ben) == []

    async def test_an_hour_later_those_who_have_not_voted_are_reminded_once(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        film = (await store.page(suggestions_of_round(round_id=round_.round_id))).items[0]
        ctx = await context_of(store, ada)
        await vote(at(store, clock(), ctx), round_.round_id, film.tmdb_movie_id, "up")
        await follow(store, clock)
        clock.forward(HOUR - 1)
        await follow(store, clock)
        assert await kinds(store, ben) == ["new_round"]
        for _ in range(3):
            clock.forward(HOUR)
            await follow(store, clock)
        assert await kinds(store, ben) == ["vote_nudge", "new_round"]
        assert await kinds(store, ada) == []

    async def test_nobody_is_reminded_of_a_round_that_is_decided(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await picked(store, clock, round_, ada)
        await follow(store, clock)
        clock.forward(2 * HOUR)
        await follow(store, clock)
        assert "vote_nudge" not in await kinds(store, ben)


class TestWhenAFilmIsPicked:
    async def test_everybody_else_is_told_which(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await picked(store, clock, round_, ada)
        await follow(store, clock)
        newest, _ = await told(store, ben)
        assert newest.kind == "pick_announce"
        assert newest.facts["film"].startswith("Film ")
        assert newest.facts["household"] == "Home"
        assert await kinds(store, ada) == []

    async def test_another_pick_is_announced_anew(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await picked(store, clock, round_, ada)
        await follow(store, clock)
        await reopen(at(store, clock(), await context_of(store, ada)), round_.round_id)
        film = (await store.page(suggestions_of_round(round_id=round_.round_id))).items[1]
        clock.forward(60)
        await pick(
            at(store, clock(), await context_of(store, ada)), round_.round_id, film.tmdb_movie_id
        )
        await follow(store, clock)
        assert (await kinds(store, ben)).count("pick_announce") == 2
        assert (await kinds(store, ben)).count("new_round") == 1, "re-opening starts no new round"

    async def test_a_pick_that_was_taken_back_is_not_announced(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await picked(store, clock, round_, ada)
        await reopen(at(store, clock(), await context_of(store, ada)), round_.round_id)
        await follow(store, clock)
        assert await kinds(store, ben) == ["new_round"]


class TestARoundThatNobodyTouches:
    async def test_expires_after_seven_days(
        self, store: Store, clock: Watch, round_: Round, home: Household
    ) -> None:
        await follow(store, clock)
        clock.forward(7 * DAY - 60)
        await follow(store, clock)
        assert (await state(store, round_)).status == "draft"
        clock.forward(120)
        await follow(store, clock)
        assert (await state(store, round_)).status == "expired"
        assert (await now_of(store, home)).open_round_id is None

    async def test_waits_seven_days_from_the_last_touch(
        self, store: Store, clock: Watch, round_: Round, ada: User
    ) -> None:
        await follow(store, clock)
        clock.forward(5 * DAY)
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        clock.forward(5 * DAY)
        await follow(store, clock)
        assert (await state(store, round_)).status == "voting"
        clock.forward(2 * DAY + 120)
        await follow(store, clock)
        assert (await state(store, round_)).status == "expired"

    async def test_expires_also_when_it_was_re_opened(
        self, store: Store, clock: Watch, round_: Round, ada: User
    ) -> None:
        await picked(store, clock, round_, ada)
        await follow(store, clock)
        clock.forward(8 * DAY)
        await follow(store, clock)
        await reopen(at(store, clock(), await context_of(store, ada)), round_.round_id)
        clock.forward(7 * DAY + 60)
        await follow(store, clock)
        await follow(store, clock)
        assert (await state(store, round_)).status == "expired"


async def test_what_is_carried_here_from_long_ago_is_told_to_nobody(
    store: Store, clock: Watch, round_: Round, ada: User, ben: User
) -> None:
    ctx = await context_of(store, ada)
    await start_voting(at(store, clock() - 30 * DAY, ctx), round_.round_id)
    await follow(store, clock)
    assert await kinds(store, ben) == []


async def picked(store: Store, clock: Watch, round_: Round, by: User) -> None:
    """A round in which somebody has picked the first film."""
    await start_voting(at(store, clock(), await context_of(store, by)), round_.round_id)
    film = (await store.page(suggestions_of_round(round_id=round_.round_id))).items[0]
    clock.forward(60)
    await pick(at(store, clock(), await context_of(store, by)), round_.round_id, film.tmdb_movie_id)


async def state(store: Store, round_: Round) -> Round:
    """A round as it is now."""
    found = await store.get(round_by_id(round_id=round_.round_id))
    assert found is not None
    return found


async def unread(store: Store, clock: Watch, person: User) -> list[str]:
    """What somebody has not read, once what follows has happened."""
    await follow(store, clock)
    return [one.kind for one in await told(store, person) if one.read_at is None]


class TestWhatNoLongerNeedsAnybody:
    @pytest.fixture
    async def voting(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> Round:
        """A vote that has lasted for an hour; Ada and Ben are called to it."""
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        await follow(store, clock)
        clock.forward(HOUR + 1)
        assert await unread(store, clock, ben) == ["vote_nudge", "new_round"]
        assert await unread(store, clock, ada) == ["vote_nudge"]
        return round_

    async def test_is_read_by_itself_by_a_vote(
        self, store: Store, clock: Watch, voting: Round, ada: User, ben: User
    ) -> None:
        film = (await store.page(suggestions_of_round(round_id=voting.round_id))).items[0]
        ctx = at(store, clock(), await context_of(store, ben))
        await vote(ctx, voting.round_id, film.tmdb_movie_id, "up")
        assert await unread(store, clock, ben) == []
        assert await unread(store, clock, ada) == ["vote_nudge"], "hers is still missing"

    async def test_is_read_by_itself_by_the_pick_and_that_when_it_is_taken_back(
        self, store: Store, clock: Watch, voting: Round, ada: User, ben: User
    ) -> None:
        film = (await store.page(suggestions_of_round(round_id=voting.round_id))).items[0]
        ctx = at(store, clock(), await context_of(store, ada))
        await pick(ctx, voting.round_id, film.tmdb_movie_id)
        assert await unread(store, clock, ada) == []
        assert await unread(store, clock, ben) == ["pick_announce"]
        await reopen(ctx, voting.round_id)
        assert await unread(store, clock, ben) == []

    async def test_is_never_told_to_who_voted_before_anybody_told_them(
        self, store: Store, clock: Watch, round_: Round, ada: User, ben: User
    ) -> None:
        await start_voting(at(store, clock(), await context_of(store, ada)), round_.round_id)
        film = (await store.page(suggestions_of_round(round_id=round_.round_id))).items[0]
        ctx = at(store, clock(), await context_of(store, ben))
        await vote(ctx, round_.round_id, film.tmdb_movie_id, "up")
        assert await unread(store, clock, ben) == []

    async def test_is_read_by_itself_when_the_round_is_given_up(
        self, store: Store, clock: Watch, voting: Round, ada: User, ben: User
    ) -> None:
        await abandon(at(store, clock(), await context_of(store, ada)), voting.round_id)
        assert [await unread(store, clock, one) for one in (ada, ben)] == [[], []]


class TestWhenEverybodyHasVoted:
    async def test_whoever_started_it_is_told_once_until_a_film_is_picked(
        self, store: Store, clock: Watch, round_: Round, family: list[User]
    ) -> None:
        ada, ben, zoe = family
        film = await self.voting_without(store, clock, round_, [ada, zoe])
        assert "votes_in" not in await kinds(store, ada)
        for _ in range(2):
            bens = at(store, clock(), await context_of(store, ben))
            await vote(bens, round_.round_id, film, "up")
            await follow(store, clock)
            [news] = [one for one in await told(store, ada) if one.kind == "votes_in"]
            assert news.read_at is None
        assert "votes_in" not in await kinds(store, ben)
        adas = at(store, clock(), await context_of(store, ada))
        await pick(adas, round_.round_id, film)
        await follow(store, clock)
        [news] = [one for one in await told(store, ada) if one.kind == "votes_in"]
        assert news.read_at is not None

    async def test_who_votes_last_themselves_knows(
        self, store: Store, clock: Watch, round_: Round, family: list[User]
    ) -> None:
        ada, ben, zoe = family
        film = await self.voting_without(store, clock, round_, [ben, zoe])
        await vote(at(store, clock(), await context_of(store, ada)), round_.round_id, film, "up")
        await follow(store, clock)
        assert "votes_in" not in await kinds(store, ada)

    async def test_the_creator_is_told_of_what_others_started_until_a_film_is_picked(
        self, store: Store, clock: Watch, films: Shelf, round_: Round, family: list[User]
    ) -> None:
        ada, ben, zoe = family
        made = await self.started_by(store, clock, films, round_, ben)
        film = await self.voting_without(store, clock, made, [ada, ben])
        assert "votes_in" not in await kinds(store, ada)
        zoes = at(store, clock(), await context_of(store, ben, zoe))
        await vote(zoes, made.round_id, film, "up")
        await follow(store, clock)
        [news] = [one for one in await told(store, ada) if one.kind == "votes_in"]
        assert news.read_at is None
        assert "votes_in" not in await kinds(store, ben), "his child voted last, by his login"
        await pick(at(store, clock(), await context_of(store, ben)), made.round_id, film)
        await follow(store, clock)
        [news] = [one for one in await told(store, ada) if one.kind == "votes_in"]
        assert news.read_at is not None

    async def test_who_lets_the_last_one_go_knows(
        self, store: Store, clock: Watch, films: Shelf, round_: Round, family: list[User]
    ) -> None:
        ada, ben, zoe = family
        made = await self.started_by(store, clock, films, round_, ben)
        await self.voting_without(store, clock, made, [ada, ben])
        adas = at(store, clock(), await context_of(store, ada))
        await remove_attendee(adas, films, made.round_id, zoe.user_id)
        await follow(store, clock)
        assert "votes_in" in await kinds(store, ben)
        assert "votes_in" not in await kinds(store, ada)

    async def test_a_run_off_calls_everybody_again(
        self, store: Store, clock: Watch, round_: Round, family: list[User]
    ) -> None:
        ada, ben, zoe = family
        film = await self.voting_without(store, clock, round_, [ada, zoe])
        other = next(one for one in round_.films if one != film)
        bens = at(store, clock(), await context_of(store, ben))
        for one in (film, other):
            await vote(bens, round_.round_id, one, "up")
        await vote(at(store, clock(), await context_of(store, ada)), round_.round_id, other, "up")
        zoes = at(store, clock(), await context_of(store, ben, zoe))
        await vote(zoes, round_.round_id, other, "up")
        await follow(store, clock)
        adas = at(store, clock(), await context_of(store, ada))
        await ties.run_off(adas, round_.round_id)
        await follow(store, clock)
        [call] = [one for one in await told(store, ben) if one.kind == "run_off"]
        assert call.read_at is None
        assert "run_off" not in await kinds(store, ada), "she asked for it"
        [news] = [one for one in await told(store, ada) if one.kind == "votes_in"]
        assert news.read_at is not None, "they are no longer in"
        await vote(bens, round_.round_id, other, "up")
        await follow(store, clock)
        [call] = [one for one in await told(store, ben) if one.kind == "run_off"]
        assert call.read_at is not None

    @pytest.fixture
    def family(self, ada: User, ben: User, zoe: User) -> list[User]:
        """Those who take part: Ada, Ben and his child."""
        return [ada, ben, zoe]

    @staticmethod
    async def started_by(
        store: Store, clock: Watch, films: Shelf, round_: Round, starter: User
    ) -> Round:
        """A draft of somebody else's in place of one of the creator's."""
        creator = await store.get(User.at(user_id=round_.started_by))
        assert creator is not None
        await abandon(at(store, clock(), await context_of(store, creator)), round_.round_id)
        return await create_round(at(store, clock(), await context_of(store, starter)), films)

    @staticmethod
    async def voting_without(store: Store, clock: Watch, round_: Round, voters: list[User]) -> int:
        """A vote in which only these have voted, for the film that it gives."""
        starter = await store.get(User.at(user_id=round_.started_by))
        assert starter is not None
        await start_voting(at(store, clock(), await context_of(store, starter)), round_.round_id)
        film = round_.films[0]
        for one in voters:
            parent = await store.get(User.at(user_id=one.parent_user_id or one.user_id))
            assert parent is not None
            ctx = await context_of(store, parent, one if one.is_managed else None)
            await vote(at(store, clock(), ctx), round_.round_id, film, "up")
        await follow(store, clock)
        return film
