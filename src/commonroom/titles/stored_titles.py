"""Stored titles: what is kept of a film or show from its first use on, and who claims a TMDB id."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from msgspec.structs import replace

from commonroom.errors import Conflict
from commonroom.moments import is_future, iso, seconds
from commonroom.picture_addresses import is_picture_address
from commonroom.store import ConditionFailed, Ref, Retry, Store, Write, create, update
from commonroom.titles.genres import genre_named, genre_names
from commonroom.titles.tables import Movie, Show, TmdbClaim
from commonroom.titles.titles import TitleFacts, TitleId

Stored: TypeAlias = Movie | Show

POSTERS = "/posters"
retry = Retry(10, Conflict)


def title_ref(title: TitleId) -> Ref[Any]:
    """Returns where a title is stored."""
    if title.content_type == "MOVIE":
        return Movie.at(movie_id=title.content_id)
    return Show.at(show_id=title.content_id)


def id_of(stored: Stored) -> TitleId:
    """Returns which title is stored there."""
    if isinstance(stored, Movie):
        return TitleId("MOVIE", stored.movie_id)
    return TitleId("SHOW", stored.show_id)


async def load_title(store: Store, title: TitleId) -> Stored | None:
    """Loads a stored title: one request, or two where it was given a TMDB id later."""
    found = await _load(store, title)
    return None if found is None or found.removed_at is not None else found


async def load_or_revive(store: Store, title: TitleId) -> Stored | None:
    """Loads a stored title that is about to be used: an unused one is not deleted then."""
    found = await _load(store, title)
    if found is not None and found.is_unused:
        found = await _revive(store, found)
    return None if found is None or found.removed_at is not None else found


async def _revive(store: Store, found: Stored) -> Stored | None:
    with suppress(ConditionFailed):  # it is gone, or another request was quicker
        await store.write(update(found, removed_at=None, is_unused=False))
    now: Stored | None = await store.get(title_ref(id_of(found)))
    return now


@retry
async def store_title(
    store: Store,
    facts: TitleFacts,
    now: float,
    *,
    is_unlisted: bool = False,
    also: Sequence[Write] = (),
) -> Stored:
    """Stores a title with its claim; one that is stored already is returned as it is.

    Where a source tells of it anew, what is kept changes with it. `also` is written with a new one.
    """
    found = await _load(store, facts.id)
    if found is not None and found.is_unused:
        found = await _revive(store, found)
    if found is not None:
        return await _refresh(store, found, facts, now)
    made = replace(title_of(facts, now), is_unlisted=is_unlisted)
    await store.write(create(made), *claim_of(made), *also)
    return made


def claim_of(stored: Stored) -> list[Write]:
    """Returns what holds that one TMDB id is one title, written with it."""
    if stored.tmdb_id is None:
        return []
    of = id_of(stored)
    return [
        create(
            TmdbClaim(
                content_type=of.content_type, tmdb_id=stored.tmdb_id, content_id=of.content_id
            )
        )
    ]


def facts_of(stored: Stored) -> TitleFacts:
    """Returns the facts of a stored title."""
    of = id_of(stored)
    own, poster = own_poster(stored), stored.poster_url or ""
    known: dict[str, Any] = {
        "content_type": of.content_type,
        "content_id": of.content_id,
        "title": stored.title,
        "other_titles": tuple(stored.other_titles),
        "genres": tuple(genre for name in stored.genres if (genre := genre_named(name))),
        "cast": tuple(stored.cast),
        "popularity": stored.popularity,
        "vote_average": stored.source_rating,
        "vote_count": stored.source_votes,
        "poster_path": None if own else poster.removeprefix(POSTERS) or None,
        "poster_url": own,
        "overview": stored.synopsis,
        "tmdb_id": None if stored.tmdb_id is None else int(stored.tmdb_id),
        "imdb_id": stored.imdb_id,
    }
    if isinstance(stored, Movie):
        return TitleFacts(
            **known,
            year=stored.release_year,
            runtime=stored.runtime,
            certification=stored.certification,
            makers=tuple(stored.directors),
        )
    return TitleFacts(
        **known,
        year=stored.start_year,
        end_year=stored.end_year,
        seasons=stored.number_of_seasons,
        episodes=stored.number_of_episodes,
        status=stored.status,
        makers=tuple(stored.creators),
    )


def own_poster(stored: Stored) -> str | None:
    """The address of the picture that an administrator entered as its poster, if one did."""
    return stored.poster_url if is_picture_address(stored.poster_url) else None


def title_of(facts: TitleFacts, now: float, made_by: str | None = None) -> Stored:
    """Returns what is stored of facts."""
    when: dict[str, Any] = {"created_at": iso(now), "updated_at": iso(now), "made_by": made_by}
    if facts.content_type == "MOVIE":
        return Movie(movie_id=facts.content_id, **stored_fields(facts), **when)
    return Show(show_id=facts.content_id, **stored_fields(facts), **when)


def stored_fields(facts: TitleFacts) -> dict[str, Any]:
    """Facts by the names under which they are stored."""
    common = {
        "title": facts.title,
        "other_titles": list(facts.other_titles),
        "genres": genre_names(facts.genres),
        "cast": list(facts.cast),
        "synopsis": facts.overview,
        "poster_url": facts.poster_url or (facts.poster_path and f"{POSTERS}{facts.poster_path}"),
        "tmdb_id": None if facts.tmdb_id is None else str(facts.tmdb_id),
        "imdb_id": facts.imdb_id,
        "source_rating": facts.vote_average,
        "source_votes": facts.vote_count,
        "popularity": facts.popularity,
    }
    if facts.content_type == "MOVIE":
        return common | {
            "release_year": facts.year,
            "directors": list(facts.makers),
            "runtime": facts.runtime,
            "certification": facts.certification,
        }
    return common | {
        "start_year": facts.year,
        "end_year": facts.end_year,
        "creators": list(facts.makers),
        "number_of_seasons": facts.seasons,
        "number_of_episodes": facts.episodes,
        "status": facts.status,
    }


async def _load(store: Store, title: TitleId) -> Stored | None:
    """Returns a title under its own id or TMDB's, or the one that it was merged into."""
    found = await _load_own(store, title)
    for _ in range(MAX_MERGES):
        if found is None or found.merged_into is None:
            break
        found = await store.get(title_ref(TitleId(title.content_type, found.merged_into)))
    return found


MAX_MERGES = 10
"""How many merges, one after the other, are followed."""


async def _load_own(store: Store, title: TitleId) -> Stored | None:
    """A title under its own id, or the one that claims the TMDB id by which it was asked for."""
    if title.tmdb_id is None:
        return await store.get(title_ref(title))
    claim = TmdbClaim.at(content_type=title.content_type, tmdb_id=title.content_id)
    found, claimed = await store.batch_get([title_ref(title), claim])
    if found is None and claimed is not None:
        return await store.get(title_ref(TitleId(title.content_type, claimed.content_id)))
    return found


STALE_SECONDS = 30 * 24 * 3600
"""After how long TMDB is asked again what it knows of a title in use."""


def is_stale(stored: Stored, now: float) -> bool:
    """Whether a source may know better by now; what an administrator wrote stays."""
    if stored.made_by is not None or stored.tmdb_id is None:
        return False
    told_at = seconds(stored.told_at or stored.updated_at)
    return now - told_at > STALE_SECONDS or is_future(told_at, now)


SHOWN_ELSEWHERE = frozenset(
    {
        *(
            "title",
            "other_titles",
            "genres",
            "poster_url",
            "release_year",
            "start_year",
            "end_year",
        ),
        *("runtime", "number_of_seasons", "number_of_episodes", "status", "imdb_id"),
        "is_unlisted",
    }
)
"""What must change for a stored title to be written anew; votes change all the time."""


async def _refresh(store: Store, found: Stored, facts: TitleFacts, now: float) -> Stored:
    """Returns a stored title as a source tells of it now, where that is worth a write."""
    if found.removed_at is not None:
        raise Conflict("This title is being removed. Please try again in a minute.")
    is_told_by_tmdb = facts.vote_count is not None
    if found.made_by is not None or not is_told_by_tmdb:
        return found
    changes = {
        name: value for name, value in stored_fields(facts).items() if getattr(found, name) != value
    }
    if found.is_unlisted:
        changes["is_unlisted"] = False  # no longer is it a file alone that tells of it
    if SHOWN_ELSEWHERE & changes.keys():
        changes["updated_at"] = iso(now)
    elif is_stale(found, now):
        changes = {}
    else:
        return found
    try:
        await store.write(update(found, **changes, told_at=iso(now)))
    except ConditionFailed:
        return found  # it has just been changed otherwise
    return await store.get(found.ref) or found
