"""Ids and links of titles at IMDb and TMDB, as people paste them."""

from __future__ import annotations

import re

from msgspec import Struct

from commonroom.titles.titles import ContentType

TMDB_KINDS: dict[str, ContentType] = {"movie": "MOVIE", "tv": "SHOW"}
KIND_WORDS = {kind: word for word, kind in TMDB_KINDS.items()}

# With or without the scheme, a language, or a name behind the number.
_IMDB = re.compile(
    r"(?:(?:https?://)?(?:www\.|m\.)?imdb\.com/(?:[a-z-]{2,5}/)?title/)?(tt\d{7,10})"
)
_TMDB = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:themoviedb|tmdb)\.org/|tmdb[ :/]*)"
    r"(movie|tv)[ :/]*([1-9]\d{0,9})"
)
_MORE = re.compile(r"\W|$")


class TitleLink(Struct, frozen=True):
    """A title by another service's number: IMDb's, or TMDB's with what kind it is of."""

    imdb_id: str | None = None
    tmdb_id: int | None = None
    content_type: ContentType | None = None

    @property
    def alias(self) -> str:
        """What search knows the title by."""
        if self.tmdb_id is not None and self.content_type is not None:
            return tmdb_alias(self.content_type, self.tmdb_id)
        return self.imdb_id or ""


def tmdb_alias(content_type: ContentType, tmdb_id: int) -> str:
    """Returns a TMDB number as one word, since films and shows have the same numbers."""
    return f"tmdb{KIND_WORDS[content_type]}{tmdb_id}"


def read_link(text: str) -> TitleLink | None:
    """The title that a text links to or names by its id; None where it is any other text."""
    plain = text.strip().lower()
    if (found := _match(_IMDB, plain)) is not None:
        return TitleLink(imdb_id=found[1])
    if (found := _match(_TMDB, plain)) is not None:
        return TitleLink(tmdb_id=int(found[2]), content_type=TMDB_KINDS[found[1]])
    return None


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """A match at the beginning of a text, behind which a link may go on but not the number."""
    found = pattern.match(text)
    return found if found is not None and _MORE.match(text, found.end()) else None
