"""How text is written inside a key: forms that templates name after a colon, as in `{title:sort}`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

_BREAKS = re.compile(r"[\s#]+")


def sort_form(text: str) -> str:
    """Text so that bytes sort as a reader would: no marks, no case, and nothing that ends a key part.

    White space and `#` become `_`, which sorts after `#`: what belongs to "Foo" comes before "Foo Bar".
    """
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
    # Casefolding can bring marks back (İ), and normalising twice costs less than a surprise.
    plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    folded = _BREAKS.sub("_", plain)
    return folded if folded.strip("_") else _BREAKS.sub("_", text) or "_"


def plain_form(text: str) -> str:
    """Lowercase without spaces and dashes, as short ids stand in keys."""
    return text.lower().replace("-", "").replace(" ", "")


def lower_form(text: str) -> str:
    """Without regard to case, for what must be unique however it is typed."""
    return text.casefold()


FORMS: Mapping[str, Callable[[str], str]] = {
    "sort": sort_form,
    "plain": plain_form,
    "lower": lower_form,
}
