"""Fills the relational database of the FastAPI server with what ours has."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy.orm import Session

from benchmarks import fastapi_models as models
from benchmarks.rooms.accounts import KIM, PARENT
from benchmarks.rooms.declare import Address
from benchmarks.rooms.library import BOOKS
from benchmarks.shelves import OWNER, things
from commonroom.library import tables
from commonroom.library.tables.items import place_on_shelf

VIEWS = ("shelf", "member")
"""The views that it has."""
SESSION_SECONDS = 86400


def fill(path: Path, addresses: Mapping[str, Address]) -> None:
    """Stores what the views show that both have, and the sessions of those who read them."""
    engine = models.connect(path)
    models.Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all([_made(models.User, one) for one in (PARENT, OWNER)])
        session.flush()
        session.add(_made(models.User, KIM, parent_id=PARENT.user_id))
        session.add(_signed_in(OWNER.user_id, addresses["shelf"]))
        session.add(_signed_in(PARENT.user_id, addresses["member"]))
        session.add_all([_stored(one) for one in things(BOOKS)])
        session.commit()
    engine.dispose()


def _signed_in(user_id: str, address: Address) -> models.UserSession:
    secret = address.cookie.removeprefix("session=")
    expires_at = time.time() + SESSION_SECONDS
    return models.UserSession(digest=models.digest(secret), user_id=user_id, expires_at=expires_at)


def _stored(thing: object) -> models.Base:
    match thing:
        case tables.Library():
            return _made(models.Library, thing, owner_id=thing.account_id)
        case tables.Collection():
            return _made(models.Collection, thing)
        case tables.Book():
            place = place_on_shelf(thing.title, thing.collection_name, thing.order)
            return _made(models.Book, thing, place=place)
    raise TypeError(thing)


def _made(model: type[models.Base], thing: object, **values: object) -> models.Base:
    """A row with all that a thing has of its columns, and some more."""
    names = model.__table__.columns.keys()
    same = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    return model(**(same | values))
