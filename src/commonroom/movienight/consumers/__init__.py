"""What happens in movie night after a change."""

from collections.abc import Mapping

from commonroom.movienight.consumers import households, rounds
from commonroom.store.streams import Consumer
from commonroom.timers import Handler


def consumers() -> list[Consumer]:
    """Everybody in this room who follows changes."""
    return [households.SEATS, households.HOUSEHOLDS, rounds.ROUNDS]


def handlers() -> Mapping[str, Handler]:
    """What is done in this room when a timer is due, by its kind."""
    return households.HANDLERS | rounds.HANDLERS
