"""How text is written inside a key: forms that templates name, as in `{title:sort}`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from commonroom.store.errors import BadKey

SORT_FORM_BYTES = 400
"""Two of them fit in a sort key; only letters that fall apart into many ever get there."""

# White space, `#`, and the few signs that sort before `#`: none may stand between "Foo" and "Foo#".
_BREAKS = re.compile(r"[\s\x00-#]+")


def sort_form(text: str) -> str:
    """Text whose bytes sort as a reader would: no marks, no case, nothing that ends a key part.

    What would sort before `#`, and `#` itself, become `_`, which sorts after it: what belongs to
    "Foo" always follows it directly, before "Foo Bar" and "Foo!".
    """
    if text.isascii():  # has no marks, and most text is
        return _cut(_BREAKS.sub("_", text.lower()) or "_")
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
    # Casefolding can bring marks back (İ), and normalising twice costs less than a surprise.
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    folded = _BREAKS.sub("_", plain)
    return _cut(folded if folded.strip("_") else _BREAKS.sub("_", text) or "_")


def _cut(text: str) -> str:
    if len(text) * 4 <= SORT_FORM_BYTES:
        return text
    return text.encode()[:SORT_FORM_BYTES].decode(errors="ignore")


def plain_form(text: str) -> str:
    """Lowercase without spaces and dashes, as short ids stand in keys."""
    plain = text.lower().replace("-", "").replace(" ", "")
    if not plain:
        raise BadKey(f"Nothing of “{text}” can stand in a key.")
    return plain


def lower_form(text: str) -> str:
    """Without regard to case, for what must be unique however it is typed."""
    return text.casefold()


def millisecond_form(text: str) -> str:
    """A moment in UTC to the millisecond: moments then sort as text, however they were written."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadKey(f"{text} is no date and time.") from None
    if moment.tzinfo is None:
        raise BadKey(f"{text} does not say its time zone.")
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise BadKey(f"{text} is outside the years 1 to 9999.") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


FORMS: Mapping[str, Callable[[str], str]] = {
    "sort": sort_form,
    "plain": plain_form,
    "lower": lower_form,
    "ms": millisecond_form,
}
