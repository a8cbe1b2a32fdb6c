"""What the library needs where pages are served."""

from __future__ import annotations

from commonroom.joins.bring_along import BringAlongSource
from commonroom.joins.person_parts import PersonSource
from commonroom.joins.rooms import RoomServer
from commonroom.joins.title_marks import TitleMarkSource
from commonroom.joins.title_sections import KeptTitleSource
from commonroom.library import words
from commonroom.library.api import library_api
from commonroom.library.joins.bring_along import things_between
from commonroom.library.joins.film_sources import FILM_AVAILABILITY
from commonroom.library.joins.home import HOME
from commonroom.library.joins.person_parts import person_parts
from commonroom.library.joins.search_source import SOURCE
from commonroom.library.joins.title_marks import load_marks
from commonroom.library.joins.title_sections import TITLE_SECTIONS, kept_title
from commonroom.library.pages import library_pages
from commonroom.library.service.lookup import book_source

SERVER = RoomServer(
    routers=lambda: [library_api(), library_pages()],
    resources=lambda settings, fetcher: {"books": book_source(settings, fetcher)},
    flash_texts=words.FLASH_TEXTS,
    picture_paths=["/library/covers/"],
    offers=(
        HOME,
        SOURCE,
        *TITLE_SECTIONS,
        TitleMarkSource(load_marks),
        KeptTitleSource(kept_title),
        BringAlongSource(things_between),
        PersonSource(person_parts),
        FILM_AVAILABILITY,
    ),
)
