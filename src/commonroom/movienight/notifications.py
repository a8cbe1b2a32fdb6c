"""What movie night tells people: that there is a vote, that theirs is missing, that all votes are
in, what was picked."""

from __future__ import annotations

from datetime import date

from commonroom.http.times import weekday_and_date
from commonroom.http.words import _, lazy, ngettext
from commonroom.movienight.tables import Round
from commonroom.notifications.notifications import Facts, Kind
from commonroom.notifications.preferences import Preference

TONIGHT = "tonight"
"""The fact of a round without a plan; what earlier versions told has none, and means this."""


def _fill_in(text: str, facts: Facts) -> str:
    return text % {**facts, "who": facts["who"] or _("Someone")}


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


def _new_round_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s started a movie night. Take a look at the films."), facts)


def _nudge_title(_facts: Facts) -> str:
    return _("Your vote is missing")


def _nudge_text(facts: Facts) -> str:
    return _("The others in %(household)s are waiting for your vote.") % facts


def _votes_in_title(_facts: Facts) -> str:
    return _("The votes are in")


def _votes_in_text(facts: Facts) -> str:
    return _("Everyone in %(household)s has voted. See which film it is.") % facts


def _run_off_title(_facts: Facts) -> str:
    return _("It’s a tie: vote once more")


def _run_off_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s asks for a run-off between the films in front."), facts)


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


def _pick_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s picked the film for %(household)s."), facts)


def _joined_title(facts: Facts) -> str:
    return _fill_in(_("%(who)s joined %(household)s"), facts)


def _joined_text(_facts: Facts) -> str:
    return _("You can watch films together now.")


def _several_joined(facts: Facts, number: int) -> str:
    text = ngettext(
        "%(n)d person joined %(household)s", "%(n)d people joined %(household)s", number
    )
    return text % {**facts, "n": number}


def _household(facts: Facts) -> str:
    return f"household {facts['household']}"


NEW_ROUND = Kind(
    "new_round",
    _new_round_title,
    _new_round_text,
    Preference(
        "new_round",
        lazy("New movie night"),
        lazy("Someone in your household wants to watch a film."),
    ),
)
VOTE_NUDGE = Kind(
    "vote_nudge",
    _nudge_title,
    _nudge_text,
    Preference(
        "vote_nudge",
        lazy("Vote reminder"),
        lazy("The others have voted and are waiting for you."),
    ),
)
VOTES_IN = Kind(
    "votes_in",
    _votes_in_title,
    _votes_in_text,
    Preference(
        "votes_in",
        lazy("The votes are in"),
        lazy("Everyone has voted in a movie night whose film you may pick."),
    ),
)
RUN_OFF = Kind("run_off", _run_off_title, _run_off_text, NEW_ROUND.preference)
PICK_ANNOUNCE = Kind(
    "pick_announce",
    _pick_title,
    _pick_text,
    Preference("pick_announce", lazy("Film picked"), lazy("What you are going to watch.")),
)

HOUSEHOLD_JOINED = Kind(
    "household_joined",
    _joined_title,
    _joined_text,
    Preference(
        "household_joined",
        lazy("New in your household"),
        lazy("Someone has joined your household."),
    ),
    several=_several_joined,
    thing=_household,
)

KINDS = (NEW_ROUND, VOTE_NUDGE, VOTES_IN, RUN_OFF, PICK_ANNOUNCE, HOUSEHOLD_JOINED)
