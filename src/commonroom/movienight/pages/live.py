"""How pages that show a round hear of what happens in it."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.evenings import ONE
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.tables import Round
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, store_of
from commonroom.web.streaming import live_updates


@get(f"{ONE}/live", opt=needs(Need.SIGNED_IN))
async def round_changes(request: AnyRequest, round_id: FromPath[str]) -> ServerSentEvent:
    """A round's version, now and whenever something happens in it."""
    store = store_of(request)
    await round_in(store, await seat_in(request), round_id)

    async def version() -> str:
        now = await store.get(Round.at(round_id=round_id))
        return "gone" if now is None else str(now.version)

    return live_updates(request, f"round#{round_id}", version)


HANDLERS = [round_changes]
