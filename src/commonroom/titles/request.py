"""The title that a request is about, as far as the caller may make us look."""

from __future__ import annotations

from typing import Annotated, TypeAlias, cast

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.http.arguments import From
from commonroom.http.request import Request
from commonroom.titles.service import FoundTitle, Titles, no_such_title
from commonroom.titles.titles import FOLDERS, ContentType, TitleId

MAX_ID = 64
KINDS: dict[str, ContentType] = {folder: kind for kind, folder in FOLDERS.items()}


def titles_of(request: Request) -> Titles:
    """Returns the catalogue of this installation."""
    return cast("Titles", request.app.state.titles)


def title_in_path(request: Request) -> TitleId:
    """Returns which title the path names, such as `/films/603`."""
    folder = request.path_params.get("kind")
    if folder is None:
        folder = next(one for one in KINDS if request.scope["path"].startswith(f"/{one}/"))
    kind = KINDS.get(folder)
    title_id: str = request.path_params["title_id"]
    if kind is None or not 1 <= len(title_id) <= MAX_ID:
        raise NotFound("This title does not exist.")
    return TitleId(kind, title_id)


def kind_in_path(request: Request) -> ContentType:
    """Returns which kind of title the path names."""
    kind = KINDS.get(request.path_params["kind"])
    if kind is None:
        raise NotFound("There are films and shows.")
    return kind


TitleInPath: TypeAlias = Annotated[TitleId, From(title_in_path)]
KindInPath: TypeAlias = Annotated[ContentType, From(kind_in_path)]


def reader_of(request: Request) -> User | None:
    """Returns the caller, where they have an account and a token, if any, that may read."""
    caller = request.caller
    return caller.account if caller.may("read") else None


async def find_title(request: Request, title: TitleId) -> FoundTitle:
    """A title with all that is known of it: one request. For guests nobody else is asked."""
    titles = titles_of(request)
    look = titles.find_here if reader_of(request) is None else titles.find
    found = await look(request.store, title)
    if found is None:
        raise no_such_title(title.content_type)
    return found
