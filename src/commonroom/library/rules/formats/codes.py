"""ISBNs in other services' files: the best of several."""

from __future__ import annotations

from commonroom.accounts.errors import Unfit
from commonroom.library.rules.formats.drafting import Draft
from commonroom.library.rules.isbn import isbn


def take_isbn(draft: Draft, *texts: str) -> None:
    """Takes the first that is one, one with thirteen digits before one with ten."""
    given = [text for text in texts if text.strip("0- ")]
    found = [kept for text in given if (kept := _isbn(text)) is not None]
    if found:
        draft.take("isbn", max(found, key=len))
    elif given:
        draft.note("isbn", f"“{given[0][:30]}” is no ISBN. It is left out.")


def _isbn(text: str) -> str | None:
    try:
        return isbn(text)
    except Unfit:
        return None
