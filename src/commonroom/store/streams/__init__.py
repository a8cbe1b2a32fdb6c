"""Change streams: consumers, checkpoints, leases, and the worker that runs them."""

from commonroom.store.streams.consumer import Change, Consumer, RetryPolicy
from commonroom.store.streams.copies import copy_consumers
from commonroom.store.streams.loop_share import LoopShare
from commonroom.store.streams.worker import Worker

__all__ = ["Change", "Consumer", "LoopShare", "RetryPolicy", "Worker", "copy_consumers"]
