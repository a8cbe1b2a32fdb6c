"""What services are told of a request, by the API and by the pages alike."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from commonroom.http.arguments import From
from commonroom.http.request import Request
from commonroom.library.service.imports.lifecycle import LibraryImports


def imports_of(request: Request) -> LibraryImports:
    """Returns the imports into the library that the path names."""
    return LibraryImports(request.context, request.path_params["library_id"])


ImportsOfLibrary: TypeAlias = Annotated[LibraryImports, From(imports_of)]
