"""What movie night tells people: that there is a vote, that theirs is missing, that all votes are
in, what was picked."""

from __future__ import annotations

from datetime import date

from commonroom.http.times import weekday_and_date
from commonroom.http.words import _, lazy
from commonroom.movienight.tables import Round
from commonroom.notifications.kinds import Facts, Kind, Plural
from commonroom.notifications.preferences import Preference

TONIGHT = "tonight"
"""The fact of a round without a plan; what earlier versions told has none, and means this."""


def day_fact(round_: Round) -> str:
    """When a round's film is watched: the date of the plan that carries it, if that has one.

    Nothing where the plan has no day yet, and tonight without a plan.
    """
    return TONIGHT if round_.plan_id is None else round_.plan_day or ""


def _new_round_title(facts: Facts) -> str:
    match facts.get("day", TONIGHT):
        case "tonight":
            return _("Vote for tonight’s film")
        case "":
            return _("Vote for the film")
        case day:
            return _("Vote for the film for %(day)s") % {"day": _named(day)}


def _pick_title(facts: Facts) -> str:
    match facts.get("day", TONIGHT):
        case "tonight":
            return _("Tonight: %(film)s") % facts
        case "":
            return _("The film: %(film)s") % facts
        case day:
            return _("%(day)s: %(film)s") % {**facts, "day": _named(day)}


def _named(day: str) -> str:
    return weekday_and_date(date.fromisoformat(day))


NEW_ROUND = Kind(
    "new_round",
    _new_round_title,
    lazy("%(who)s started a movie night. Take a look at the films."),
    Preference(
        "new_round",
        lazy("New movie night"),
        lazy("Someone in your household wants to watch a film."),
    ),
)
VOTE_NUDGE = Kind(
    "vote_nudge",
    lazy("Your vote is missing"),
    lazy("The others in %(household)s are waiting for your vote."),
    Preference(
        "vote_nudge",
        lazy("Vote reminder"),
        lazy("The others have voted and are waiting for you."),
    ),
)
VOTES_IN = Kind(
    "votes_in",
    lazy("The votes are in"),
    lazy("Everyone in %(household)s has voted. See which film it is."),
    Preference(
        "votes_in",
        lazy("The votes are in"),
        lazy("Everyone has voted in a movie night whose film you may pick."),
    ),
)
RUN_OFF = Kind(
    "run_off",
    lazy("It’s a tie: vote once more"),
    lazy("%(who)s asks for a run-off between the films in front."),
    NEW_ROUND.preference,
)
PICK_ANNOUNCE = Kind(
    "pick_announce",
    _pick_title,
    lazy("%(who)s picked the film for %(household)s."),
    Preference("pick_announce", lazy("Film picked"), lazy("What you are going to watch.")),
)

HOUSEHOLD_JOINED = Kind(
    "household_joined",
    lazy("%(who)s joined %(household)s"),
    lazy("You can watch films together now."),
    Preference(
        "household_joined",
        lazy("New in your household"),
        lazy("Someone has joined your household."),
    ),
    several=Plural("%(n)d person joined %(household)s", "%(n)d people joined %(household)s"),
    thing="household %(household)s",
)

KINDS = (NEW_ROUND, VOTE_NUDGE, VOTES_IN, RUN_OFF, PICK_ANNOUNCE, HOUSEHOLD_JOINED)
