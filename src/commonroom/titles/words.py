"""Films and shows in the reader's words: genres, lengths, a line of facts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.http.times import runtime
from commonroom.http.words import _, once_per_language, pluralize
from commonroom.titles.genres import TITLE_GENRES, genre_named
from commonroom.titles.titles import ContentType


@once_per_language
def genre_name(genre: str) -> str:
    """Returns what a genre is called, by its id or its English name."""
    return _(TITLE_GENRES.get(genre_named(genre) or genre, genre))


def facts_line(
    content_type: ContentType,
    *,
    year: int | None = None,
    minutes: int | None = None,
    seasons: int | None = None,
    genres: Sequence[str] = (),
) -> str:
    """Returns what is said of a title in a line: year, length, genres, as far as they are known."""
    return _line(TitleLineFacts(content_type, year, minutes, seasons, tuple(genres[:2])))


class TitleLineFacts(Struct, frozen=True):
    """What a line is made of: codes and numbers of ours."""

    content_type: ContentType
    year: int | None
    minutes: int | None
    seasons: int | None
    genres: tuple[str, ...]


@once_per_language
def _line(facts: TitleLineFacts) -> str:
    minutes = facts.minutes
    length = (
        _seasons(facts.seasons) if facts.content_type == "SHOW" else minutes and runtime(minutes)
    )
    known = (
        facts.year and str(facts.year),
        length,
        ", ".join(genre_name(one) for one in facts.genres),
    )
    return " · ".join(fact for fact in known if fact)


def _seasons(number: int | None) -> str:
    if number is None:
        return _("Series")
    return pluralize("%(n)d season", "%(n)d seasons", number)
