"""What the API shows of making, opening and keeping pages."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from commonroom.shareables.addresses import address_of, recovery_address
from commonroom.shareables.api.views.pages import SharedPage, ShortId
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.service.listing import KeptAs, Listed
from commonroom.web.people.api.views import Moment

Pass: TypeAlias = Annotated[
    str, Meta(description="Send it as `X-Shareable-Pass` with every request for this page.")
]


class MadePage(Struct, frozen=True):
    """A new page, and what its creator keeps."""

    page: SharedPage
    pass_: Pass = field(name="pass")
    recovery_path: Annotated[
        str,
        Meta(description="Shown once: path of the creator’s private edit link."),
    ]


class PagePass(Struct, frozen=True):
    """A pass for a page."""

    short_id: ShortId
    role: Role
    pass_: Pass = field(name="pass")


class CreatorPass(Struct, frozen=True):
    """The creator's new pass, and the private edit link that holds it."""

    short_id: ShortId
    pass_: Pass = field(name="pass")
    recovery_path: Annotated[str, Meta(description="Shown once; the previous one no longer works.")]


class Extended(Struct, frozen=True):
    """Until when a page lives."""

    expires_at: Moment


class ListedPage(Struct, frozen=True):
    """A page in somebody's list; without kind and name where it needs a pass."""

    short_id: ShortId
    path: str
    role: KeptAs
    kind: Annotated[str | None, Meta(description="`checklist`, `event` or `poll`.")]
    name: str | None
    is_closed: bool


def made_page(page: SharedPage, token: str) -> MadePage:
    """A page as whoever made it sees it."""
    return MadePage(page, token, recovery_address(page.short_id, token))


def creator_pass(short_id: str, token: str) -> CreatorPass:
    """A creator's new way back in."""
    return CreatorPass(shown(short_id), token, recovery_address(short_id, token))


def listed_page(one: Listed) -> ListedPage:
    """A page in a list."""
    address = address_of(one.short_id)
    return ListedPage(shown(one.short_id), address, one.role, one.kind, one.name, one.is_closed)
