"""Fields that bodies of several nouns have; the rules say in a sentence what cannot be taken."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.hangouts.rules import hangouts
from commonroom.ids import MAX_ID

Id: TypeAlias = Annotated[str, Meta(max_length=MAX_ID)]
Title: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"1 to {hangouts.MAX_TITLE} characters.")
]
Link: TypeAlias = Annotated[
    str, Meta(max_length=5000, description="Starts with `http://` or `https://`.")
]
Picture: TypeAlias = Annotated[
    str, Meta(max_length=100, description=f"One of `{'`, `'.join(hangouts.PICTURES)}`.")
]
Moment: TypeAlias = Annotated[
    str, Meta(max_length=100, description="With its offset: `2026-05-01T19:00:00+02:00`.")
]
Version: TypeAlias = Annotated[
    int, Meta(description="The version that was looked at; another one is answered with 409.")
]
