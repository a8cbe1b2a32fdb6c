"""What movie night needs where pages are served."""

from __future__ import annotations

from commonroom.joins.person_parts import PersonSource
from commonroom.joins.rooms import RoomServer
from commonroom.joins.title_marks import TitleMarkSource
from commonroom.joins.title_sections import KeptTitleSource
from commonroom.movienight import words
from commonroom.movienight.api import movienight_api
from commonroom.movienight.joins.attachments import ROUND
from commonroom.movienight.joins.film_sources import WISH_LIST
from commonroom.movienight.joins.home import HOME
from commonroom.movienight.joins.person_parts import person_parts
from commonroom.movienight.joins.title_marks import load_marks
from commonroom.movienight.joins.title_sections import TITLE_SECTIONS, kept_title
from commonroom.movienight.pages import movienight_pages

SERVER = RoomServer(
    routers=lambda: [movienight_api(), movienight_pages()],
    flash_texts=words.FLASH_TEXTS,
    offers=(
        HOME,
        *TITLE_SECTIONS,
        TitleMarkSource(load_marks),
        KeptTitleSource(kept_title),
        PersonSource(person_parts),
        ROUND,
        WISH_LIST,
    ),
)
