"""Sharing: an address with a button to pass it on, and as a QR code to hold a phone against."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup
from msgspec import Struct

from commonroom.http.headers import header_in
from commonroom.http.request import Request

DRAWN = 256
"""How many pictures are kept: drawing one takes longer than the rest of its page."""


class Shared(Struct, frozen=True):
    """Something to pass on."""

    address: str
    title: str
    """What a phone's own share sheet calls it."""
    is_shown_once: bool = False
    """Whether it holds a secret that nobody is shown again, of which nothing is kept here."""

    @property
    def qr(self) -> Markup:
        """The address as a picture."""
        return draw_qr_code(self.address) if self.is_shown_once else qr_code(self.address)


def shared(request: Request, path: str, title: str, *, is_shown_once: bool = False) -> Shared:
    """Returns a page of this installation, to be opened elsewhere."""
    return Shared(own_address(request, path), title, is_shown_once)


def own_address(request: Request, path: str) -> str:
    """Returns a path of this installation, as others write it."""
    settings = request.app.state.get("settings")
    if public := getattr(settings, "public_address", ""):
        return f"{public}{path}"
    scope = request.scope
    return f"{scope['scheme']}://{header_in(scope, 'host')}{path}"


@lru_cache(maxsize=DRAWN)
def qr_code(text: str) -> Markup:
    """Returns a QR code that is kept once it was drawn."""
    return draw_qr_code(text)


def draw_qr_code(text: str) -> Markup:
    """Draws a QR code as SVG; it has no size and no colours: the style sheet sets both."""
    import segno  # only sharing needs it

    drawn = segno.make(text, error="m", micro=False)
    svg = drawn.svg_inline(border=4, omitsize=True, svgclass="qr", lineclass="qr-ink")
    return Markup(svg)  # noqa: S704 - drawn here out of squares, it holds nothing that was typed
