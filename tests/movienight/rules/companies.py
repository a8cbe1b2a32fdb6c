"""Any company that could sit down together, for tests of rules."""

from __future__ import annotations

from itertools import combinations

from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.movienight.rules.preferences import CEILINGS, Attendee
from commonroom.movienight.tables import Preferences
from commonroom.titles.films import CERTIFICATIONS, Film
from commonroom.titles.genres import GENRES

MOMENT = "2026-05-31T18:00:00.000Z"

FEW = sorted(GENRES)[:6]
"""So few that people agree now and then, and more than anybody likes."""

genre_ids = st.sampled_from(FEW)
ceilings = st.sampled_from(CEILINGS)


@st.composite
def preferences(draw: st.DrawFn) -> Preferences:
    """What somebody chose."""
    likes = draw(st.lists(genre_ids, min_size=2, max_size=4, unique=True))
    dislikes = draw(st.lists(genre_ids, max_size=4, unique=True))
    return Preferences(
        group_id="home",
        user_id="somebody",
        genre_likes=likes,
        genre_dislikes=[one for one in dislikes if one not in likes],
        max_content_rating=draw(ceilings),
        updated_at=MOMENT,
    )


@st.composite
def attendees(draw: st.DrawFn) -> Attendee:
    """Somebody with an account or without, who said what they like or did not."""
    is_managed = draw(st.booleans())
    member = User(
        user_id="somebody",
        display_name="Somebody",
        is_managed=is_managed,
        content_rating_ceiling=draw(ceilings) if is_managed else None,
        created_at=MOMENT,
    )
    return Attendee(member, draw(st.none() | preferences()))


companies = st.lists(attendees(), min_size=1, max_size=8)

FILMS = [
    Film(tmdb_id=number, title="A film", year=2000, genres=genres, certification=rated)
    for number, (genres, rated) in enumerate(
        (genres, rated)
        for size in range(3)
        for genres in combinations(FEW, size)
        for rated in (None, *CERTIFICATIONS)
    )
]
"""A film of every kind that a taste can tell apart, so that hardly any mistake goes unnoticed."""
