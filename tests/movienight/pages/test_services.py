"""Streaming services to choose from."""

from __future__ import annotations

from collections import Counter

from commonroom.catalog.streaming_services import SERVICES
from commonroom.movienight.pages.households import regions


def test_every_service_can_be_found_once() -> None:
    listed = Counter(one.slug for region in regions(()) for one in region.services)
    assert listed == Counter(SERVICES.keys())


def test_a_region_knows_whether_one_of_its_services_was_chosen() -> None:
    chosen = [region.name for region in regions({"arte", "stan"}) if region.is_chosen]
    assert chosen == ["The rest of Europe", "Elsewhere"]
