"""A season of movie nights: what four people may do in their household, in any order."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import uuid4

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import NotFound, Refusal
from commonroom.movienight.rules.rounds import RoundStep, VotedFor, possible_steps, status_of
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.attendance import add_attendee, remove_attendee
from commonroom.movienight.service.rounds.lifecycle import (
    abandon,
    create_round,
    expire_untouched,
    shuffle,
    start_voting,
)
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import (
    propose,
    rate,
    vote,
    withdraw_proposal,
    withdraw_vote,
)
from commonroom.movienight.service.watched import mark_round_watched, mark_watched, undo_watched
from commonroom.movienight.service.wishes import add_wish, list_wishes, remove_wish
from commonroom.movienight.tables import (
    Round,
    rounds_of_group,
    suggestions_of_round,
    watched_films_of_group,
)
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from tests.accounts.people import DAY, Watch
from tests.movienight.evenings import home_of, somebody
from tests.movienight.rounds_support import LARGE, Evening, Shelf, shelf_of_all_kinds
from tests.movienight.service.rounds.races.stored_state import Stored
from tests.support.context import at

REFUSALS = (Refusal, Refusal)
MEMBERS = 4
RATINGS = ("loved", "liked", "did_not_like")
ONWARDS = "onwards"
"""Whatever can be done next."""

Key: TypeAlias = tuple[str, int, str]
"""A vote's round, film and member."""


class Act(Struct, frozen=True):
    """Something that a member does with some film, in the newest round or the one before."""

    what: str
    who: int
    which: int
    before: bool = False


class Outcomes(Struct):
    """What the acts of one moment may have left of a vote; None stands for no vote."""

    certain: set[VotedFor | None]
    """Of acts that were acknowledged: the last of them is what is stored."""
    doubtful: set[VotedFor | None]
    """Of acts of which nobody knows whether they happened."""


class Season:
    """A household, what it does, and what was acknowledged to it."""

    def __init__(self, calm: Store, clock: Watch) -> None:
        self.calm, self.clock = calm, clock
        self.store = calm
        """Where things are done; it may be hostile, while we look at what is really stored."""
        self.films = Shelf(shelf_of_all_kinds())
        self.happened: Counter[str] = Counter()
        self.group_id = ""
        self._people: list[tuple[User, User | None]] = []
        self._ceilings: dict[str, Ceiling] = {}
        self._votes: dict[Key, VotedFor] = {}
        self._moment: defaultdict[Key, Outcomes] = defaultdict(lambda: Outcomes(set(), set()))

    async def begin(self, beginning: list[Act]) -> None:
        """A household of three people and a child that never said what it likes, and a round."""
        evening = Evening(self.calm, self.clock, self.films)
        season = uuid4().hex  # whose people have other addresses than those of the last
        names = [f"{name} {season}" for name in ("Ada", "Ben", "Cy")]
        ada, ben, cy = [await somebody(self.calm, self.clock, name) for name in names]
        self.group_id = (await home_of(self.calm, self.clock, ada, ben, cy)).group_id
        zoe = await add_managed(
            at(self.calm, evening.now(), await evening.ctx(ben)), display_name="Zoe"
        )
        allowed: list[tuple[User, Ceiling]] = [(ada, "R"), (ben, "PG-13"), (cy, "R")]
        for person, ceiling in allowed:
            await evening.likes(person, ceiling=ceiling)
        self._people = [(ada, None), (ben, None), (cy, None), (ben, zoe)]
        self._ceilings = {one.user_id: ceiling for one, ceiling in (*allowed, (zoe, "PG"))}
        for act in beginning:
            await self.pass_([act])

    async def pass_(self, moment: list[Act]) -> None:
        """Lets everything happen that happens in a moment, and holds the rest to the truth."""
        self.clock.forward(1)
        self._moment.clear()
        await asyncio.gather(*map(self._do, moment))
        await self.check()

    async def check(self) -> None:
        """Whether everything is true, and nothing is lost that was acknowledged."""
        stored = await Stored.of(self.calm.engine, self.group_id)
        stored.check(self._ceilings)
        votes = {(one.round_id, one.tmdb_movie_id, one.member_id): one for one in stored.votes}
        for key in votes.keys() | self._votes.keys() | self._moment.keys():
            is_ = votes[key].vote if key in votes else None
            assert is_ in self._expected(key), f"{key} is {is_}"
        self._votes = {key: one.vote for key, one in votes.items()}

    def _expected(self, key: Key) -> set[VotedFor | None]:
        before: set[VotedFor | None] = {self._votes.get(key)}
        if key not in self._moment:
            return before
        outcomes = self._moment[key]
        return (outcomes.certain or before) | outcomes.doubtful

    async def _do(self, act: Act) -> None:
        what = act.what
        try:
            ctx = await self._context(act)
            if what == ONWARDS:
                what = await self._onwards(ctx, act)
            await DOINGS[what](self, ctx, act)
        except REFUSALS:
            self.happened[f"{what} refused"] += 1
        except Unavailable:
            self.happened[f"{what} unknown"] += 1
        else:
            self.happened[what] += 1

    async def _onwards(self, ctx: HouseholdContext, act: Act) -> str:
        """Something that the member can do in the round, as it seems a moment before."""
        round_ = await self.calm.get(Round.at(round_id=await self._round(act)))
        if round_ is None or status_of(round_) in ("rated", "expired"):
            return "create"
        may = possible_steps(round_, ctx.member_id, ctx.group.created_by, self.clock())
        doings = [BY_STEP[step] for step in sorted(may)]
        if "vote" in may:
            doings.append("withdraw proposal" if round_.proposals else "withdraw vote")
        return doings[act.which % len(doings)] if doings else "wish"

    async def _context(self, act: Act) -> HouseholdContext:
        person, child = self._people[act.who]
        found = await self.calm.batch_get([person.ref, (child or person).ref])
        account, member = found
        assert account is not None
        assert member is not None
        ctx = await find_household_context(Context(self.store, account), member)
        assert ctx is not None
        return ctx

    async def _round(self, act: Act) -> str:
        """The newest round or the one before it; an id of nothing where there is none."""
        found = (await self.calm.page(rounds_of_group(group_id=self.group_id), limit=2)).items
        return found[-1 if act.before else 0].round_id if found else "nothing"

    async def _film(self, act: Act, round_id: str) -> int:
        """Mostly a film of the round."""
        found = (await self.calm.page(suggestions_of_round(round_id=round_id))).items
        if not found or act.which % 7 == 6:
            return self._any_film(act)
        return found[act.which % len(found)].tmdb_movie_id

    def _any_film(self, act: Act) -> int:
        return act.which % LARGE + 1

    # Rounds

    async def create(self, ctx: HouseholdContext, act: Act) -> None:
        everybody = list(self._ceilings)
        some = [everybody, everybody[:2], everybody[::2], everybody[1::2]]
        await create_round(
            at(self.store, self.clock(), ctx),
            self.films,
            attendees=some[act.which % len(some)],
            wishes=act.which % 2 == 0,
        )

    async def shuffle(self, ctx: HouseholdContext, act: Act) -> None:
        await shuffle(at(self.store, self.clock(), ctx), self.films, await self._round(act))

    async def start(self, ctx: HouseholdContext, act: Act) -> None:
        await start_voting(at(self.store, self.clock(), ctx), await self._round(act))

    async def propose(self, ctx: HouseholdContext, act: Act) -> None:
        round_id = await self._round(act)
        film = self._any_film(act) if act.which % 2 else act.which % 36 // 6 * 6 + 6
        await propose(at(self.store, self.clock(), ctx), self.films, round_id, film)

    async def withdraw_proposal(self, ctx: HouseholdContext, act: Act) -> None:
        stored = await Stored.of(self.calm.engine, self.group_id)
        proposed = [one for one in stored.films if one.proposed_by is not None] or stored.films
        if not proposed:
            raise NotFound("There is nothing to withdraw.")
        film = proposed[act.which % len(proposed)]
        deed = withdraw_proposal(
            at(self.store, self.clock(), ctx), film.round_id, film.tmdb_movie_id
        )
        await self._noting(
            deed, *((film.round_id, film.tmdb_movie_id, one) for one in self._ceilings)
        )

    async def vote(self, ctx: HouseholdContext, act: Act) -> None:
        round_id = await self._round(act)
        film, thumb = await self._film(act, round_id), _thumb(act)
        deed = vote(at(self.store, self.clock(), ctx), round_id, film, thumb)
        await self._noting(deed, (round_id, film, ctx.member_id), left=thumb)

    async def withdraw_vote(self, ctx: HouseholdContext, act: Act) -> None:
        round_id = await self._round(act)
        film = await self._film(act, round_id)
        deed = withdraw_vote(at(self.store, self.clock(), ctx), round_id, film)
        await self._noting(deed, (round_id, film, ctx.member_id))

    async def pick(self, ctx: HouseholdContext, act: Act) -> None:
        round_id = await self._round(act)
        await pick(at(self.store, self.clock(), ctx), round_id, await self._film(act, round_id))

    async def reopen(self, ctx: HouseholdContext, act: Act) -> None:
        await reopen(at(self.store, self.clock(), ctx), await self._round(act))

    async def watch(self, ctx: HouseholdContext, act: Act) -> None:
        await mark_round_watched(at(self.store, self.clock(), ctx), await self._round(act))

    async def rate(self, ctx: HouseholdContext, act: Act) -> None:
        how = RATINGS[act.which % 3]
        await rate(at(self.store, self.clock(), ctx), await self._round(act), how)  # type: ignore[arg-type]

    async def abandon(self, ctx: HouseholdContext, act: Act) -> None:
        await abandon(at(self.store, self.clock(), ctx), await self._round(act))

    async def join(self, ctx: HouseholdContext, act: Act) -> None:
        round_id, member_id = await self._round(act), self._member(act)
        await add_attendee(at(self.store, self.clock(), ctx), self.films, round_id, member_id)

    async def step_out(self, ctx: HouseholdContext, act: Act) -> None:
        round_id, member_id = await self._round(act), self._member(act)
        films = (await self.calm.page(suggestions_of_round(round_id=round_id))).items
        deed = remove_attendee(at(self.store, self.clock(), ctx), self.films, round_id, member_id)
        await self._noting(deed, *((round_id, one.tmdb_movie_id, member_id) for one in films))

    def _member(self, act: Act) -> str:
        return list(self._ceilings)[act.which % MEMBERS]

    async def expire_by_itself(self, _: HouseholdContext, act: Act) -> None:
        if act.which % 2:
            self.clock.forward(8 * DAY)
        await expire_untouched(self.store, self.clock(), await self._round(act))

    # Films

    async def wish(self, ctx: HouseholdContext, act: Act) -> None:
        await add_wish(at(self.store, self.clock(), ctx), self.films, self._few(act))

    async def unwish(self, ctx: HouseholdContext, act: Act) -> None:
        there = await list_wishes(at(self.calm, self.clock(), ctx))
        own = [one for one in there if one.added_by == ctx.member_id] or there
        film = own[act.which % len(own)].tmdb_movie_id if own else self._few(act)
        await remove_wish(at(self.store, self.clock(), ctx), film)

    async def mark(self, ctx: HouseholdContext, act: Act) -> None:
        await mark_watched(at(self.store, self.clock(), ctx), self.films, self._few(act))

    async def undo(self, ctx: HouseholdContext, act: Act) -> None:
        there = (await self.calm.page(watched_films_of_group(group_id=self.group_id))).items
        own = [one for one in there if one.marked_by == ctx.member_id] or there
        film = own[act.which % len(own)].tmdb_movie_id if own else self._few(act)
        await undo_watched(at(self.store, self.clock(), ctx), film)

    def _few(self, act: Act) -> int:
        """One of a few films that many may see, so that acts meet."""
        return (6, 7, 12, 13)[act.which % 4]

    async def _noting(
        self, deed: Awaitable[None], *keys: Key, left: VotedFor | None = None
    ) -> None:
        """Does something to votes, and notes what it may have left of them."""
        try:
            await deed
        except Unavailable:
            for key in keys:
                self._moment[key].doubtful.add(left)
            raise
        for key in keys:
            self._moment[key].certain.add(left)


def _thumb(act: Act) -> VotedFor:
    return "up" if act.which % 3 else "down"


DOINGS: dict[str, Callable[[Season, HouseholdContext, Act], Awaitable[None]]] = {
    "create": Season.create,
    "shuffle": Season.shuffle,
    "start": Season.start,
    "propose": Season.propose,
    "withdraw proposal": Season.withdraw_proposal,
    "vote": Season.vote,
    "withdraw vote": Season.withdraw_vote,
    "pick": Season.pick,
    "reopen": Season.reopen,
    "watch": Season.watch,
    "rate": Season.rate,
    "abandon": Season.abandon,
    "join": Season.join,
    "step out": Season.step_out,
    "expire by itself": Season.expire_by_itself,
    "wish": Season.wish,
    "unwish": Season.unwish,
    "mark": Season.mark,
    "undo": Season.undo,
}

BY_STEP: dict[RoundStep, str] = {
    "shuffle": "shuffle",
    "start": "start",
    "propose": "propose",
    "vote": "vote",
    "pick": "pick",
    "reopen": "reopen",
    "watched": "watch",
    "rate": "rate",
    "abandon": "abandon",
    "attendees": "join",
    "undo_watched": "undo",
}
