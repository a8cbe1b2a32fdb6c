"""What administrators may write of a title: each field as it is kept, or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from commonroom.errors import FieldErrors, InvalidField
from commonroom.picture_addresses import picture_address
from commonroom.texts import fit_line, fit_lines
from commonroom.titles.genres import genre_named
from commonroom.titles.titles import Certification, ContentType, ShowStatus, TitleFacts

MAX_TITLE = 200
MAX_SYNOPSIS = 2000
MAX_NAME = 100
MAX_PEOPLE = 20
MAX_OTHER_TITLES = 10
MAX_GENRES = 6
FIRST_YEAR, LAST_YEAR = 1870, 2100
MAX_RUNTIME = 1000
MAX_SEASONS, MAX_EPISODES = 200, 20_000
MAX_TMDB_ID = 2**31 - 1
IMDB_ID = re.compile(r"tt\d{7,10}")

FOR_SHOWS = ("end_year", "seasons", "episodes", "status")
FOR_FILMS = ("runtime", "certification")


class TitleDraft(Struct, kw_only=True, frozen=True):
    """A title as an administrator writes it."""

    title: str
    other_titles: Sequence[str] = ()
    """What it is called besides: originally, or elsewhere."""
    year: int | None = None
    end_year: int | None = None
    genres: Sequence[str] = ()
    """By their English names."""
    runtime: int | None = None
    seasons: int | None = None
    episodes: int | None = None
    status: ShowStatus | None = None
    certification: Certification | None = None
    makers: Sequence[str] = ()
    cast: Sequence[str] = ()
    synopsis: str | None = None
    tmdb_id: int | None = None
    imdb_id: str | None = None
    poster_url: str | None = None
    """The address of a picture."""


def check_draft(content_type: ContentType, content_id: str, draft: TitleDraft) -> TitleFacts:
    """Returns the facts of a title; all that is wrong with them is said at once."""
    errors = FieldErrors()
    for field in FOR_SHOWS if content_type == "MOVIE" else FOR_FILMS:
        errors.check(_leave_out, field, getattr(draft, field))
    year = errors.check(_number, "year", draft.year, FIRST_YEAR, LAST_YEAR)
    facts = TitleFacts(
        content_type=content_type,
        content_id=content_id,
        title=errors.check(fit_line, "title", draft.title, MAX_TITLE, "Enter a title."),
        other_titles=errors.check(_other_titles, draft.other_titles),
        year=year,
        end_year=errors.check(_number, "end_year", draft.end_year, year or FIRST_YEAR, LAST_YEAR),
        genres=errors.check(_genres, draft.genres),
        runtime=errors.check(_number, "runtime", draft.runtime, 1, MAX_RUNTIME),
        seasons=errors.check(_number, "seasons", draft.seasons, 1, MAX_SEASONS),
        episodes=errors.check(_number, "episodes", draft.episodes, 1, MAX_EPISODES),
        status=draft.status,
        certification=draft.certification,
        makers=errors.check(_people, "makers", draft.makers),
        cast=errors.check(_people, "cast", draft.cast),
        overview=errors.check(fit_lines, "synopsis", draft.synopsis, MAX_SYNOPSIS),
        tmdb_id=errors.check(_number, "tmdb_id", draft.tmdb_id, 1, MAX_TMDB_ID),
        imdb_id=errors.check(_imdb_id, draft.imdb_id),
        poster_url=errors.check(picture_address, "poster_url", draft.poster_url),
    )
    errors.check(_end, draft)
    errors.raise_if_any()
    return facts


def _leave_out(field: str, value: object) -> None:
    if value is not None:
        raise InvalidField(field, "Leave this out: it is for another kind of title.")


def _number(field: str, value: int | None, least: int, most: int) -> int | None:
    if value is not None and not least <= value <= most:
        raise InvalidField(field, f"Enter a number from {least} to {most}.")
    return value


def _genres(names: Sequence[str]) -> tuple[str, ...]:
    found = [genre_named(name) for name in names]
    known = tuple(dict.fromkeys(genre for genre in found if genre is not None))
    if None in found or len(known) > MAX_GENRES:
        raise InvalidField("genres", f"Choose up to {MAX_GENRES} of the genres there are.")
    return known


def _people(field: str, names: Sequence[str]) -> tuple[str, ...]:
    if len(names) > MAX_PEOPLE:
        raise InvalidField(field, f"Enter at most {MAX_PEOPLE} names.")
    return tuple(dict.fromkeys(fit_line(field, name, MAX_NAME) for name in names))


def _other_titles(titles: Sequence[str]) -> tuple[str, ...]:
    if len(titles) > MAX_OTHER_TITLES:
        raise InvalidField("other_titles", f"Enter at most {MAX_OTHER_TITLES} other titles.")
    fitting = (fit_line("other_titles", title, MAX_TITLE) for title in titles)
    return tuple(dict.fromkeys(title for title in fitting if title))


def _imdb_id(text: str | None) -> str | None:
    if text and not IMDB_ID.fullmatch(text.strip()):
        raise InvalidField("imdb_id", "Enter an IMDb ID such as tt0903747.")
    return text.strip() if text else None


def _end(draft: TitleDraft) -> None:
    if draft.status == "ongoing" and draft.end_year is not None:
        raise InvalidField("end_year", "An ongoing show has no last year.")
