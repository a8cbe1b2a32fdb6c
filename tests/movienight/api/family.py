"""A household that lives by HTTP alone: what it does is what any program can do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tests.accounts.api.calling import V1, Client, given

TASTES = {"genre_likes": ["35", "16", "12"], "genre_dislikes": ["27"], "max_content_rating": "R"}


class Family(Struct, frozen=True):
    """Two people with a program each, and a child."""

    ann: Client
    ben: Client
    group_id: str
    ann_id: str
    ben_id: str
    kim_id: str

    @property
    def home(self) -> str:
        """The household's address."""
        return f"{V1}/households/{self.group_id}"

    @property
    def for_kim(self) -> dict[str, str]:
        """The header with which Ann acts for Kim."""
        return {"X-Acting-As-Member": self.kim_id}

    async def round(self, *, voting: bool = True) -> dict[str, Any]:
        """A round that Ann starts for everybody."""
        made: dict[str, Any] = given(await self.ann.post(f"{self.home}/rounds", json={}), 201)
        if voting:
            start = f"{self.home}/rounds/{made['round_id']}/start"
            made = given(await self.ann.post(start))
        return made


async def moved_in(ann: Client, ben: Client) -> Family:
    """A household of three who have said what they like."""
    home = given(await ann.post(f"{V1}/households", json={"name": "Home"}), 201)
    here = f"{V1}/households/{home['group_id']}"
    invite = given(await ann.post(f"{here}/invites"), 201)
    given(await ben.post(f"{V1}/invites/{invite['invite_token']}/join"), 201)
    kim = given(await ann.post(f"{here}/members", json={"display_name": "Kim"}), 201)
    ids = [given(await one.get(f"{V1}/me"))["user_id"] for one in (ann, ben)]
    family = Family(ann, ben, home["group_id"], ids[0], ids[1], kim["user_id"])
    for client, member in ((ann, family.ann_id), (ben, family.ben_id)):
        given(await client.put(f"{here}/members/{member}/preferences", json=TASTES))
    return family
