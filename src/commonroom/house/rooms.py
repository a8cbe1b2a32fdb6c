"""The rooms of this house, in the order of its front door: a new room is one line here."""

from __future__ import annotations

from commonroom.hangouts.room import HANGOUTS
from commonroom.joins.rooms import Room
from commonroom.library.room import LIBRARY
from commonroom.movienight.room import MOVIENIGHT
from commonroom.shareables.room import SHAREABLES
from commonroom.watchlists.room import WATCHLISTS

ROOMS: tuple[Room, ...] = (MOVIENIGHT, LIBRARY, SHAREABLES, WATCHLISTS, HANGOUTS)
