"""Hangouts as the house knows them: still being built, so far only what is stored."""

from __future__ import annotations

from commonroom.hangouts.tables import tables
from commonroom.web.rooms import Room
from commonroom.web.words import later

HANGOUTS = Room(
    key="hangouts",
    name=later("Hangouts"),
    sentence=later("Groups of friends turn an idea into a plan."),
    tables=tables,
)
