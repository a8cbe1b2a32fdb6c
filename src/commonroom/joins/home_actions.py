"""Deeds on home: what a form answers that was sent from a card there, with scripts or without."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from commonroom.http.forms import Form
from commonroom.http.redirects import HOME, redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.home import HomeAction
from commonroom.joins.rooms import flash_texts, open_rooms

CardKey: TypeAlias = Annotated[str, Meta(max_length=200, pattern="^[A-Za-z0-9_-]*$")]


class HomeForm(Form, kw_only=True):
    """A form that can also be sent from home."""

    home: CardKey = ""
    """The card that it was sent from; empty where it came from the room itself."""


def answer_on_home(
    request: Request, card: str, flash: str, *, undo: HomeAction | None = None
) -> Response[Any]:
    """Says what was done: where the card was, or on home as a whole where no script runs.

    The card stays until the page is left, so that it can be undone.
    """
    if request.headers.get("hx-request") != "true":
        return redirect(HOME, flash)
    said = flash_texts(open_rooms(request))[flash]
    return render(request, "parts/home_done.html", card=card, said=said, undo=undo)
