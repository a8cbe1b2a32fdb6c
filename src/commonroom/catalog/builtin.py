"""The built-in catalogue: films that come with Commonroom, a file per decade, found by title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, islice

import msgspec
from msgspec import Struct

from commonroom.catalog.films import (
    GENRE_IDS,
    Certification,
    Film,
    FilmFilter,
    SearchResult,
    fits,
    passes,
)

MOST_FILMS = 200
_LONGEST_TEXT = 100
_MOST_WORDS = 8
_LIKENESS = 0.8
"""Two letters swapped in a word of five are still alike; less would take "moana" for "man"."""
_MOST_ALIKE = 20
_FEW = 3
_ARTICLES = frozenset({"a", "an", "the"})
_APOSTROPHE = re.compile("['’]")
_WORD = re.compile(r"[^\W_]+")


class Fact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A film as it is written down, for people to read and mend."""

    title: str
    year: int
    id: int
    """TMDB's."""
    imdb: str
    certification: Certification | None = None
    """Left out where a film was never rated in the United States."""
    runtime: int
    genres: list[str]
    """By name, the most fitting one first."""
    directors: list[str]
    cast: list[str]
    fame: int
    """Out of a hundred, as we see it: a higher one is suggested earlier."""
    rating: float
    """Out of ten, to the half point, as we see it."""
    overview: str


def written_facts() -> list[Fact]:
    """Every film as it is written down, by decade."""
    folder = files("commonroom.catalog") / "builtin_films"
    decades = sorted(folder.iterdir(), key=lambda decade: decade.name)
    return list(chain.from_iterable(_read(decade.read_bytes()) for decade in decades))


@cache
def known_films() -> tuple[Film, ...]:
    """Every film of the catalogue, the most popular first; of equal fame the lower id."""
    ranked = sorted(written_facts(), key=lambda fact: (-fact.fame, fact.id))
    return tuple(_film(fact, len(ranked) - rank) for rank, fact in enumerate(ranked))


def _read(decade: bytes) -> list[Fact]:
    return msgspec.json.decode(decade, type=list[Fact])


def _film(fact: Fact, popularity: int) -> Film:
    return Film(
        tmdb_movie_id=fact.id,
        title=fact.title,
        year=fact.year,
        genres=tuple(GENRE_IDS[name] for name in fact.genres),
        runtime=fact.runtime,
        certification=fact.certification,
        directors=tuple(fact.directors),
        cast=tuple(fact.cast),
        popularity=popularity,
        vote_average=fact.rating,
        overview=fact.overview,
        imdb_id=fact.imdb,
    )


class Catalogue:
    """Films that are always there; read when somebody first asks for one."""

    knows_services = False

    async def discover(self, wanted: FilmFilter, without: Collection[int] = ()) -> list[Film]:
        """Films that fit, most popular first; at most 200, none of those that are left out."""
        left_out = frozenset(without)
        fitting = (
            film
            for film in known_films()
            if film.tmdb_movie_id not in left_out
            and fits(film, wanted)
            and passes(film.certification, wanted.ceiling)
        )
        return list(islice(fitting, MOST_FILMS))

    async def film(self, tmdb_movie_id: int) -> Film | None:
        """One film with all that is known of it."""
        return self._by_id.get(tmdb_movie_id)

    async def search(self, text: str, limit: int = 20) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        return self._titles.resembling(text)[: max(0, min(limit, MOST_FILMS))]

    async def search_result(self, text: str, limit: int = 20) -> SearchResult:
        """The same, and that the catalogue says so."""
        return SearchResult(await self.search(text, limit), "catalogue")

    async def close(self) -> None:
        """There is nothing to let go of."""

    @cached_property
    def _by_id(self) -> dict[int, Film]:
        return {film.tmdb_movie_id: film for film in known_films()}

    @cached_property
    def _titles(self) -> Titles:
        return Titles(known_films())


class _Title(Struct, frozen=True):
    film: Film
    words: tuple[str, ...]
    squashed: str
    """Without articles and spaces, so that "spiderman" finds Spider-Man."""


class Titles:
    """The titles of films; those that come first win where two are equally likely."""

    def __init__(self, films: Iterable[Film]) -> None:
        self._titles = [_taken_apart(film) for film in films]
        self._words = sorted({word for title in self._titles for word in title.words})

    def resembling(self, text: str) -> list[Film]:
        """Films whose title resembles a text, the likeliest first."""
        words = _telling(_words_of(text[:_LONGEST_TEXT])[:_MOST_WORDS])
        if not words:
            return []
        found = self._with(words)
        if len(found) < _FEW:
            found += [title for title in self._with_slips(words) if title not in found]
        return [title.film for title in found]

    def _with(self, words: tuple[str, ...]) -> list[_Title]:
        """Titles that are the text, then those that begin with it, then those with all words."""
        squashed = "".join(words)
        same, beginning, having = [], [], []
        for title in self._titles:
            if title.squashed == squashed:
                same.append(title)
            elif title.squashed.startswith(squashed):
                beginning.append(title)
            elif all(_begins_a_word(word, title) for word in words):
                having.append(title)
        return same + beginning + having

    def _with_slips(self, words: tuple[str, ...]) -> list[_Title]:
        """Titles with a word like each of these, or else titles that are alike as a whole."""
        likes = [self._alike(word) for word in words]
        found = [title for title in self._titles if all(like & {*title.words} for like in likes)]
        if found:
            return found
        whole = _closest("".join(words), [title.squashed for title in self._titles])
        return sorted(
            (title for title in self._titles if title.squashed in whole),
            key=lambda title: whole.index(title.squashed),
        )

    def _alike(self, word: str) -> set[str]:
        """Words of titles that somebody may have meant."""
        return {*_closest(word, self._words)} | {w for w in self._words if w.startswith(word)}


def _taken_apart(film: Film) -> _Title:
    words = _words_of(film.title)
    return _Title(film, words, "".join(_telling(words)))


def _words_of(text: str) -> tuple[str, ...]:
    """Its letters and digits in lower case, without accents."""
    apart = unicodedata.normalize("NFKD", text.replace("&", " and ")).casefold()
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return tuple(_WORD.findall(_APOSTROPHE.sub("", bare)))


def _telling(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without articles, which tell no title from another; all if there are no others."""
    return tuple(word for word in words if word not in _ARTICLES) or words


def _begins_a_word(beginning: str, title: _Title) -> bool:
    return any(word.startswith(beginning) for word in title.words)


def _closest(word: str, among: list[str]) -> list[str]:
    return get_close_matches(word, among, _MOST_ALIKE, _LIKENESS)
