"""The data model of all rooms, and of the store itself."""

from __future__ import annotations

from commonroom.accounts.tables import accounts
from commonroom.hangouts.tables import tables as hangouts
from commonroom.library.tables import tables as library
from commonroom.movienight.tables import tables as movienight
from commonroom.notify.tables import tables as notify
from commonroom.shareables.tables import tables as shareables
from commonroom.store.declare.model import Model
from commonroom.store.streams.tables import tables as streams
from commonroom.timers.tables import tables as timers
from commonroom.watchlists.tables import tables as watchlists

MODEL = Model(
    [
        *movienight,
        accounts,
        *library,
        *shareables,
        *watchlists,
        *hangouts,
        *notify,
        *timers,
        *streams,
    ]
)
