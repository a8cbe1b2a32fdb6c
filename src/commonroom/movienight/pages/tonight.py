"""Tonight on the household's home: the open round, or the film that was picked last."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.movienight import words
from commonroom.movienight.pages.cards import FilmCard, of_pick
from commonroom.movienight.pages.evenings import address_of
from commonroom.movienight.pages.everybody import Someone
from commonroom.movienight.service.homes import Tonight
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Pick, Round
from commonroom.web.words import _, listed


class Face(Struct, frozen=True):
    """Somebody who takes part tonight."""

    member_id: str
    user: User | None
    """None where they are no longer in the household."""
    voted: bool

    @property
    def display_name(self) -> str:
        """What they are called."""
        return _("Former member") if self.user is None else self.user.display_name

    @property
    def avatar_key(self) -> str | None:
        """Their picture."""
        return None if self.user is None else self.user.avatar_key


class TonightCard(Struct, frozen=True, kw_only=True):
    """Tonight, or the last evening until everybody here has said how it was."""

    round: Round
    faces: list[Face]
    is_yours: bool
    """Whether a vote or a rating is missing of whoever asks."""
    is_childs: bool
    """Whether one is missing of a member whom they manage."""
    starter: str
    is_started_by_you: bool
    pick: Pick | None
    card: FilmCard | None

    @property
    def address(self) -> str:
        """Its page."""
        return address_of(self.round.round_id)

    @property
    def company(self) -> str:
        """Everybody who takes part, by name."""
        return listed([one.display_name for one in self.faces])

    @property
    def progress(self) -> str:
        """How many have voted, in words."""
        return words.progress(sum(one.voted for one in self.faces), len(self.faces))


def tonight_card(seat: Seat, here: Sequence[Someone], tonight: Tonight) -> TonightCard | None:
    """Tonight as whoever sits there sees it.

    None where the film was watched and nobody at this screen has still to say how it was.
    """
    users = {one.user.user_id: one.user for one in here}
    picked, round_ = tonight.picked, tonight.round
    done = tonight.voted if picked is None else frozenset(picked.ratings)
    missing = [
        one
        for one in tonight.attendees
        if one not in done and _is_at_this_screen(seat, users.get(one))
    ]
    if round_.status == "watched" and not missing:
        return None
    starter = users.get(round_.started_by)
    return TonightCard(
        round=round_,
        faces=[Face(one, users.get(one), one in tonight.voted) for one in tonight.attendees],
        is_yours=seat.member_id in missing,
        is_childs=any(one != seat.member_id for one in missing),
        starter=_("Former member") if starter is None else starter.display_name,
        is_started_by_you=round_.started_by == seat.member_id,
        pick=None if picked is None else picked.pick,
        card=None if picked is None else of_pick(picked.pick, picked.film),
    )


def _is_at_this_screen(seat: Seat, user: User | None) -> bool:
    return user is not None and seat.member_id in (user.user_id, user.parent_user_id)
