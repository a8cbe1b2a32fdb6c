"""Films: where they come from, and whether TMDB answers."""

from __future__ import annotations

from commonroom.catalog.tmdb import questions
from commonroom.catalog.tmdb.client import Client
from commonroom.catalog.tmdb.errors import NoAnswer, TokenRefused
from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.outgoing.fetching import Fetcher
from commonroom.settings import Settings


async def examine(settings: Settings) -> list[Finding]:
    """Asks TMDB whether it knows the access token, where there is one."""
    if not settings.tmdb_key:
        return [ok("films", "from the built-in catalogue; COMMONROOM_TMDB_KEY adds those of TMDB")]
    fetcher = Fetcher.of(settings)
    try:
        await Client(fetcher, settings.tmdb_address, settings.tmdb_key).ask(
            questions.authentication()
        )
    except TokenRefused as error:
        mend = "Set it to the “API Read Access Token” that your TMDB account shows."
        return [problem("films", error.detail, mend)]
    except NoAnswer as error:
        mend = (
            "Until then, films come from the built-in catalogue. Check "
            "COMMONROOM_TMDB_ADDRESS and the network."
        )
        return [warning("films", f"TMDB is not available: {error.detail}", mend)]
    finally:
        await fetcher.close()
    return [ok("films", f"TMDB is available; streaming services of {settings.region}")]
