"""What other rooms know of films: copies on shelves, and titles on lists, for the caller."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from commonroom.titles.films import Film, NamedFilm

FilmsFrom: TypeAlias = Literal["shelves", "lists"]
"""Where all films of a shortlist may have to come from."""
Copies: TypeAlias = Mapping[int, bool]
"""Films that a person has on a shelf, by number, and whether they are there now."""


async def _no_copies(films: Sequence[Film]) -> Copies:  # noqa: ARG001 - whichever they are
    return {}


async def _no_films() -> Sequence[NamedFilm]:
    return ()


async def _no_lists(people: Sequence[str]) -> Sequence[NamedFilm]:  # noqa: ARG001 - the person who it is
    return ()


class FilmSources(Struct, frozen=True):
    """Shelves and lists that the caller may know of; nothing where no room has any."""

    find_copies: Callable[[Sequence[Film]], Coroutine[Any, Any, Copies]] = _no_copies
    list_shelved: Callable[[], Coroutine[Any, Any, Sequence[NamedFilm]]] = _no_films
    list_listed: Callable[[Sequence[str]], Coroutine[Any, Any, Sequence[NamedFilm]]] = _no_lists
    """From lists of these people, and those that they follow."""


NO_SOURCES = FilmSources()
