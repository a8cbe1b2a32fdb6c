"""A page's maker is told where a great many wrong passcodes were tried, once for each."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.notifications.notifications import tell
from commonroom.shareables import notifications
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.gate import find_page
from commonroom.shareables.service.passcodes import TELL_GUESSED, passcodes_of
from commonroom.store import Store
from commonroom.timers import ActTimer, Handler, Timer


async def tell_guessed(store: Store, waited: Timer, now: float) -> None:
    """Tells the maker, where the passcodes are still those that were guessed at."""
    try:
        page = await find_page(store, waited.about["short_id"])
    except NotFound:
        return
    if page.created_by is None or passcodes_of(page) != waited.about["passcodes"]:
        return
    maker = await store.get(User.at(user_id=page.created_by))
    await tell(
        store,
        now,
        [] if maker is None else [maker],
        notifications.GUESSED,
        facts={"title": page.name},
        link=address_of(page.short_id),
        id=f"{page.short_id}/{waited.about['passcodes']}",
        by=None,
    )


HANDLERS: dict[str, Handler] = {
    TELL_GUESSED: ActTimer(tell_guessed, tells=(notifications.GUESSED,))
}
