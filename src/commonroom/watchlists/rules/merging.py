"""Decisions about merging two titles that are one: which may be, and what becomes of opinions."""

from __future__ import annotations

from typing import Any

from commonroom.errors import Conflict
from commonroom.titles.stored_titles import Stored, id_of
from commonroom.titles.title_fields import MAX_OTHER_TITLES
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import MAX_NOTE
from commonroom.watchlists.rules.seen import days_of
from commonroom.watchlists.tables import Rating, Seen


def check_source(of: TitleId) -> None:
    """That a title may go: one that a source knows would be there again with the next look."""
    if of.tmdb_id is not None:
        raise Conflict("A title that TMDB numbers stays. Merge the other one into it.")


def check_merge(source: Stored, target: Stored) -> None:
    """That one title may become the other; two ids are never one title."""
    of, to = id_of(source), id_of(target)
    if of == to:
        raise Conflict("These are the same title already.")
    if of.content_type != to.content_type:
        raise Conflict("A film and a show cannot be merged.")
    if target.is_unlisted:
        raise Conflict("Only whoever imported it knows the title to keep. Choose another one.")
    for name, mine, theirs in (
        ("IMDb", source.imdb_id, target.imdb_id),
        ("TMDB", source.tmdb_id, target.tmdb_id),
    ):
        if mine is not None and theirs is not None and mine != theirs:
            raise Conflict(
                f"These are different titles: their {name} IDs are {mine} and {theirs}. "
                "If one of them is wrong, correct it first."
            )


def merged_fields(source: Stored, target: Stored) -> dict[str, Any]:
    """What changes about the title that stays: ids that it lacks, and what else it is called."""
    names = [*target.other_titles, source.title, *source.other_titles]
    others = [name for name in dict.fromkeys(names) if name != target.title]
    after = {
        "imdb_id": target.imdb_id or source.imdb_id,
        "tmdb_id": target.tmdb_id or source.tmdb_id,
        "other_titles": others[:MAX_OTHER_TITLES],
    }
    return {name: value for name, value in after.items() if getattr(target, name) != value}


def merged_note(kept: str | None, gone: str | None) -> str | None:
    """Returns the note of a title that stood on a list twice: both, where they fit."""
    if not kept or not gone or kept == gone:
        return kept or gone
    both = f"{kept}\n\n{gone}"
    return both if len(both) <= MAX_NOTE else kept


def merged_rating(moved: Rating, there: Rating | None) -> Rating:
    """Returns the merged opinion of a person who had two: the later one, completed by the other."""
    if there is None:
        return moved
    first, later = sorted((moved, there), key=lambda one: one.rated_at)
    return Rating(
        user_id=there.user_id,
        **TitleId.of(there).key,
        rating=first.rating if later.rating is None else later.rating,
        review=later.review or first.review,
        rated_at=later.rated_at,
        version=there.version + 1,
    )


def merged_mark(moved: Seen, there: Seen | None) -> dict[str, Any]:
    """Returns what a mark says that was made for both titles."""
    marks = [moved] if there is None else [there, moved]
    dismissed = list(dict.fromkeys(name for one in marks for name in one.dismissed))
    evenings = {name: at for one in reversed(marks) for name, at in one.evenings.items()}
    owns = {one.own for one in marks}
    days = days_of(there).with_more(days_of(moved).all)
    return {
        "own": "hand" if "hand" in owns else "rating" if "rating" in owns else None,
        "marked_at": max(one.marked_at for one in marks),
        "evenings": {name: at for name, at in evenings.items() if name not in dismissed},
        "dismissed": dismissed,
        "seen_on": days.seen_on,
        "other_days": days.other_days,
    }
