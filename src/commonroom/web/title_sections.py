"""Sections of a title's page: what a room adds to it, declared."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.catalog.service import FoundTitle
    from commonroom.catalog.titles import TitleFacts, TitleId
    from commonroom.web.request import Request

Place: TypeAlias = Literal["beside", "below"]
KeptTitle: TypeAlias = Callable[["Request", "TitleId"], Coroutine[Any, Any, "TitleFacts | None"]]
"""Gives what a room has kept of a title for whoever asks, where nobody knows it any longer."""


class TitleSection(Struct, frozen=True, kw_only=True):
    """A part of the page of every film and show.

    `load` gives what the template shows as `section`, or None where there is nothing to show to
    whoever asks; guests are asked for, too. It states its store requests, and a test holds them.
    """

    name: str
    template: str
    load: Callable[[Request, FoundTitle], Coroutine[Any, Any, Any]]
    place: Place = "below"
    """Beside the facts at a desk, or below them; on a phone what is beside comes first."""
    style: str | None = None
    """The style sheet that it needs."""
