"""How pages that show a round hear of what happens in it."""

from __future__ import annotations

from litestar import get
from litestar.params import FromPath

from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.evenings import ONE
from commonroom.movienight.service.rounds.reading import round_in
from commonroom.movienight.tables import Round
from commonroom.web.access import Need, needs
from commonroom.web.request import Request
from commonroom.web.streaming import LiveUpdates


@get(f"{ONE}/live", opt=needs(Need.SIGNED_IN))
async def round_changes(request: Request, round_id: FromPath[str]) -> LiveUpdates:
    """A round's version, now and whenever something happens in it."""
    store = request.store

    async def attends(request: Request) -> bool:
        await round_in(store, await seat_in(request), round_id)
        return True

    await attends(request)

    async def version() -> str:
        now = await store.get(Round.at(round_id=round_id))
        return "gone" if now is None else str(now.version)

    return LiveUpdates(f"round#{round_id}", version, attends)


HANDLERS = [round_changes]
