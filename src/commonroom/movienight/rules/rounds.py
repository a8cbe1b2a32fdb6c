"""The life of a round: its states, who may move it on, and who takes part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias, get_args

from msgspec import Struct, structs

from commonroom.accounts.tables import User
from commonroom.errors import BadRequest, Conflict
from commonroom.moments import elapsed, seconds
from commonroom.movienight.tables import Round, WatchedFilm

Status: TypeAlias = Literal["draft", "voting", "selected", "watched", "rated", "expired"]
STATUSES: tuple[Status, ...] = get_args(Status)
OPEN: tuple[Status, ...] = ("draft", "voting")
PICKED: tuple[Status, ...] = ("selected", "watched", "rated")
"""From the pick on; these can be rated."""
WATCHED: tuple[Status, ...] = ("watched", "rated")

VotedFor: TypeAlias = Literal["up", "down"]
Liked: TypeAlias = Literal["loved", "liked", "did_not_like"]

RoundStep: TypeAlias = Literal[
    "shuffle",
    "start",
    "attendees",
    "abandon",
    "propose",
    "vote",
    "pick",
    "reopen",
    "watched",
    "undo_watched",
    "rate",
]
"""What can be done in a round."""

MAX_PROPOSALS, MAX_PROPOSALS_EACH = 4, 2
MAX_FROM_WISH_LIST = 4
UNTOUCHED_DAYS = 7
UNDO_SECONDS = 24 * 3600
"""For how long it can be taken back that a film was watched."""
NUDGE_SECONDS = 3600
ATTACHED_AS = "round"
"""The kind under which plans carry rounds."""

_BY_MEMBERS: Mapping[Status, set[RoundStep]] = {
    "draft": {"attendees"},
    "voting": {"attendees"},
    "selected": {"watched"},
}
_BY_ATTENDEES: Mapping[Status, set[RoundStep]] = {
    "voting": {"vote"},
    "selected": {"rate"},
    "watched": {"rate"},
    "rated": {"rate"},
}
_BY_STEERING: Mapping[Status, set[RoundStep]] = {
    "draft": {"shuffle", "start", "abandon"},
    "voting": {"pick", "abandon"},
    "selected": {"reopen"},
}

_LEGACY: dict[str, Status] = {"picked": "selected", "closed": "voting", "discarded": "expired"}
_READ_AS: dict[str, Status] = {**{one: one for one in STATUSES}, **_LEGACY}


class FilmNotInRound(BadRequest):
    """A vote or a pick names a film that this round does not have."""

    title = "This film is not in the vote"


class VotesMissing(Conflict):
    """A film is to be picked before everybody has voted, and nobody said that this is meant."""

    title = "Not everyone has voted yet"


def status_of(round_: Round) -> Status:
    """Returns the state of a round; values of earlier versions count as what they have become."""
    return _READ_AS[round_.status]


def statuses_read_as(*wanted: Status) -> tuple[str, ...]:
    """Every stored value that counts as one of these states, for conditions on what is stored."""
    return (*wanted, *(old for old, new in _LEGACY.items() if new in wanted))


def still_here(
    attendees: Iterable[str], people: Mapping[str, User | None], group_id: str
) -> list[str]:
    """Those who take part and are still in the household: nobody waits for former members."""
    known = ((one, people.get(one)) for one in attendees)
    return [one for one, user in known if user is not None and user.household_id == group_id]


def attendees_of(round_: Round, members: Sequence[str]) -> list[str]:
    """Returns who takes part; earlier versions said nothing where everybody does."""
    return list(members) if round_.attendees is None else round_.attendees


def all_have_rated(rated: Collection[str], attendees: Collection[str]) -> bool:
    """Returns whether nobody's rating is missing."""
    return bool(attendees) and set(attendees) <= set(rated)


def steers(member_id: str, round_: Round, creator_id: str) -> bool:
    """Returns whether a member may move a round on: its starter, or the household's creator."""
    return member_id in (round_.started_by, creator_id)


def may_change_attendee(member_id: str, round_: Round, creator_id: str, member: User) -> bool:
    """Whether a person decides if a member takes part: who steers, they, or their manager."""
    own = member_id in (member.user_id, member.parent_user_id)
    return own or steers(member_id, round_, creator_id)


def attends(member_id: str, round_: Round) -> bool:
    """Returns whether a member takes part."""
    return round_.attendees is None or member_id in round_.attendees


def proposals_left(member_id: str, round_: Round) -> int:
    """Returns how many more films a member may propose."""
    own, all_ = round_.proposals.get(member_id, 0), sum(round_.proposals.values())
    return max(0, min(MAX_PROPOSALS_EACH - own, MAX_PROPOSALS - all_))


def untouched_from(round_: Round) -> float:
    """From when on a round counts as untouched for seven days, unless something happens in it."""
    touched = datetime.fromisoformat(round_.updated_at or round_.created_at)
    # Earlier versions may have left the zone out, and never meant another than this.
    at = touched if touched.tzinfo is not None else touched.replace(tzinfo=UTC)
    return at.timestamp() + UNTOUCHED_DAYS * 86400


def possible_steps(
    round_: Round, member_id: str, creator_id: str, now: float
) -> frozenset[RoundStep]:
    """Returns what a member of the household can do in a round as it stands."""
    status = status_of(round_)
    found = set(_BY_MEMBERS.get(status, ()))
    if steers(member_id, round_, creator_id):
        found |= _BY_STEERING.get(status, set())
    if attends(member_id, round_):
        found |= _BY_ATTENDEES.get(status, set())
        if status == "voting" and proposals_left(member_id, round_):
            found.add("propose")
    if status in WATCHED and _can_undo_watched(round_, member_id, creator_id, now):
        found.add("undo_watched")
    return frozenset(found)


def _can_undo_watched(round_: Round, member_id: str, creator_id: str, now: float) -> bool:
    if round_.watched_at is None or member_id not in (round_.watched_by, creator_id):
        return False
    return elapsed(seconds(round_.watched_at), now) <= UNDO_SECONDS


def are_votes_visible(round_: Round) -> bool:
    """Whether everybody sees who voted how: always where votes are open, else from the pick on."""
    return round_.votes_are_open or status_of(round_) in PICKED


def visible_votes(
    round_: Round, votes: Mapping[str, VotedFor], member_id: str
) -> dict[str, VotedFor]:
    """The votes on a film that a member may see: secret ones of others only once there is a pick.

    How many there are is never secret.
    """
    if are_votes_visible(round_):
        return dict(votes)
    return {member_id: votes[member_id]} if member_id in votes else {}


class VotingProgress(Struct, frozen=True):
    """How many of those who take part have voted."""

    voted: int
    attendees: int

    @property
    def is_complete(self) -> bool:
        """Whether everybody has voted."""
        return 0 < self.attendees == self.voted


class VoteCount(Struct, frozen=True):
    """A film of a round, its votes counted."""

    tmdb_movie_id: int
    popularity: float
    up: int
    down: int

    @property
    def net(self) -> int:
        """Thumbs up less thumbs down."""
        return self.up - self.down


class FilmStanding(Struct, frozen=True, kw_only=True):
    """How a film stands."""

    tmdb_movie_id: int
    up: int
    down: int
    net: int
    rank: int
    tied: bool


def rank_results(films: Collection[VoteCount]) -> list[FilmStanding]:
    """Films by votes; equal ones share a rank and are tied, the more popular shown first."""
    ordered = sorted(films, key=lambda film: (-film.net, -film.popularity, film.tmdb_movie_id))
    nets = [film.net for film in ordered]
    return [
        FilmStanding(
            tmdb_movie_id=film.tmdb_movie_id,
            up=film.up,
            down=film.down,
            net=film.net,
            rank=nets.index(film.net) + 1,
            tied=nets.count(film.net) > 1,
        )
        for film in ordered
    ]


def front_runners(results: Sequence[FilmStanding]) -> list[FilmStanding]:
    """Returns the film that is ahead; all of them where several are."""
    return [one for one in results if one.rank == 1]


def progress(voters: Collection[str], attendees: Collection[str]) -> VotingProgress:
    """Distinct attendees who voted, of all of them."""
    return VotingProgress(len(set(voters) & set(attendees)), len(set(attendees)))


def with_current_status(round_: Round) -> Round:
    """Returns the round with its state as it is called today."""
    status = status_of(round_)
    return round_ if status == round_.status else structs.replace(round_, status=status)


class RatingSummary(Struct, frozen=True):
    """How many liked it how much."""

    loved: int = 0
    liked: int = 0
    did_not_like: int = 0


def summarise(rated: Mapping[str, str]) -> RatingSummary:
    """Returns how it was liked, without who said so."""
    said = list(rated.values())
    return RatingSummary(said.count("loved"), said.count("liked"), said.count("did_not_like"))


def can_be_undone(watched: WatchedFilm, now: float) -> bool:
    """Returns whether it was marked not longer ago than a day."""
    return elapsed(seconds(watched.marked_at), now) <= UNDO_SECONDS
