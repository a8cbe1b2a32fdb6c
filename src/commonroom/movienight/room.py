"""Movie night as the house knows it."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.http.words import lazy
from commonroom.joins.rooms import Room, RoomData, RoomUse
from commonroom.movienight import checks, consumers, data_export, notifications
from commonroom.movienight.joins import OFFERS
from commonroom.movienight.tables import tables
from commonroom.store import Store


async def _is_used_by(store: Store, user_id: str) -> bool:
    person = await store.get(User.at(user_id=user_id))
    return person is not None and person.household_id is not None


MOVIENIGHT = Room(
    key="movienight",
    name=lazy("Movie night"),
    sentence=lazy("A household picks a film everybody will enjoy, and remembers how it went."),
    addresses=["/movie-night"],
    package="commonroom.movienight",
    data=RoomData(
        tables=tables,
        consumers=[
            consumers.SEATS,
            consumers.HOUSEHOLDS,
            consumers.MEMBERS,
            consumers.ROUNDS,
        ],
        timer_handlers=consumers.HANDLERS,
        notification_kinds=notifications.KINDS,
        exports={"movie_night": data_export.export_person},
        checks=checks.checks,
        use=RoomUse(
            owners={User: lambda one: one.user_id if one.household_id else None},
            is_used_by=_is_used_by,
        ),
    ),
    offers=OFFERS,
    server="commonroom.movienight.server",
    demo="commonroom.movienight.demo",
)
