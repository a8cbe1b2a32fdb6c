"""What happens after a change: consumers, checkpoints, leases, and the worker that runs them."""

from commonroom.store.streams.consumer import Change, Consumer, Pauses
from commonroom.store.streams.copying import copy_consumers
from commonroom.store.streams.worker import Worker

__all__ = ["Change", "Consumer", "Pauses", "Worker", "copy_consumers"]
