"""Where films of a round can come from besides the catalogue: shelves and lists, declared by rooms.

Movie night asks for them and knows neither the library nor watchlists; the room that has a shelf or
a list decides, each time, what of it the caller may know. Wishes and lists go both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.http.request import Request
    from commonroom.titles.films import NamedFilm
    from commonroom.titles.titles import TitleFacts, TitleId


class FilmAtHand(Struct, frozen=True):
    """A film on a shelf, as the caller may know of it."""

    is_there: bool
    """Whether it can be watched now: what is lent cannot."""
    text: str
    """Where it is, in words, such as “Lent to Tom”."""


class FilmAvailability(Struct, frozen=True):
    """Films that need no streaming service: what a room has on shelves."""

    find: Callable[
        [Request, Sequence[TitleFacts]], Coroutine[Any, Any, Mapping[TitleId, FilmAtHand]]
    ]
    """Which of these films the caller has at hand; many at once."""
    films: Callable[[Request], Coroutine[Any, Any, Sequence[NamedFilm]]]
    """All that are on their shelves."""


class FilmSuggestions(Struct, frozen=True):
    """Films that people have put on lists."""

    films: Callable[[Request, Sequence[str]], Coroutine[Any, Any, Sequence[NamedFilm]]]
    """Some from lists of these people that the caller may read; each names its list."""
    reasons: Callable[[Request, Sequence[str]], Coroutine[Any, Any, Mapping[str, str]]]
    """Whose list each of these is, in words; nothing of those that the caller may not read."""


class WishesAdded(Struct, frozen=True):
    """What became of films that were to be wished for."""

    address: str
    """The wish list."""
    flash: str
    """What is said there."""


class WishList(Struct, frozen=True):
    """A household's wish list, which takes films that stand elsewhere."""

    is_offered: Callable[[Request], bool]
    """Whether the caller has one; no request."""
    add: Callable[[Request, Sequence[int]], Coroutine[Any, Any, WishesAdded]]
    """Adds films by TMDB's number, in this order, as far as there is room for them."""


class FilmSourceListDraft(Struct, frozen=True):
    """A list to be made."""

    form_id: str
    """Asked for twice with the same, it is one list."""
    title: str
    titles: Sequence[TitleId]


class ListMaker(Struct, frozen=True):
    """A room that keeps lists of films for people."""

    make: Callable[[Request, FilmSourceListDraft], Coroutine[Any, Any, str]]
    """Makes a private list of the caller; returns its address."""
