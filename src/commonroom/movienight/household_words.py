"""Households in the reader's words: ceilings, regions of services, what is said after a deed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from commonroom.accounts.tables import Ceiling
from commonroom.web.words import later

FLASH_TEXTS: Mapping[str, str] = {
    "household-made": later("Your household is ready. Now set your tastes."),
    "household-joined": later("Welcome! Now set your tastes."),
    "household-saved": later("Household saved."),
    "household-left": later("You have left the household."),
    "household-deleted": later("Household deleted."),
    "preferences-saved": later("Tastes saved."),
    "member-came": later("Member added."),
    "member-out": later("Member removed."),
    "invite-revoked": later("Link revoked."),
}


class Meaning(Struct, frozen=True):
    """A ceiling in plain words."""

    name: str
    more: str


CEILINGS: Mapping[Ceiling, Meaning] = {
    "G": Meaning(later("For everyone"), later("Nothing that scares small children.")),
    "PG": Meaning(later("Parental guidance"), later("A scare or a rude word now and then.")),
    "PG-13": Meaning(later("From about age 13"), later("Tense, loud, sometimes sad.")),
    "R": Meaning(later("For adults"), later("Violence, strong language and the rest.")),
}

REGIONS: Mapping[str, tuple[str, ...]] = {
    later("Almost everywhere"): (
        "netflix", "disney_plus", "prime_video", "max", "apple_tv_plus", "paramount_plus", "mubi",
        "crunchyroll", "youtube", "google_play", "pluto_tv",
    ),
    later("North America"): (
        "hulu", "peacock", "starz", "criterion_channel", "shudder", "tubi", "kanopy", "crave",
    ),
    later("Britain and Ireland"): ("bbc_iplayer", "itvx", "channel_4", "now", "sky_go"),
    later("The rest of Europe"): (
        "arte", "ard_mediathek", "zdf", "wow", "rtl_plus", "joyn", "canal_plus", "france_tv",
        "rai_play", "movistar_plus", "viaplay", "sky_showtime",
    ),
    later("Elsewhere"): ("stan", "jio_hotstar", "globoplay", "u_next"),
}  # fmt: skip
"""Streaming services by where most of their viewers live."""
