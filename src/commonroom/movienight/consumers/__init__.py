"""What happens in movie night after a change."""

from commonroom.movienight.consumers.households import HOUSEHOLDS, SEATS
from commonroom.movienight.consumers.rounds import ROUNDS
from commonroom.store.streams import Consumer


def consumers() -> list[Consumer]:
    """Everybody in this room who follows changes."""
    return [SEATS, HOUSEHOLDS, ROUNDS]
