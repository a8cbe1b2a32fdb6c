"""Timers: durable tasks for later, run by whichever process is there at that moment."""

from commonroom.timers.act_timers import ActTimer
from commonroom.timers.scheduler import Handler, Scheduler
from commonroom.timers.tables import Timer, timer

__all__ = ["ActTimer", "Handler", "Scheduler", "Timer", "timer"]
