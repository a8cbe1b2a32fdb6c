"""Films and shows among results."""

from __future__ import annotations

from commonroom.catalog.posters import drawing_of
from commonroom.catalog.search_documents import FILMS, SHOWS
from commonroom.catalog.titles import ContentType
from commonroom.search.documents import Document
from commonroom.web.search.kinds import Card, Found, SearchKind
from commonroom.web.words import _, later

MOST_GENRES = 3
PICTURE = "search/pictures/title.html"


def film_card(found: Found) -> Card:
    """A film with its year, its genres and its poster."""
    return _card(found.document, "MOVIE")


def show_card(found: Found) -> Card:
    """A show, the same."""
    return _card(found.document, "SHOW")


def _card(document: Document, content_type: ContentType) -> Card:
    genres = ", ".join(_(genre) for genre in document.genres[:MOST_GENRES])
    year = "" if document.year is None else str(document.year)
    line = " · ".join(part for part in (year, genres) if part)
    drawing = drawing_of(document.title, content_type)
    return Card(line, drawing, f"{document.kind}-{document.id}")


TITLE_KINDS = (
    SearchKind(searchable=FILMS, name=later("Films"), picture=PICTURE, card=film_card),
    SearchKind(searchable=SHOWS, name=later("Shows"), picture=PICTURE, card=show_card),
)
