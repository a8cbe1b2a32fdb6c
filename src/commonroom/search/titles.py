"""Films and shows among results."""

from __future__ import annotations

from commonroom.http.words import _, lazy
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.search.documents import Document
from commonroom.titles.posters import drawing_of
from commonroom.titles.search_documents import FILMS, SHOWS
from commonroom.titles.titles import ContentType

MAX_GENRES = 3
PICTURE = "search/pictures/title.html"


def film_card(found: SearchHit) -> ResultCard:
    """Returns a film with its year, its genres and its poster."""
    return _card(found.document, "MOVIE")


def show_card(found: SearchHit) -> ResultCard:
    """Returns a show with its year, its genres and its poster."""
    return _card(found.document, "SHOW")


def _card(document: Document, content_type: ContentType) -> ResultCard:
    genres = ", ".join(_(genre) for genre in document.genres[:MAX_GENRES])
    year = "" if document.year is None else str(document.year)
    line = " · ".join(part for part in (year, genres) if part)
    drawing = drawing_of(document.title, content_type)
    return ResultCard(line, drawing, f"{document.kind}-{document.id}")


TITLE_KINDS = (
    SearchKind(searchable=FILMS, name=lazy("Films"), picture=PICTURE, card=film_card),
    SearchKind(searchable=SHOWS, name=lazy("Shows"), picture=PICTURE, card=show_card),
)
