"""What may be done with and around a list in the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.store import Store, delete, update
from commonroom.titles.stored_titles import title_ref
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service import collaborators, curators, saves
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.copies import copy_list
from commonroom.watchlists.service.follows import follow, unfollow
from commonroom.watchlists.service.items import change_note, remove_item
from commonroom.watchlists.service.lists import (
    ListChange,
    ListDraft,
    change_list,
    create_list,
    delete_list,
)
from commonroom.watchlists.service.moves import Target, move_item
from commonroom.watchlists.service.profiles import change_profile
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    add_item,
    asks,
    curator,
    list_of,
    somebody,
    stock,
    stocked,
)

Doings: TypeAlias = Callable[[Store], list[Awaitable[Any]]]
"""What is done at once, in a store."""

Scene: TypeAlias = Callable[["Room"], Awaitable[Doings]]


class Room:
    """Ada's list of three films, which Ben follows and Cleo works on; Root runs all of it."""

    ada: User
    ben: User
    cleo: User
    root: User
    hers: Watchlist
    key: str

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    async def furnish(self) -> None:
        """Puts everything there."""
        store, clock = self.store, self.clock
        await stock(store, 10)
        self.ada = await curator(store, clock, "Ada")
        self.ben, self.cleo = [await somebody(store, clock, name) for name in ("Ben", "Cleo")]
        self.root = await somebody(store, clock, "Root", is_admin=True)
        self.hers = await list_of(store, clock, self.ada, MATRIX, ALIEN, HEAT)
        ctx = asks(store, clock, self.ada)
        self.key = await collaborators.create_link(ctx, self.at, "join")
        await collaborators.join(self.by(store, self.cleo), self.at, self.key)
        await saves.follow_list(self.by(store, self.ben), self.at)
        await follow(self.by(store, self.ben), self.ada.user_id)
        clock.forward(1)

    @property
    def at(self) -> str:
        """The list's id."""
        return self.hers.watchlist_id

    def by(self, on: Store, person: User) -> Context:
        """Somebody asks."""
        return Context(on, person, self.clock())

    def adds(self, on: Store, person: User, title: TitleId) -> Awaitable[Any]:
        """Somebody adds a title."""
        return add_item(self.by(on, person), self.at, title.content_type, title.content_id)

    def moves(self, on: Store, person: User, title: TitleId, place: int) -> Awaitable[Any]:
        """Somebody moves a title."""
        return move_item(self.by(on, person), self.at, title, Target(place=place))

    def changes(self, on: Store, **what: Any) -> Awaitable[Any]:
        """Ada changes the list."""
        return change_list(self.by(on, self.ada), self.at, ListChange(**what))

    def deletes(self, on: Store) -> Awaitable[Any]:
        """Ada deletes the list."""
        return delete_list(self.by(on, self.ada), self.at)

    def suspends(self, on: Store) -> Awaitable[Any]:
        """Root suspends Ada."""
        return curators.decide(self.by(on, self.root), self.ada.user_id, "suspend", "Spam.")


async def two_adds_of_one_title(room: Room) -> Doings:
    """A title is added by two people."""
    return lambda on: [room.adds(on, one, DARK) for one in (room.ada, room.cleo)]


async def six_adds_at_once(room: Room) -> Doings:
    """Six titles take the next place."""
    return lambda on: [room.adds(on, room.ada, stocked(number)) for number in range(6)]


async def moves_at_both_ends(room: Room) -> Doings:
    """Titles go to the top and to the end while one is added and one removed."""
    return lambda on: [
        room.moves(on, room.ada, HEAT, 1),
        room.moves(on, room.cleo, MATRIX, 99),
        room.adds(on, room.cleo, DARK),
        room.moves(on, room.ada, ALIEN, 1),
        remove_item(room.by(on, room.cleo), room.at, MATRIX),
    ]


async def two_moves_into_one_gap(room: Room) -> Doings:
    """Two titles are put between the same two."""
    for number in range(3):
        await room.adds(room.store, room.ada, stocked(number))
    return lambda on: [
        room.moves(on, room.ada, stocked(0), 2),
        room.moves(on, room.cleo, stocked(1), 2),
        room.moves(on, room.ada, stocked(2), 2),
    ]


async def two_removals(room: Room) -> Doings:
    """A title is removed twice, noted, and chosen for the cover."""
    return lambda on: [
        remove_item(room.by(on, room.ada), room.at, ALIEN),
        remove_item(room.by(on, room.cleo), room.at, ALIEN),
        change_note(room.by(on, room.cleo), room.at, ALIEN, "In space."),
        room.changes(on, cover=ALIEN),
    ]


async def a_save_and_a_delete(room: Room) -> Doings:
    """A list is saved and let go while it is deleted."""
    return lambda on: [
        saves.follow_list(room.by(on, room.root), room.at),
        room.deletes(on),
        saves.unfollow_list(room.by(on, room.ben), room.at),
    ]


async def saves_and_their_ends(room: Room) -> Doings:
    """Saving and letting go at once, by the same and by others."""
    return lambda on: [
        *(saves.follow_list(room.by(on, room.root), room.at) for _ in range(3)),
        *(saves.unfollow_list(room.by(on, room.ben), room.at) for _ in range(2)),
        saves.follow_list(room.by(on, room.cleo), room.at),
        room.changes(on, is_public=False),
    ]


async def a_suspension_during_publication(room: Room) -> Doings:
    """A curator is suspended while they publish, change and make lists."""
    await room.changes(room.store, is_public=False)
    return lambda on: [
        room.changes(on, is_public=True),
        room.suspends(on),
        create_list(room.by(on, room.ada), ListDraft(title="Another", is_public=True)),
        change_profile(room.by(on, room.ada), username="Adele"),
    ]


async def a_suspension_and_its_end(room: Room) -> Doings:
    """A curator is suspended twice while lists come and go."""
    return lambda on: [
        room.suspends(on),
        room.suspends(on),
        room.deletes(on),
        create_list(room.by(on, room.ada), ListDraft(title="Another")),
    ]


async def publishing_twice(room: Room) -> Doings:
    """A list turns private and public by several hands."""
    return lambda on: [
        room.changes(on, is_public=False),
        room.changes(on, is_public=True),
        room.changes(on, is_public=False),
        room.changes(on, title="Other", tags=["Noir"]),
    ]


async def a_delete_and_everything_else(room: Room) -> Doings:
    """A list is deleted by its owner while everybody is busy with it."""
    return lambda on: [
        room.adds(on, room.cleo, DARK),
        add_comment(room.by(on, room.ben), room.at, "Fine."),
        room.deletes(on),
        room.moves(on, room.cleo, HEAT, 1),
        collaborators.join(room.by(on, room.ben), room.at, room.key),
        room.deletes(on),
        room.changes(on, title="Last words"),
    ]


async def joining_and_leaving(room: Room) -> Doings:
    """Collaborators come, go and are removed, while one of them adds."""
    at = room.at
    return lambda on: [
        collaborators.join(room.by(on, room.ben), at, room.key),
        collaborators.join(room.by(on, room.ben), at, room.key),
        collaborators.leave(room.by(on, room.cleo), at),
        collaborators.remove_collaborator(room.by(on, room.ada), at, room.cleo.user_id),
        room.adds(on, room.cleo, DARK),
        collaborators.revoke_link(room.by(on, room.ada), at, "join"),
    ]


async def comments_and_privacy(room: Room) -> Doings:
    """Comments of one moment while the list turns private."""
    return lambda on: [
        *(add_comment(room.by(on, room.ben), room.at, str(number)) for number in range(3)),
        add_comment(room.by(on, room.cleo), room.at, "Mine."),
        room.changes(on, is_public=False),
    ]


async def following_and_letting_go(room: Room) -> Doings:
    """A curator is followed and let go at once."""
    hers = room.ada.user_id
    return lambda on: [
        *(follow(room.by(on, room.cleo), hers) for _ in range(2)),
        *(unfollow(room.by(on, room.ben), hers) for _ in range(2)),
        follow(room.by(on, room.root), hers),
    ]


async def one_name_for_two(room: Room) -> Doings:
    """Two people want one username, and one of them two."""
    return lambda on: [
        change_profile(room.by(on, room.ben), username="Star"),
        change_profile(room.by(on, room.cleo), username="STAR"),
        change_profile(room.by(on, room.cleo), username="Moon"),
        create_list(room.by(on, room.ben), ListDraft(title="Mine")),
    ]


async def two_decisions(room: Room) -> Doings:
    """An application is decided twice while the person applies again."""
    await curators.apply(room.by(room.store, room.ben), "Me too.")
    room.clock.forward(1)
    root, ben = room.root, room.ben
    return lambda on: [
        curators.decide(room.by(on, root), ben.user_id, "approve"),
        curators.decide(room.by(on, root), ben.user_id, "decline", "No."),
        curators.apply(room.by(on, ben), "Really."),
    ]


async def a_title_that_goes(room: Room) -> Doings:
    """A title changes and another is removed while they are added."""
    return lambda on: [
        room.adds(on, room.ada, stocked(1)),
        on.write(update(title_ref(stocked(1)), title="Other")),
        room.adds(on, room.cleo, stocked(2)),
        on.write(delete(title_ref(stocked(2)))),
        on.write(delete(title_ref(MATRIX))),
        room.moves(on, room.ada, MATRIX, 2),
    ]


async def a_copy_of_what_goes(room: Room) -> Doings:
    """A list is copied while it changes and is deleted."""
    return lambda on: [
        copy_list(room.by(on, room.ben), room.at),
        remove_item(room.by(on, room.ada), room.at, HEAT),
        room.deletes(on),
    ]


async def the_end_of_the_owner(room: Room) -> Doings:
    """An account is deleted while its owner and others are busy."""
    return lambda on: [
        room.adds(on, room.ada, DARK),
        on.write(delete(room.ada)),
        create_list(room.by(on, room.ada), ListDraft(title="Last")),
        add_comment(room.by(on, room.ada), room.at, "Farewell."),
        follow(room.by(on, room.cleo), room.ada.user_id),
        saves.follow_list(room.by(on, room.root), room.at),
    ]


async def the_end_of_others(room: Room) -> Doings:
    """A follower and a collaborator are deleted while they are busy."""
    return lambda on: [
        on.write(delete(room.ben)),
        add_comment(room.by(on, room.ben), room.at, "Farewell."),
        saves.unfollow_list(room.by(on, room.ben), room.at),
        on.write(delete(room.cleo)),
        room.adds(on, room.cleo, DARK),
        create_list(room.by(on, room.cleo), ListDraft(title="Last")),
        curators.apply(room.by(on, room.ben), "Late."),
    ]


SCENES: list[Scene] = [
    two_adds_of_one_title,
    six_adds_at_once,
    moves_at_both_ends,
    two_moves_into_one_gap,
    two_removals,
    a_save_and_a_delete,
    saves_and_their_ends,
    a_suspension_during_publication,
    a_suspension_and_its_end,
    publishing_twice,
    a_delete_and_everything_else,
    joining_and_leaving,
    comments_and_privacy,
    following_and_letting_go,
    one_name_for_two,
    two_decisions,
    a_title_that_goes,
    a_copy_of_what_goes,
    the_end_of_the_owner,
    the_end_of_others,
]
