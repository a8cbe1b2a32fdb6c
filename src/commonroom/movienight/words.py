"""Movie night in the reader's words: flash texts, ceilings, evenings, how a vote stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from msgspec import Struct

from commonroom.accounts.tables import Ceiling, User
from commonroom.http.times import WEEKDAYS, month_day, zone_of
from commonroom.http.words import _, join_names, lazy, once_per_language
from commonroom.movienight.rules.rounds import FilmStanding, Liked, Status, front_runners
from commonroom.movienight.tables import Round
from commonroom.titles.streaming_services import SERVICES
from commonroom.titles.words import genre_name

FLASH_TEXTS: Mapping[str, str] = {
    "household-made": lazy("Your household is ready. Now set your tastes."),
    "household-joined": lazy("Welcome! Now set your tastes."),
    "household-saved": lazy("Household saved."),
    "household-needed": lazy("Start a household first, or ask to join one."),
    "household-left": lazy("You have left the household."),
    "household-deleted": lazy("Household deleted."),
    "preferences-saved": lazy("Tastes saved."),
    "member-came": lazy("Member added."),
    "member-out": lazy("Member removed."),
    "member-and-links-out": lazy("Member removed. Your open invitation links are turned off."),
    "invite-revoked": lazy("Link revoked."),
    "round-open": lazy("A movie night is already open. Here it is."),
    "shuffled": lazy("New films suggested."),
    "voting-started": lazy("Voting is open."),
    "proposed": lazy("Film added to the vote."),
    "proposal-withdrawn": lazy("Film removed from the vote."),
    "picked": lazy("The film is picked. Enjoy!"),
    "drawn": lazy("The draw has decided. Enjoy!"),
    "run-off": lazy("Everyone votes once more, on these films alone."),
    "reopened": lazy("Voting is open again."),
    "watched": lazy("Marked as watched. How did you like it?"),
    "unwatched": lazy("No longer marked as watched."),
    "rated-loved": lazy("Rated: loved it."),
    "rated-liked": lazy("Rated: liked it."),
    "rated-did_not_like": lazy("Rated: didn’t like it."),
    "round-abandoned": lazy("Movie night cancelled."),
    "attendee-added": lazy("They are now watching."),
    "attendee-removed": lazy("They are no longer watching."),
    "wished": lazy("Added to the wish list."),
    "wishes-added": lazy("Added to the wish list."),
    "wishes-added-some": lazy("Added as many as fit: the wish list is full now."),
    "wishes-saved": lazy("Saved as a private list of yours."),
    "unwished": lazy("Removed from the wish list."),
    "film-watched": lazy("Marked as watched."),
    "film-unwatched": lazy("No longer marked as watched."),
}

RATINGS: Mapping[Liked, str] = {
    "loved": lazy("Loved it"),
    "liked": lazy("Liked it"),
    "did_not_like": lazy("Didn’t like it"),
}

STATES: Mapping[Status, str] = {
    "draft": lazy("Preparing a shortlist"),
    "voting": lazy("Voting is open"),
    "selected": lazy("not watched yet"),
    "watched": lazy("watched"),
    "rated": lazy("watched"),
    "expired": lazy("No film was picked"),
}


class Meaning(Struct, frozen=True):
    """A ceiling in plain words."""

    name: str
    more: str


CEILINGS: Mapping[Ceiling, Meaning] = {
    "G": Meaning(lazy("For everyone"), lazy("Nothing that scares small children.")),
    "PG": Meaning(lazy("Parental guidance"), lazy("A scare or a rude word now and then.")),
    "PG-13": Meaning(lazy("From about age 13"), lazy("Tense, loud, sometimes sad.")),
    "R": Meaning(lazy("For adults"), lazy("Violence, strong language and the rest.")),
}

REGIONS: Mapping[str, tuple[str, ...]] = {
    lazy("Almost everywhere"): (
        "netflix", "disney_plus", "prime_video", "max", "apple_tv_plus", "paramount_plus", "mubi",
        "crunchyroll", "youtube", "google_play", "pluto_tv",
    ),
    lazy("North America"): (
        "hulu", "peacock", "starz", "criterion_channel", "shudder", "tubi", "kanopy", "crave",
    ),
    lazy("Britain and Ireland"): ("bbc_iplayer", "itvx", "channel_4", "now", "sky_go"),
    lazy("The rest of Europe"): (
        "arte", "ard_mediathek", "zdf", "wow", "rtl_plus", "joyn", "canal_plus", "france_tv",
        "rai_play", "movistar_plus", "viaplay", "sky_showtime",
    ),
    lazy("Elsewhere"): ("stan", "jio_hotstar", "globoplay", "u_next"),
}  # fmt: skip
"""Streaming services by where most of their viewers live."""


@once_per_language
def reason(code: str) -> str | None:
    """Why a film is here; None where a later version had a reason that is not known here."""
    kind, _separator, about = code.partition("#")
    match kind:
        case "everyone_likes":
            return _("Everyone likes %(genre)s") % {"genre": _within(genre_name(about))}
        case "liked":
            return _("For those who like %(genre)s") % {"genre": _within(genre_name(about))}
        case "on":
            service = SERVICES.get(about)
            return _("On %(service)s") % {"service": about if service is None else service.name}
    plain = {
        "highly_rated": _("Highly rated"),
        "well_known": _("Well known"),
        "wished": _("From the wish list"),
        "on_shelf": _("On a shelf"),
        "from_list": _("From a list"),
    }
    return plain.get(kind)


def relaxed(constraints: Sequence[str]) -> str | None:
    """Returns what was given up to find enough films; None where nothing was."""
    widened = {
        "genres": _("in other genres"),
        "votes": _("for lesser-known films"),
        "year": _("back to 1960"),
    }
    ways = [text for code, text in widened.items() if code in constraints]
    if not ways:
        return None
    told = _("Few films suit everyone here, so we also looked %(ways)s.")
    return told % {"ways": join_names(ways)}


def standing(results: Sequence[FilmStanding], titles: Mapping[int, str]) -> str:
    """Returns how a vote stands, ties included."""
    if not any(one.up or one.down for one in results):
        return _("No votes yet.")
    first = front_runners(results)
    if first[0].net <= 0:
        return _("No film has more votes for it than against it.")
    names = join_names([titles[one.tmdb_movie_id] for one in first])
    if len(first) > 1:
        return _("It’s a tie: %(films)s.") % {"films": names}
    return _("%(film)s is ahead.") % {"film": names}


def progress(voted: int, attendees: int) -> str:
    """Returns how many have voted."""
    if voted == 0:
        return _("No votes yet.")
    if voted == attendees:
        return _("Everyone has voted.")
    return _("%(voted)d of %(attendees)d have voted.") % {"voted": voted, "attendees": attendees}


def who_picks(names: Sequence[str]) -> str:
    """Returns which of one or two people may pick the film."""
    if len(names) == 2:
        return _("%(name)s or %(other)s picks the film.") % {"name": names[0], "other": names[1]}
    return _("%(name)s picks the film.") % {"name": names[0]} if names else ""


def secrecy(*, is_open: bool) -> str:
    """Returns who sees how a member votes."""
    if is_open:
        return _("Everyone sees who votes for what.")
    return _("Your votes are secret until a film is picked.")


def rated(said: Sequence[tuple[str, Liked | None]]) -> str:
    """Returns how those who watched liked it, by name."""
    names: dict[Liked | None, list[str]] = {}
    for name, rating in said:
        names.setdefault(rating, []).append(name)
    told: dict[Liked | None, str] = {
        "loved": _("%(names)s loved it."),
        "liked": _("%(names)s liked it."),
        "did_not_like": _("%(names)s did not like it."),
        None: _("Not rated yet: %(names)s."),
    }
    return " ".join(
        text % {"names": join_names(names[rating])}
        for rating, text in told.items()
        if rating in names
    )


WEEK_DAYS = 7
"""A weekday alone says which day is meant for less than a week ahead."""


class EveningWords(Struct, frozen=True):
    """What an evening’s film, vote and shortlist are called."""

    film: str
    vote: str
    shortlist: str


def evening_words(round_: Round, now: float, reader: User) -> EveningWords:
    """Tonight's, unless a plan that is on another day carries the round."""
    today = datetime.fromtimestamp(now, zone_of(reader)).date()
    day = None if round_.plan_day is None else date.fromisoformat(round_.plan_day)
    if round_.plan_id is None or day == today:
        return EveningWords(
            _("Tonight’s film"), _("Vote for tonight’s film"), _("Tonight’s shortlist")
        )
    if day is None:
        return EveningWords(_("The film"), _("Vote for the film"), _("The shortlist"))
    if 0 < (day - today).days < WEEK_DAYS:
        weekday = {"weekday": _(WEEKDAYS[day.weekday()])}
        return EveningWords(
            _("%(weekday)s’s film") % weekday,
            _("Vote for %(weekday)s’s film") % weekday,
            _("%(weekday)s’s shortlist") % weekday,
        )
    dated = {"day": month_day(day, today)}
    return EveningWords(
        _("The film for %(day)s") % dated,
        _("Vote for the film for %(day)s") % dated,
        _("The shortlist for %(day)s") % dated,
    )


def _within(name: str) -> str:
    """Returns a genre's name within a sentence; what is all capitals stays so."""
    return " ".join(word if word.isupper() else word.lower() for word in name.split())
