"""Things to do later: durable, done by whichever process runs at that moment."""

from commonroom.timers.scheduler import Handler, Scheduler
from commonroom.timers.tables import Timer, timer

__all__ = ["Handler", "Scheduler", "Timer", "timer"]
