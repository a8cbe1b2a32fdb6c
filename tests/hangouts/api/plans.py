"""Plans that are made by HTTP alone: what is done is what any program can do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tests.accounts.api.calling import V1, Client, given

SOON = {"start_time": "2033-05-01T19:00:00+02:00", "time_zone": "Europe/Paris"}


class Plans(Struct, frozen=True):
    """Three people with a program each; Ann made the group, Ben is in it."""

    ann: Client
    ben: Client
    eve: Client
    group_id: str

    @property
    def group(self) -> str:
        """The group's address."""
        return f"{V1}/groups/{self.group_id}"

    async def hangout(self, title: str = "Karaoke?", **more: Any) -> dict[str, Any]:
        """A hangout of Ann's in the group."""
        new = {"title": title, "group_ids": [self.group_id], **more}
        made: dict[str, Any] = given(await self.ann.post(f"{V1}/hangouts", json=new), 201)
        return made

    async def address(self, title: str = "Karaoke?", **more: Any) -> str:
        """The address of a hangout of Ann's."""
        return f"{V1}/hangouts/{(await self.hangout(title, **more))['hangout_id']}"


async def moved_in(ann: Client, ben: Client, eve: Client) -> Plans:
    """The group, once Ben has joined it."""
    group = given(await ann.post(f"{V1}/groups", json={"group_name": "Friends"}), 201)
    here = Plans(ann, ben, eve, group["group_id"])
    code = given(await ann.post(f"{here.group}/codes", json={}), 201)["code"]
    given(await ben.post(f"{V1}/groups/join", json={"code": code}))
    return here
