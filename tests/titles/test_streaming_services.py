"""Streaming services: slugs that stay, names that change, TMDB's ids of them."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from commonroom.titles.streaming_services import SERVICES, services_of_providers


def test_every_slug_is_plain_and_every_name_its_own() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", slug) for slug in SERVICES)
    assert all(slug == service.slug for slug, service in SERVICES.items())
    assert len({service.name for service in SERVICES.values()}) == len(SERVICES)


def test_no_two_services_claim_the_same_provider() -> None:
    providers = list(chain.from_iterable(s.tmdb_providers for s in SERVICES.values()))

    assert len(providers) == len({*providers})


def test_the_data_models_own_examples_are_known() -> None:
    assert SERVICES["netflix"].name == "Netflix"
    assert SERVICES["disney_plus"].name == "Disney+"


@pytest.mark.parametrize(
    "providers, slugs",
    [
        ([8], ("netflix",)),
        ([337, 8], ("disney_plus", "netflix")),
        ([119, 9], ("prime_video",)),
        ([384, 350, 1899], ("max", "apple_tv_plus")),
        ([0, -1, 10**9], ()),
        ([], ()),
    ],
)
def test_providers_become_slugs_once_each_in_their_order(
    providers: list[int], slugs: tuple[str, ...]
) -> None:
    assert services_of_providers(providers) == slugs
