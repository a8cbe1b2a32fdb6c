"""Watchlists in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.http.words import _, lazy, pluralize
from commonroom.watchlists.rules.formats import Format

FLASH_TEXTS: Mapping[str, str] = {
    "list-made": lazy("Your list is ready. Add the first titles."),
    "list-saved": lazy("List saved."),
    "list-deleted": lazy("List deleted."),
    "list-copied": lazy("Copied. This is your own private list."),
    "list-followed": lazy("You follow this list. What is added to it shows up under Following."),
    "list-unfollowed": lazy("You no longer follow this list."),
    "list-dismissed": lazy("Removed."),
    "list-joined": lazy("Welcome! You can add titles now."),
    "list-left": lazy("You no longer help with this list."),
    "title-listed": lazy("Added to the list."),
    "title-unlisted": lazy("Removed from the list."),
    "note-saved": lazy("Note saved."),
    "comment-added": lazy("Comment added."),
    "comment-deleted": lazy("Comment deleted."),
    "link-revoked": lazy("The link no longer works."),
    "collaborator-removed": lazy("They can no longer change this list."),
    "collaborator-and-link-removed": lazy(
        "They can no longer change this list, and the invitation link is turned off."
    ),
    "curator-followed": lazy("You will be told when they publish a list."),
    "curator-unfollowed": lazy("You no longer follow them."),
    "curator-saved": lazy("Profile saved."),
    "curator-applied": lazy("Thanks! An administrator will answer soon."),
    "curator-decided": lazy("Done. They have been told."),
    "title-rated": lazy("Rating saved."),
    "title-reviewed": lazy("Review saved."),
    "title-unrated": lazy("Rating removed."),
    "title-seen": lazy("Marked as seen."),
    "title-unseen": lazy("No longer marked as seen."),
    "review-removed": lazy("Review removed."),
    "titles-merged": lazy("Merged. Lists, ratings and marks move within a minute."),
    "import-looks-up": lazy("The titles are looked up again."),
    "row-settled": lazy("Imported."),
    "row-dismissed": lazy("Skipped."),
}

FORMATS: Mapping[Format, str] = {
    "letterboxd": lazy("from Letterboxd"),
    "imdb": lazy("from IMDb"),
    "trakt": lazy("from Trakt"),
    "commonroom_csv": lazy("from a Commonroom (CSV)"),
    "commonroom_json": lazy("from a Commonroom (JSON)"),
}
"""Where a file comes from; translated when it is shown."""

IMPORT_FIELDS: Mapping[str, str] = {
    "title": lazy("Title"),
    "title type": lazy("Type"),
    "type": lazy("Type"),
    "year": lazy("Year"),
    "tags": lazy("Tags"),
    "cover_image_url": lazy("Picture"),
    "rating": lazy("Rating"),
    "review": lazy("Review"),
    "description": lazy("Description"),
    "note": lazy("Note"),
    "tmdb_id": lazy("TMDB ID"),
    "imdb_id": lazy("IMDb ID"),
}
"""What a note is about; translated when it is shown."""


def star_words(rating: int) -> str:
    """Returns a rating from 1 to 10 as stars, such as “3½ stars”."""
    whole, half = divmod(rating, 2)
    if not half:
        return pluralize("%(n)d star", "%(n)d stars", whole)
    if not whole:
        return _("Half a star")
    return _("%(number)d½ stars") % {"number": whole}
