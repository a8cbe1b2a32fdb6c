"""Films and shows in the reader's words: genres, lengths, a line of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.http.times import runtime
from commonroom.http.words import _, lazy, once_per_language, pluralize
from commonroom.titles.genres import genre_named
from commonroom.titles.titles import ContentType

GENRES: Mapping[str, str] = {
    "28": lazy("Action"),
    "12": lazy("Adventure"),
    "16": lazy("Animation"),
    "35": lazy("Comedy"),
    "80": lazy("Crime"),
    "99": lazy("Documentary"),
    "18": lazy("Drama"),
    "10751": lazy("Family"),
    "14": lazy("Fantasy"),
    "36": lazy("History"),
    "27": lazy("Horror"),
    "10402": lazy("Music"),
    "9648": lazy("Mystery"),
    "10749": lazy("Romance"),
    "878": lazy("Science Fiction"),
    "10770": lazy("TV Movie"),
    "53": lazy("Thriller"),
    "10752": lazy("War"),
    "37": lazy("Western"),
    "10763": lazy("News"),
    "10764": lazy("Reality"),
    "10767": lazy("Talk"),
    "10768": lazy("War & Politics"),
}
"""By TMDB's id; translated when they are shown."""


@once_per_language
def genre_name(genre: str) -> str:
    """Returns what a genre is called, by its id or its English name."""
    return _(GENRES.get(genre_named(genre) or genre, genre))


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
