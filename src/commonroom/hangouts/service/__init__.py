"""What can be done with hangouts. What follows from it in the same write is in `RELATIONS`."""

from commonroom.hangouts.relations import RELATIONS

__all__ = ["RELATIONS"]
