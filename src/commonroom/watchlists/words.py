"""Watchlists in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.web.words import _, counted, later

FLASH_TEXTS: Mapping[str, str] = {
    "title-rated": later("Rating saved."),
    "title-reviewed": later("Review saved."),
    "title-unrated": later("Rating removed."),
    "title-seen": later("Marked as seen."),
    "title-unseen": later("No longer marked as seen."),
    "review-removed": later("Review removed."),
}


def star_words(rating: int) -> str:
    """A rating from 1 to 10 as stars, such as “3½ stars”."""
    whole, half = divmod(rating, 2)
    if not half:
        return counted("%(n)d star", "%(n)d stars", whole)
    if not whole:
        return _("Half a star")
    return _("%(number)d½ stars") % {"number": whole}
