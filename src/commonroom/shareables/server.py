"""What shareables need where pages are served."""

from __future__ import annotations

from commonroom.joins.rooms import RoomServer
from commonroom.shareables import words
from commonroom.shareables.api import shareables_api
from commonroom.shareables.joins.attachments import SHAREABLE
from commonroom.shareables.pages import shareables_pages

SERVER = RoomServer(
    routers=lambda: [shareables_api(), shareables_pages()],
    flash_texts=words.FLASH_TEXTS,
    offers=(SHAREABLE,),
)
