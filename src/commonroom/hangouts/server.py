"""What hangouts need where pages are served."""

from __future__ import annotations

from commonroom.hangouts import words
from commonroom.hangouts.api import hangouts_api
from commonroom.hangouts.joins.home import HOME
from commonroom.hangouts.joins.person_parts import person_parts
from commonroom.hangouts.pages import hangouts_pages
from commonroom.joins.person_parts import PersonSource
from commonroom.joins.rooms import RoomServer

SERVER = RoomServer(
    routers=lambda: [hangouts_api(), hangouts_pages()],
    flash_texts=words.FLASH_TEXTS,
    offers=(HOME, PersonSource(person_parts)),
)
