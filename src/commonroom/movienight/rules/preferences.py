"""What members like and may see: ceilings, which only the people who may ever raise, and tastes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar, get_args

from msgspec import Struct

from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import InvalidField, Refusal
from commonroom.movienight.tables import Preferences
from commonroom.titles import films
from commonroom.titles.films import CERTIFICATIONS
from commonroom.titles.genres import GENRES
from commonroom.titles.titles import Certification

CEILINGS: tuple[Ceiling, ...] = get_args(Ceiling)
HIGHEST: Ceiling = CEILINGS[-1]
MIN_LIKES, MAX_GENRES = 2, 20
MIN_TASTES = 2
"""How many of those who watch must have said what they like, unless they are fewer."""


def strictest(ceilings: Iterable[Ceiling]) -> Ceiling:
    """Returns the lowest of them; the highest there is where none is given."""
    return min(ceilings, key=CEILINGS.index, default=HIGHEST)


def ceiling_of(member: User, preferences: Preferences | None) -> Ceiling:
    """Returns what one member may see: the stricter of what they chose and what was set for them.

    What was set for a member counts also where that member never chose anything.
    """
    chosen = None if preferences is None else preferences.max_content_rating
    return strictest(one for one in (chosen, member.content_rating_ceiling) if one is not None)


def passes(certification: Certification | str | None, ceiling: Ceiling) -> bool:
    """Whether a film may be shown under a ceiling; one of unknown certification only under R."""
    known = next((one for one in CERTIFICATIONS if one == certification), None)
    return (known is not None or certification is None) and films.passes(known, ceiling)


def raises(before: Ceiling | None, after: Ceiling | None) -> bool:
    """Returns whether a change lets a member see more than before."""
    return _height(after) > _height(before)


def _height(ceiling: Ceiling | None) -> int:
    return len(CEILINGS) if ceiling is None else CEILINGS.index(ceiling)


class TastesMissing(Refusal):
    """Too few of those who watch have said what they like."""

    status: ClassVar[int] = 422
    title = "Tastes not set"


class Attendee(Struct, frozen=True):
    """A person who watches tonight, and what they chose, if they did."""

    member: User
    preferences: Preferences | None


class Taste(Struct, frozen=True):
    """What those who watch like together."""

    likes: frozenset[str]
    """Whatever anybody likes."""
    excluded: frozenset[str]
    """Only what everybody dislikes."""
    ceiling: Ceiling
    """The strictest of all."""
    shared: frozenset[str] = frozenset()
    """What everybody likes who said what they like."""


def taste_of(attendees: Collection[Attendee]) -> Taste:
    """Returns the taste of a company; the order of its members never matters."""
    chosen = [one.preferences for one in attendees if one.preferences is not None]
    dislikes = [
        frozenset(() if one.preferences is None else one.preferences.genre_dislikes)
        for one in attendees
    ]
    likes = [frozenset(one.genre_likes) for one in chosen]
    return Taste(
        likes=frozenset().union(*likes),
        excluded=_in_all(dislikes),
        ceiling=strictest(ceiling_of(one.member, one.preferences) for one in attendees),
        shared=_in_all(likes),
    )


def check_enough_tastes(attendees: Sequence[Attendee]) -> None:
    """Refuses where fewer than two have said what they like; a person alone needs to as well."""
    missing = [one.member for one in attendees if one.preferences is None]
    if len(attendees) - len(missing) >= min(MIN_TASTES, len(attendees)):
        return
    names = _listed(sorted(one.display_name for one in missing))
    raise TastesMissing(
        f"Before films can be suggested, {names} need to set their tastes.",
        missing=[one.user_id for one in missing],
    )


def clean_genres(likes: Sequence[str], dislikes: Sequence[str]) -> tuple[list[str], list[str]]:
    """Liked and disliked genres as they are kept: known ones, each once, none in both."""
    liked, disliked = list(dict.fromkeys(likes)), list(dict.fromkeys(dislikes))
    if len(liked) < MIN_LIKES:
        raise InvalidField("genre_likes", f"Choose at least {MIN_LIKES} genres you like.")
    for field, chosen in (("genre_likes", liked), ("genre_dislikes", disliked)):
        if len(chosen) > MAX_GENRES:
            raise InvalidField(field, f"Choose at most {MAX_GENRES} genres.")
        if any(one not in GENRES for one in chosen):
            raise InvalidField(field, "Choose genres from the list.")
    if set(liked) & set(disliked):
        raise InvalidField("genre_dislikes", "A genre cannot be both liked and disliked.")
    return liked, disliked


def _in_all(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    given = list(sets)
    return frozenset.intersection(*given) if given else frozenset()


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
