"""Streaming services to choose from, by where most of their viewers live."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from commonroom.catalog.streaming_services import SERVICES, Service
from commonroom.movienight.household_words import REGIONS


class Region(Struct, frozen=True):
    """Services that one finds in the same place."""

    name: str
    services: list[Service]
    is_chosen: bool
    """Whether one of them is."""


def regions(chosen: Collection[str]) -> list[Region]:
    """All services; first those that most people have."""
    return [
        Region(
            name,
            [SERVICES[slug] for slug in slugs],
            is_chosen=not set(slugs).isdisjoint(chosen),
        )
        for name, slugs in REGIONS.items()
    ]
