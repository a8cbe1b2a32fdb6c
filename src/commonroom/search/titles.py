"""Films and shows among results."""

from __future__ import annotations

from commonroom.http.words import _, lazy
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.titles.posters import drawing_of
from commonroom.titles.search_documents import CONTENT_TYPES, FILMS, SHOWS

MAX_GENRES = 3
PICTURE = "search/pictures/title.html"


def title_card(found: SearchHit) -> ResultCard:
    """Returns a film or show with its year, its genres and its poster."""
    document = found.document
    genres = ", ".join(_(genre) for genre in document.genres[:MAX_GENRES])
    year = "" if document.year is None else str(document.year)
    line = " · ".join(part for part in (year, genres) if part)
    drawing = drawing_of(document.title, CONTENT_TYPES[document.kind])
    return ResultCard(line, drawing, f"{document.kind}-{document.id}")


TITLE_KINDS = (
    SearchKind(searchable=FILMS, name=lazy("Films"), picture=PICTURE, card=title_card),
    SearchKind(searchable=SHOWS, name=lazy("Shows"), picture=PICTURE, card=title_card),
)
