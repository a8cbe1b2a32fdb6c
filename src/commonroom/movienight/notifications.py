"""What movie night tells people: that there is a vote, that theirs is missing, what was picked."""

from __future__ import annotations

from commonroom.notify.notifications import Facts, Kind
from commonroom.notify.preferences import Preference
from commonroom.web.words import _, later


def _fill_in(text: str, facts: Facts) -> str:
    return text % {**facts, "who": facts["who"] or _("Someone")}


def _new_round_title(_facts: Facts) -> str:
    return _("Vote for tonight’s film")


def _new_round_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s started a movie night. Take a look at the films."), facts)


def _nudge_title(_facts: Facts) -> str:
    return _("Your vote is missing")


def _nudge_text(facts: Facts) -> str:
    return _("The others in %(household)s are waiting for your vote.") % facts


def _pick_title(facts: Facts) -> str:
    return _("Tonight: %(film)s") % facts


def _pick_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s picked the film for %(household)s."), facts)


NEW_ROUND = Kind(
    "new_round",
    _new_round_title,
    _new_round_text,
    Preference(
        "new_round",
        later("New movie night"),
        later("Someone in your household wants to watch a film."),
    ),
)
VOTE_NUDGE = Kind(
    "vote_nudge",
    _nudge_title,
    _nudge_text,
    Preference(
        "vote_nudge",
        later("Vote reminder"),
        later("The others have voted and are waiting for you."),
    ),
)
PICK_ANNOUNCE = Kind(
    "pick_announce",
    _pick_title,
    _pick_text,
    Preference("pick_announce", later("Film picked"), later("What you are going to watch.")),
)

KINDS = (NEW_ROUND, VOTE_NUDGE, PICK_ANNOUNCE)
