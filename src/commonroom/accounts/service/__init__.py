"""What can be done with accounts; one module for each thing. `RELATIONS` says what follows."""

from commonroom.accounts.relations import RELATIONS

__all__ = ["RELATIONS"]
