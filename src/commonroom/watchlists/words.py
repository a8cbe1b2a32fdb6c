"""Watchlists in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.watchlists.rules.formats import Format
from commonroom.web.words import _, counted, later

FLASH_TEXTS: Mapping[str, str] = {
    "list-made": later("Your list is ready. Add the first titles."),
    "list-saved": later("List saved."),
    "list-deleted": later("List deleted."),
    "list-copied": later("Copied. This is your own private list."),
    "list-followed": later("You follow this list. What is added to it shows up under Following."),
    "list-unfollowed": later("You no longer follow this list."),
    "list-dismissed": later("Removed."),
    "list-joined": later("Welcome! You can add titles now."),
    "list-left": later("You no longer help with this list."),
    "title-listed": later("Added to the list."),
    "title-unlisted": later("Removed from the list."),
    "note-saved": later("Note saved."),
    "comment-added": later("Comment added."),
    "comment-deleted": later("Comment deleted."),
    "link-revoked": later("The link no longer works."),
    "collaborator-removed": later("They can no longer change this list."),
    "collaborator-and-link-removed": later(
        "They can no longer change this list, and the invitation link is turned off."
    ),
    "curator-followed": later("You will be told when they publish a list."),
    "curator-unfollowed": later("You no longer follow them."),
    "curator-saved": later("Profile saved."),
    "curator-applied": later("Thanks! An administrator will answer soon."),
    "curator-decided": later("Done. They have been told."),
    "title-rated": later("Rating saved."),
    "title-reviewed": later("Review saved."),
    "title-unrated": later("Rating removed."),
    "title-seen": later("Marked as seen."),
    "title-unseen": later("No longer marked as seen."),
    "review-removed": later("Review removed."),
    "titles-merged": later("Merged. Lists, ratings and marks move within a minute."),
    "import-looks-up": later("The titles are looked up again."),
    "row-settled": later("Imported."),
    "row-dismissed": later("Skipped."),
}

FORMATS: Mapping[Format, str] = {
    "letterboxd": later("from Letterboxd"),
    "imdb": later("from IMDb"),
    "trakt": later("from Trakt"),
    "commonroom_csv": later("from a Commonroom (CSV)"),
    "commonroom_json": later("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""

IMPORT_FIELDS: Mapping[str, str] = {
    "title": later("Title"),
    "title type": later("Type"),
    "type": later("Type"),
    "year": later("Year"),
    "tags": later("Tags"),
    "cover_image_url": later("Picture"),
    "rating": later("Rating"),
    "review": later("Review"),
    "description": later("Description"),
    "note": later("Note"),
    "tmdb_id": later("TMDB ID"),
    "imdb_id": later("IMDb ID"),
}
"""What a note is about; translated when it is shown."""


def star_words(rating: int) -> str:
    """A rating from 1 to 10 as stars, such as “3½ stars”."""
    whole, half = divmod(rating, 2)
    if not half:
        return counted("%(n)d star", "%(n)d stars", whole)
    if not whole:
        return _("Half a star")
    return _("%(number)d½ stars") % {"number": whole}
