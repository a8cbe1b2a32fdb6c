"""What can be done in the room."""

from commonroom.watchlists.relations import RELATIONS

__all__ = ["RELATIONS"]
