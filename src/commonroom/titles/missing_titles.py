"""Titles that people add because nobody knows them here: by name and year, or by a link."""

from __future__ import annotations

import re
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.texts import clean_line
from commonroom.titles.title_fields import TitleDraft, check_draft
from commonroom.titles.title_links import TitleLink, read_link
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType, TitleFacts

_WITH_YEAR = re.compile(r"(.*\S)\s*(?:\((\d{4})\)|\s(\d{4}))")
FIRST_YEAR, LAST_YEAR = 1880, 2040
"""What is beyond these belongs to a title, such as that of Blade Runner 2049."""


class MissingTitle(Struct, frozen=True, kw_only=True):
    """A title as a person types it who does not find it."""

    content_type: ContentType = "MOVIE"
    title: str = ""
    year: int | None = None
    link: str = ""
    """To IMDb or TMDB, or an id of theirs."""

    @property
    def known_by(self) -> TitleLink | None:
        """What its link names, which may stand where the title should."""
        typed = self.link.strip() or self.title
        found = read_link(typed)
        if found is None and self.link.strip():
            raise InvalidField("link", "Paste a link to IMDb or TMDB, or an ID such as tt0113277.")
        return found

    def facts(self) -> TitleFacts:
        """Returns what is kept of it; the same title typed twice has the same id."""
        link = self.known_by or TitleLink()
        if link.alias and (not self.title.strip() or read_link(self.title) is not None):
            raise InvalidField("title", "Nothing is known of this link here. Enter a title, too.")
        kind = link.content_type or self.content_type
        name = f"urn:title:{kind}:{squashed(self.title)}:{self.year or ''}:{link.alias}"
        draft = TitleDraft(
            title=self.title, year=self.year, imdb_id=link.imdb_id, tmdb_id=link.tmdb_id
        )
        return check_draft(kind, str(uuid5(NAMESPACE_URL, name)), draft)

    def is_same(self, known: TitleFacts) -> bool:
        """Whether a title that is known is the one that was typed: two ids are never one title."""
        mine = self.facts()
        ids = ((mine.imdb_id, known.imdb_id), (mine.tmdb_id, known.tmdb_id))
        return (
            mine.content_type == known.content_type
            and squashed(mine.title) == squashed(known.title)
            and mine.year == known.year
            and all(one is None or other is None or one == other for one, other in ids)
        )


def read_missing(text: str) -> MissingTitle:
    """Reads a search text as the title that the person may want to add."""
    line = clean_line(text)
    if read_link(line) is not None:
        return MissingTitle(link=line)
    found = _WITH_YEAR.fullmatch(line)
    year = int(found[2] or found[3]) if found else 0
    if found is None or not FIRST_YEAR <= year <= LAST_YEAR:
        return MissingTitle(title=line)
    return MissingTitle(title=found[1], year=year)
