"""The room's addresses in one place, and where a form returns to."""

from __future__ import annotations

from functools import lru_cache

from commonroom.http.redirects import path_part, safe_path
from commonroom.http.request import Request

ROOM = "/library"
LOANS = f"{ROOM}/loans"
SEARCH = f"{ROOM}/search"
IMPORT = f"{ROOM}/import"
ADD_SOMEWHERE = f"{ROOM}/add"
LEND = f"{ROOM}/lend"
COVERS = f"{ROOM}/covers"

FIRST = "first"
"""Stands for the library of a person who has none yet: it is made with what is added."""

# Patterns of handlers.
LIBRARY = f"{ROOM}/{{library_id:str}}"
ITEMS = f"{LIBRARY}/items"
ITEM = f"{ITEMS}/{{item_id:str}}"
COLLECTIONS = f"{LIBRARY}/collections"
COLLECTION = f"{COLLECTIONS}/{{collection_id:str}}"
ADD = f"{LIBRARY}/add"
SETTINGS = f"{LIBRARY}/settings"


MAX_QUERY = 1500
"""What fits into an address beside everything else."""


@lru_cache(maxsize=64)  # a shelf asks for its own fifty times
def library(library_id: str) -> str:
    """Returns a library's shelf."""
    return f"{ROOM}/{path_part(library_id)}"


def item(library_id: str, item_id: str) -> str:
    """An item's page; what is done with it lies below: /lend, /return, /due, /history, /edit, …"""
    return f"{library(library_id)}/items/{path_part(item_id)}"


def collection(library_id: str, collection_id: str) -> str:
    """Returns a collection's page."""
    return f"{library(library_id)}/collections/{path_part(collection_id)}"


def add(library_id: str) -> str:
    """Returns where a book or a film is added."""
    return f"{library(library_id)}/add"


def settings(library_id: str) -> str:
    """Returns a library's name, whom it is shared with, and its end."""
    return f"{library(library_id)}/settings"


def import_into(library_id: str) -> str:
    """Returns where a file is brought into a library."""
    return f"{library(library_id)}/import"


def current_page(request: Request) -> str:
    """The page that is being asked for, to come back to; without a place in it that is too long."""
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if 0 < len(query) <= MAX_QUERY else path


def return_to(asked: str, otherwise: str) -> str:
    """Returns the page of the room that one came from; `otherwise` where that is anything else."""
    address = safe_path(asked)
    return address if address.startswith(f"{ROOM}/") else otherwise
