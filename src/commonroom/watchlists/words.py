"""Watchlists in the reader's words."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.web.words import later

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
    "curator-followed": later("You will be told when they publish a list."),
    "curator-unfollowed": later("You no longer follow them."),
    "curator-saved": later("Profile saved."),
    "curator-applied": later("Thanks! An administrator will answer soon."),
    "curator-decided": later("Done. They have been told."),
}
