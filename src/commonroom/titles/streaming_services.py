"""Streaming services: our slugs, what they are called, and TMDB's ids of them, in one place.

Services are kept and compared by slug only: what a service calls itself changes every few years.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct


class Service(Struct, frozen=True):
    """A streaming service; a name or an offer that changed leaves several TMDB ids behind."""

    slug: str
    name: str
    tmdb_providers: tuple[int, ...] = ()


_SERVICES = (
    # Almost everywhere.
    Service("netflix", "Netflix", (8, 175, 1796)),
    Service("disney_plus", "Disney+", (337, 390)),
    Service("prime_video", "Prime Video", (9, 119, 2100)),
    Service("max", "HBO Max", (1899, 384)),
    Service("apple_tv_plus", "Apple TV+", (350,)),
    Service("paramount_plus", "Paramount+", (531, 1770, 2303, 2616)),
    Service("mubi", "MUBI", (11,)),
    Service("crunchyroll", "Crunchyroll", (283,)),
    Service("youtube", "YouTube", (192, 188, 235)),
    Service("google_play", "Google Play", (3,)),
    Service("pluto_tv", "Pluto TV", (300,)),
    # North America.
    Service("hulu", "Hulu", (15,)),
    Service("peacock", "Peacock", (386, 387)),
    Service("starz", "Starz", (43,)),
    Service("criterion_channel", "Criterion Channel", (258,)),
    Service("shudder", "Shudder", (99,)),
    Service("tubi", "Tubi", (73,)),
    Service("kanopy", "Kanopy", (191,)),
    Service("crave", "Crave", (230,)),
    # Britain and Ireland.
    Service("bbc_iplayer", "BBC iPlayer", (38,)),
    Service("itvx", "ITVX", (41,)),
    Service("channel_4", "Channel 4", (103,)),
    Service("now", "NOW", (39, 591)),
    Service("sky_go", "Sky Go", (29,)),
    # The rest of Europe.
    Service("arte", "ARTE", (234,)),
    Service("ard_mediathek", "ARD Mediathek", (219,)),
    Service("zdf", "ZDF", (537,)),
    Service("wow", "WOW", (30,)),
    Service("rtl_plus", "RTL+", (298,)),
    Service("joyn", "Joyn", (304, 421)),
    Service("canal_plus", "Canal+", (381,)),
    Service("france_tv", "france.tv", (236,)),
    Service("rai_play", "RaiPlay", (222,)),
    Service("movistar_plus", "Movistar Plus+", (149,)),
    Service("viaplay", "Viaplay", (76,)),
    Service("sky_showtime", "SkyShowtime", (1773,)),
    # Everywhere else.
    Service("stan", "Stan", (21,)),
    Service("jio_hotstar", "JioHotstar", (2336, 122, 377)),
    Service("globoplay", "Globoplay", (307,)),
    Service("u_next", "U-NEXT", (84,)),
)

SERVICES: Mapping[str, Service] = MappingProxyType({one.slug: one for one in _SERVICES})

_BY_PROVIDER = {provider: one.slug for one in _SERVICES for provider in one.tmdb_providers}


def services_of_providers(provider_ids: Iterable[int]) -> tuple[str, ...]:
    """Slugs of the services that TMDB's provider ids mean, each once; unknown ones are left out."""
    known = (_BY_PROVIDER.get(provider) for provider in provider_ids)
    return tuple(dict.fromkeys(slug for slug in known if slug))
