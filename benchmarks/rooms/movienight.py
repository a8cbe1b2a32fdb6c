"""What is measured of movie night: a round that everybody has voted in, and fifty before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from msgspec import Struct
from msgspec.structs import astuple

from benchmarks.rooms.declare import (
    CURSOR,
    SMALL,
    Address,
    BareFile,
    Handler,
    House,
    RoomViews,
    View,
)
from commonroom.accounts.context import Context
from commonroom.accounts.tables import User, users
from commonroom.movienight.api import round_views as views
from commonroom.movienight.rules.rounds import Liked, RatingSummary, Status, VotedFor
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.members import add_membership, set_household
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.service.rounds.lifecycle import create_round, start_voting
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.rounds.votes import propose, vote
from commonroom.movienight.tables import Pick, Round, groups, picks, rounds
from commonroom.store import create
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import FilmFilter

MEMBERS, FILMS, PAST = 8, 12, 50
AT = "2026-05-31T18:00:00.000Z"
PEOPLE = [
    User(
        user_id=str(UUID(int=number)),
        display_name=f"Kim {number}",
        email=f"kim{number}@example.org",
        created_at=AT,
    )
    for number in range(MEMBERS)
]
CREATOR = PEOPLE[0]
MAY = ["abandon", "attendees", "pick", "vote"]
"""What the creator can do while everybody votes."""


async def furnish(house: House) -> Mapping[str, Address]:
    """A full household in the midst of a round."""
    await house.store.write(*map(create, PEOPLE))
    group = await create_household(Context(house.store, CREATOR, house.now), name="Home")
    for other in PEOPLE[1:]:
        await house.store.write(
            set_household(other, group.group_id), *add_membership(house.now, group.group_id, other)
        )
    for person in PEOPLE:
        seat = await _seat(house, person)
        await set_preferences(seat, person.user_id, likes=["35", "18"], dislikes=[], ceiling="R")
    past = [_past_round(group.group_id, number) for number in range(PAST)]
    await house.store.engine.load(rounds, [one.to_item() for one, _ in past])
    await house.store.engine.load(picks, [one.to_item() for _, one in past])
    round_id = await _voted_round(house)
    here, cookie = f"/api/v1/households/{group.group_id}/rounds", await house.cookie(CREATOR)
    return {
        "round": Address(f"{here}/{round_id}", cookie),
        "history": Address(f"{here}?limit={PAST}", cookie),
    }


def _past_round(group_id: str, number: int) -> tuple[Round, Pick]:
    day = f"{2024 + number // 48}-{number // 4 % 12 + 1:02}-{number % 4 * 7 + 1:02}"
    round_id, pick_id = str(UUID(int=1000 + number)), str(UUID(int=2000 + number))
    members = [one.user_id for one in PEOPLE]
    likes = ("loved", "liked", "did_not_like")
    round_ = Round(
        round_id=round_id,
        group_id=group_id,
        started_by=members[number % MEMBERS],
        status="rated",
        attendees=members,
        created_at=f"{day}T19:00:00.000Z",
        voting_started_at=f"{day}T19:05:00.000Z",
        selected_at=f"{day}T19:30:00.000Z",
        watched_at=f"{day}T22:00:00.000Z",
        rated_at=f"{day}T22:30:00.000Z",
        pick_id=pick_id,
        films=list(range(100, 112)),
        rated={member: likes[(number + place) % 3] for place, member in enumerate(members)},
        version=120,
    )
    pick = Pick(
        pick_id=pick_id,
        round_id=round_id,
        group_id=group_id,
        tmdb_movie_id=100 + number % 12,
        title=f"The Long Evening {number}",
        poster_path=f"/poster{number}.jpg",
        picked_by=members[number % MEMBERS],
        picked_at=f"{day}T19:30:00.000Z",
        watched=True,
        watched_at=f"{day}T22:00:00.000Z",
    )
    return round_, pick


async def _voted_round(house: House) -> str:
    films, starter = Catalogue(), await _seat(house, CREATOR)
    round_ = await create_round(starter, films)
    await start_voting(starter, round_.round_id)
    seen = await load_round(starter, round_.round_id)
    there = [one.film.tmdb_movie_id for one in seen.films]
    more = [film.tmdb_movie_id for film in await films.discover(FilmFilter(), there)]
    for number in range(FILMS - len(there)):
        proposer = await _seat(house, PEOPLE[number // 2])
        await propose(proposer, films, round_.round_id, more[number])
        there.append(more[number])
    for number, person in enumerate(PEOPLE):
        seat = await _seat(house, person)
        for place, film in enumerate(there):
            thumb: VotedFor = "up" if (number + place) % 3 else "down"
            await vote(seat, round_.round_id, film, thumb)
    return round_.round_id


async def _seat(house: House, person: User) -> HouseholdContext:
    known = await house.store.get(person.ref)
    assert known is not None
    seat = await find_household_context(Context(house.store, known, house.now), known)
    assert seat is not None
    return seat


class StoredRound(Struct):
    """A round as it is stored."""

    round_id: str
    group_id: str
    status: Status
    started_by: str
    attendees: list[str]
    created_at: str
    version: int
    voting_started_at: str | None = None
    selected_at: str | None = None
    watched_at: str | None = None
    rated_at: str | None = None
    watched_by: str | None = None
    abandoned_by: str | None = None
    relaxed_constraints: list[str] = []
    votes_are_open: bool = False
    rated: dict[str, Liked] = {}
    pick_id: str | None = None


class StoredFilm(Struct):
    """A film of a round as it is stored, its fields in the order of the answer."""

    tmdb_movie_id: int
    position: int
    title: str
    year: int | None = None
    poster_path: str | None = None
    genres: list[str] = []
    content_rating: str | None = None
    runtime: int | None = None
    overview: str | None = None
    vote_average: float | None = None
    reasons: list[str] = []
    proposed_by: str | None = None
    from_wish_list: bool = False


class StoredVote(Struct):
    """A vote as it is stored."""

    tmdb_movie_id: int
    member_id: str
    vote: VotedFor


class StoredHousehold(Struct):
    """Whose household it is."""

    created_by: str


class StoredMember(Struct):
    """Whether somebody is still in it."""

    household_id: str


def bare_round(file: BareFile) -> Handler:
    """A round that is being voted on, as its creator sees it."""
    household, round_ = file.get(groups, StoredHousehold), file.get(rounds, StoredRound)
    films = file.query(
        'SELECT _item FROM "Suggestions" WHERE round_id = ? ORDER BY tmdb_movie_id', StoredFilm
    )
    votes = file.query('SELECT _item FROM "Votes" WHERE round_id = ? ORDER BY vote_key', StoredVote)
    member = file.get(users, StoredMember)

    def handler(path: str) -> object:
        *_, group_id, _, round_id = path.split("/")
        household(group_id)
        found = round_(round_id)
        on_list, cast = films(round_id), votes(round_id)
        here = [one for one in found.attendees if member(one).household_id == group_id]
        return _shown_round(found, here, on_list, cast)

    return handler


def _shown_round(
    round_: StoredRound, here: list[str], films: list[StoredFilm], votes: list[StoredVote]
) -> views.RoundDetailView:
    mine: dict[int, dict[str, VotedFor]] = {one.tmdb_movie_id: {} for one in films}
    up, down = dict.fromkeys(mine, 0), dict.fromkeys(mine, 0)
    voters = set()
    for one in votes:
        number = one.tmdb_movie_id
        counted = up if one.vote == "up" else down
        counted[number] += 1
        voters.add(one.member_id)
        if one.member_id == CREATOR.user_id:
            mine[number][one.member_id] = one.vote
    nets = sorted([up[number] - down[number] for number in mine], reverse=True)
    films.sort(key=lambda film: film.position)
    shown = []
    for film in films:
        number = film.tmdb_movie_id
        net = up[number] - down[number]
        shown.append(
            views.RoundFilm(  # type: ignore[call-arg] # nobody knows how many a tuple has
                *astuple(film),
                mine[number],
                up[number],
                down[number],
                net,
                nets.index(net) + 1,
                nets.count(net) > 1,
            )
        )
    return views.RoundDetailView(
        round_.round_id,
        round_.group_id,
        round_.status,
        round_.started_by,
        here,
        round_.created_at,
        round_.voting_started_at,
        round_.selected_at,
        round_.watched_at,
        round_.rated_at,
        round_.watched_by,
        round_.abandoned_by,
        round_.relaxed_constraints,
        shown,
        views.RoundProgress(len(voters), len(here)),
        [one for one in here if one not in voters],
        round_.votes_are_open,
        None,
        round_.rated,
        MAY,
        round_.version,
    )


def bare_history(file: BareFile) -> Handler:
    """The rounds of a household, the newest first, with their picks."""
    found = file.query(
        'SELECT _item FROM "Rounds" WHERE group_id = ? AND created_at IS NOT NULL '
        "ORDER BY created_at DESC, round_id DESC LIMIT ?",
        StoredRound,
    )
    pick = file.get(picks, views.PickedFilm)

    def handler(path: str) -> object:
        group_id = path.split("/")[3]
        page = found(group_id, PAST + 1)
        return {"items": [_past(one, pick) for one in page[:PAST]], "next_cursor": CURSOR}

    return handler


def _past(round_: StoredRound, pick: Callable[[str], views.PickedFilm]) -> views.PastRoundView:
    rated = list(round_.rated.values())
    return views.PastRoundView(
        round_.round_id,
        round_.status,
        round_.started_by,
        round_.attendees,
        round_.created_at,
        None if round_.pick_id is None else pick(round_.pick_id),
        RatingSummary(rated.count("loved"), rated.count("liked"), rated.count("did_not_like")),
    )


MOVIENIGHT = RoomViews(
    room="movienight",
    furnish=furnish,
    views=(
        View(
            key="round",
            busy_at_least=SMALL,
            name=f"a round of {FILMS} films, {MEMBERS} members, {FILMS * MEMBERS} votes",
            sentence=(
                "A member reads a round with its films, votes and results: "
                "the household, the round and everybody in it by key, two queries."
            ),
            bare=bare_round,
        ),
        View(
            key="history",
            name=f"a page of {PAST} rounds",
            sentence=(
                "A member reads what the household watched and how it was liked: "
                "a query, and each round’s pick by key."
            ),
            bare=bare_history,
        ),
    ),
)
