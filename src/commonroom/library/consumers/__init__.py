"""What happens in the library after a change."""

from collections.abc import Mapping

from commonroom.library.consumers import accounts, collections, imports, libraries, loans
from commonroom.store.streams import Consumer
from commonroom.timers import Handler


def consumers() -> list[Consumer]:
    """Everybody in this room who follows changes."""
    return [collections.COLLECTIONS, libraries.LIBRARIES, accounts.ACCOUNTS, imports.IMPORTS]


def handlers() -> Mapping[str, Handler]:
    """What is done in this room when a timer is due, by its kind."""
    return {**loans.HANDLERS, **imports.HANDLERS}
