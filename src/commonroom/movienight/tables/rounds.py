"""Rounds: from the shortlist by way of votes and pick to the ratings."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.store import Entity, Index, Keys, Table, many, number, one

rounds = Table(
    "Rounds",
    room="movienight",
    partition="round_id",
    indexes=[Index("group-rounds-index", "group_id", "created_at")],
    stream=True,
)

suggestions = Table(
    "Suggestions", room="movienight", partition="round_id", sort=number("tmdb_movie_id")
)

votes = Table("Votes", room="movienight", partition="round_id", sort="vote_key")

picks = Table(
    "Picks",
    room="movienight",
    partition="pick_id",
    indexes=[
        Index("group-picks-index", "group_id", "picked_at"),
        Index("round-pick-index", "round_id"),
    ],
    stream=True,
)

ratings = Table("Ratings", room="movienight", partition="round_id", sort="member_id")


class Round(Entity, table=rounds):
    """A movie night, from draft to rated."""

    round_id: str
    group_id: str
    started_by: str
    status: Literal[
        "draft",
        "voting",
        "selected",
        "watched",
        "rated",
        "expired",
        # Written by earlier versions and mapped when read, so decoding must let them through.
        "picked",
        "closed",
        "discarded",
    ] = "draft"
    attendees: list[str] | None = None
    """None means all members, as earlier versions had it."""
    created_at: str
    voting_started_at: str | None = None
    selected_at: str | None = None
    watched_at: str | None = None
    rated_at: str | None = None
    relaxed_constraints: list[str] = field(default_factory=list)

    # Beyond the data model.
    updated_at: str | None = None
    """A draft or voting round that is untouched for 7 days expires."""
    moved_by: str | None = None
    """The account that took the last step, which need not be told of it."""
    voted_by: str | None = None
    """Who voted last: nobody need call them to vote any more."""
    votes_are_open: bool = False
    """Whether everybody sees who votes how; else only totals are shown until the pick. As the
    household had chosen when the round began, so that no vote is shown that was cast in secret."""
    shown: list[int] = field(default_factory=list)
    """Films that a draft has suggested so far: others come first."""
    films_from: Literal["shelves", "lists"] | None = None
    """Where all films of the shortlist come from; None where they may come from anywhere."""
    watched_by: str | None = None
    """Who said so, and can take it back for a day."""
    abandoned_by: str | None = None
    """Who ended an open round; None where it expired by itself."""
    pick_id: str | None = None
    films: list[int] = field(default_factory=list)
    """The shortlist, so that a member's votes are read by key. Empty in rounds of earlier
    versions."""
    proposals: dict[str, int] = field(default_factory=dict)
    """How many films each member has proposed: the limits are conditions on this."""
    rated: dict[str, str] = field(default_factory=dict)
    """Who has rated, and how: of two last ratings at once one surely sees that it is the last, and
    the history shows how it went without a request per round."""
    plan_id: str | None = None
    """The plan of another room that carries it: the one that it was attached to last."""
    plan_day: str | None = None
    """The date of that plan, in ISO 8601, where it has one."""
    run_offs: int = 0
    """How often a tie was voted on once more."""
    version: int = 0
    """Raised by everything that happens in the round, votes included: what live pages watch."""


class Suggestion(Entity, table=suggestions):
    """A film on a round's shortlist."""

    round_id: str
    tmdb_movie_id: int
    position: int
    title: str
    poster_path: str | None = None
    year: int | None = None
    genres: list[str] = field(default_factory=list)
    content_rating: str | None = None

    # Beyond the data model.
    reasons: list[str] = field(default_factory=list)
    """Why it is here, as codes such as `on#netflix`, which are put into the reader's words."""
    proposed_by: str | None = None
    from_wish_list: bool = False
    popularity: float = 0
    """Ranks films with the same number of votes."""
    vote_average: float | None = None
    runtime: int | None = None
    overview: str | None = None


class Vote(Entity, table=votes):
    """One member's vote on one film."""

    round_id: str
    tmdb_movie_id: int
    member_id: str
    vote: Literal["up", "down"]
    voted_at: str

    keys = Keys(vote_key="{tmdb_movie_id}#{member_id}")


class Pick(Entity, table=picks):
    """The film that was chosen."""

    pick_id: str
    round_id: str
    group_id: str
    tmdb_movie_id: int
    title: str
    poster_path: str | None = None
    picked_by: str
    picked_at: str
    watched: bool = False
    watched_at: str | None = None


class RoundRating(Entity, table=ratings):
    """How one attendee liked it."""

    round_id: str
    member_id: str
    rating: Literal["loved", "liked", "did_not_like"]
    rated_at: str


round_by_id = one(rounds, "Get round/session by ID", gives=Round)
rounds_of_group = many(
    rounds,
    "List sessions for a group",
    index="group-rounds-index",
    newest_first=True,
    gives=Round,
)

suggestions_of_round = many(suggestions, "Get suggestions for a round", gives=Suggestion)
suggestion = one(suggestions, "Get one suggestion", gives=Suggestion)

votes_of_round = many(votes, "Get all votes for a round", gives=Vote)
vote = one(votes, "Get/set one vote", gives=Vote)

pick_by_id = one(picks, "Get pick by ID", gives=Pick)
# For showing only: what makes a second pick fail is the condition on the round's status.
pick_of_round = many(picks, "Check pick exists for round", index="round-pick-index", gives=Pick)
watch_history = many(
    picks,
    "Watch history for a group",
    index="group-picks-index",
    newest_first=True,
    gives=Pick,
)

ratings_of_round = many(ratings, "Get ratings for a session", gives=RoundRating)
rating = one(ratings, "Get/set one rating", gives=RoundRating)
