"""Things to do later: durable, done by whichever process runs at that moment."""

from commonroom.timers.clockwork import Clockwork, Handler
from commonroom.timers.setting import timer
from commonroom.timers.tables import Timer

__all__ = ["Clockwork", "Handler", "Timer", "timer"]
