"""What watchlists need where pages are served."""

from __future__ import annotations

from commonroom.joins.person_parts import PersonSource
from commonroom.joins.rooms import RoomServer
from commonroom.joins.title_marks import TitleMarkSource
from commonroom.watchlists import words
from commonroom.watchlists.api import watchlists_api
from commonroom.watchlists.joins.attachments import WATCHLIST
from commonroom.watchlists.joins.film_sources import FILM_SUGGESTIONS, LIST_MAKER
from commonroom.watchlists.joins.home import HOME
from commonroom.watchlists.joins.person_parts import person_parts
from commonroom.watchlists.joins.title_marks import load_marks
from commonroom.watchlists.joins.title_sections import TITLE_SECTIONS
from commonroom.watchlists.pages import watchlists_pages

SERVER = RoomServer(
    routers=lambda: [watchlists_api(), watchlists_pages()],
    flash_texts=words.FLASH_TEXTS,
    offers=(
        HOME,
        *TITLE_SECTIONS,
        TitleMarkSource(load_marks),
        PersonSource(person_parts),
        WATCHLIST,
        FILM_SUGGESTIONS,
        LIST_MAKER,
    ),
)
