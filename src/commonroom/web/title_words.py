"""Films and shows in the words of whoever reads: genres, lengths, a line of facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.catalog.genres import genre_named
from commonroom.catalog.titles import ContentType
from commonroom.web.times import runtime
from commonroom.web.words import _, counted, later, once_per_language

GENRES: Mapping[str, str] = {
    "28": later("Action"),
    "12": later("Adventure"),
    "16": later("Animation"),
    "35": later("Comedy"),
    "80": later("Crime"),
    "99": later("Documentary"),
    "18": later("Drama"),
    "10751": later("Family"),
    "14": later("Fantasy"),
    "36": later("History"),
    "27": later("Horror"),
    "10402": later("Music"),
    "9648": later("Mystery"),
    "10749": later("Romance"),
    "878": later("Science Fiction"),
    "10770": later("TV Movie"),
    "53": later("Thriller"),
    "10752": later("War"),
    "37": later("Western"),
    "10763": later("News"),
    "10764": later("Reality"),
    "10767": later("Talk"),
    "10768": later("War & Politics"),
}
"""By TMDB's id; translated when they are shown."""


@once_per_language
def genre_name(genre: str) -> str:
    """What a genre is called, by its id or its English name."""
    return _(GENRES.get(genre_named(genre) or genre, genre))


def facts_line(
    content_type: ContentType,
    *,
    year: int | None = None,
    minutes: int | None = None,
    seasons: int | None = None,
    genres: Sequence[str] = (),
) -> str:
    """What is said of a title in a line: year, length, genres, as far as they are known."""
    return _line(Facts(content_type, year, minutes, seasons, tuple(genres[:2])))


class Facts(Struct, frozen=True):
    """What a line is made of: codes and numbers of ours."""

    content_type: ContentType
    year: int | None
    minutes: int | None
    seasons: int | None
    genres: tuple[str, ...]


@once_per_language
def _line(facts: Facts) -> str:
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
    return counted("%(n)d season", "%(n)d seasons", number)
