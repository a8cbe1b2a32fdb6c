"""The rooms' doors: what each room answers, for those that are open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from litestar import Router

from commonroom.library.api import library_api
from commonroom.library.pages import library_pages
from commonroom.movienight.api import movienight_api
from commonroom.movienight.pages import movienight_pages
from commonroom.movienight.service import inviting
from commonroom.settings import Settings
from commonroom.shareables.api import shareables_api
from commonroom.shareables.pages import shareables_pages
from commonroom.web.signup_invites import InviteLookup

DOORS: Mapping[str, Callable[[], Sequence[Router]]] = {
    "movienight": lambda: [movienight_api(), movienight_pages()],
    "library": lambda: [library_api(), library_pages()],
    "shareables": lambda: [shareables_api(), shareables_pages()],
}
"""By a room's key, what makes its pages and its API; a new room adds its line here."""

VOUCHERS: Mapping[str, InviteLookup] = {"movienight": inviting.vouchers}
"""By a room's key, what lets people sign up with a link of that room."""


def doors(settings: Settings) -> list[Router]:
    """The routers of all open rooms; where one is switched off, there is simply nothing."""
    opened = [make for key, make in DOORS.items() if key in settings.open_rooms]
    return [router for make in opened for router in make()]


def vouching(settings: Settings) -> list[InviteLookup]:
    """What lets people sign up with links of the rooms that are open."""
    return [voucher for key, voucher in VOUCHERS.items() if key in settings.open_rooms]
