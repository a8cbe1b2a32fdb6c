"""What people type, as forms and programs send it: with room for what the rules then trim."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.shareables.rules.limits import MAX_NAME, MAX_PAGE

IN_ALL = f"A page can hold {MAX_PAGE:,} characters in total."

Name: TypeAlias = Annotated[
    str, Meta(max_length=400, description=f"1 to {MAX_NAME} characters on one line.")
]
Line: TypeAlias = Annotated[str, Meta(max_length=1000)]
Text: TypeAlias = Annotated[str, Meta(max_length=40_000)]
Id: TypeAlias = Annotated[str, Meta(max_length=100)]
KeptId: TypeAlias = Annotated[
    str, Meta(max_length=100, description="The id of an existing one; omit it for a new one.")
]
When: TypeAlias = Annotated[
    str, Meta(max_length=50, description="With its zone, such as `2026-05-31T18:00:00+02:00`.")
]
SharedNetwork: TypeAlias = Annotated[
    bool,
    Meta(description="Whether many people may answer from one network, such as a school’s."),
]
