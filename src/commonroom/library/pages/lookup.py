"""Looking up a book or a film while its form is filled, and what such a form shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec import Struct, structs

from commonroom.errors import CommonroomError, Refusal
from commonroom.http.forms import FormState, Line
from commonroom.http.request import Request
from commonroom.library import words
from commonroom.library.pages.cards import cover_address
from commonroom.library.pages.item_forms import Kind, LibraryItemForm, entity_of, fill_from_offer
from commonroom.library.rules import items as rules
from commonroom.library.rules import names
from commonroom.library.service.collections import list_collections
from commonroom.library.service.lookup import (
    BookOffer,
    BookSource,
    VideoOffer,
    look_up_book,
    look_up_film,
)
from commonroom.library.tables import Library
from commonroom.titles.service import Titles

LIMITS = {
    "title": rules.MAX_TITLE,
    "summary": rules.MAX_SUMMARY,
    "collection": names.MAX_COLLECTION_NAME,
    "address": rules.MAX_ADDRESS,
    "cast": rules.MAX_CAST,
    "review": rules.MAX_REVIEW,
    "line": rules.MAX_LINE,
}


class LookUpForm(LibraryItemForm):
    """What is looked for, beside what was typed already; `offer` is the number of one chosen."""

    sought: Line = ""
    offer: Line = ""
    looked_up: Line = ""
    """What was looked up before."""
    entered: Line = ""
    """Whether the return key sent it, and none of its buttons."""

    @property
    def asks(self) -> bool:
        """Whether the return key was meant for what is sought: it was not looked up yet."""
        return bool(self.entered) and self.sought.strip() not in ("", self.looked_up)

    @property
    def item(self) -> LibraryItemForm:
        """What was typed of the item itself."""
        return LibraryItemForm(
            **{name: getattr(self, name) for name in LibraryItemForm.__struct_fields__}
        )


class LookupCard(Struct, frozen=True):
    """One of several films to choose from."""

    offer: VideoOffer
    picture: str | None


class LookUpResult(Struct, frozen=True):
    """What became of a look-up."""

    text: str
    form: FormState
    offers: Sequence[LookupCard] = ()
    """To choose from; nothing where one was taken already."""
    is_taken: bool = False
    is_silent: bool = False
    """Whether a source did not answer, so that there may be more."""
    refusal: CommonroomError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nobody knows it."""
        return not (self.offers or self.is_taken or self.refusal)


async def look_up(request: Request, data: LookUpForm) -> LookUpResult:
    """Returns what others know of a book or a film, put where nothing stands yet."""
    text, form = data.sought.strip(), FormState(structs.asdict(data.item))
    try:
        offers, is_silent = await _offers(request, data.kind, text)
    except Refusal as error:
        return LookUpResult(text, form, refusal=error)
    if data.kind == "book" and not offers and not form.value("isbn"):
        form = FormState({**form.values, "isbn": text})  # typed once is enough
    taken = _taken(offers, data.offer)
    if taken is not None:
        return LookUpResult(text, fill_from_offer(form, taken), is_taken=True, is_silent=is_silent)
    cards = [
        LookupCard(one, cover_address(request, one.picture_url))
        for one in offers
        if isinstance(one, VideoOffer)
    ]
    return LookUpResult(text, form, cards, is_silent=is_silent)


async def _offers(
    request: Request, kind: Kind, text: str
) -> tuple[Sequence[BookOffer | VideoOffer], bool]:
    """Returns what was found, and whether a source did not answer."""
    state = request.app.state
    if kind == "book":
        books = await look_up_book(request.context, cast("BookSource", state.books), text)
        return books.offers, bool(books.unanswered)
    films = await look_up_film(request.context, cast("Titles", state.titles).films, text)
    return films.offers, bool(films.unanswered)


def _taken(offers: Sequence[BookOffer | VideoOffer], chosen: str) -> BookOffer | VideoOffer | None:
    """Returns the one that was chosen, or the only one: books are asked for by their number."""
    if chosen.isdecimal() and int(chosen) < len(offers):
        return offers[int(chosen)]
    return offers[0] if len(offers) == 1 else None


async def form_context(
    request: Request,
    library: Library,
    form: FormState,
    *,
    action: str,
    found: LookUpResult | None = None,
) -> dict[str, Any]:
    """Returns what a form of an item shows: one request, for the names of collections."""
    kind: Kind = form.value("kind")
    books = cast("BookSource", request.app.state.books)
    return {
        "library": library,
        "form": form,
        "action": action,
        "kind": kind,
        "sought": found,
        "error": None if found is None else found.refusal,
        "theirs": {},
        "statuses": words.statuses(entity_of(kind)),
        "ratings": words.ratings(str(form.value("rating") or "")),
        "names": [one.name for one in (await list_collections(request.store, library)).items],
        "limits": LIMITS,
        "may_look_up": kind == "film" or books.is_on,
    }
