"""Random seasons: what happens one after the other, and what at the same time."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from tests.movienight.rounds_support import LARGE
from tests.movienight.service.rounds.races.season import DOINGS, MEMBERS, ONWARDS, Act

# What can be done is likelier than what is refused, or no round would ever come far.
_whats = st.sampled_from([*DOINGS, *[ONWARDS] * len(DOINGS)])
_acts = st.builds(
    Act,
    _whats,
    st.integers(0, MEMBERS - 1),
    st.integers(0, LARGE),
    st.sampled_from([False, False, False, True]),
)
_apart = st.lists(_acts, min_size=1, max_size=4)
_about_one_film = st.builds(
    lambda acts, which: [replace(act, which=which) for act in acts],
    st.lists(_acts, min_size=2, max_size=4),
    st.integers(0, LARGE),
)
seasons = st.lists(_apart | _about_one_film, min_size=3, max_size=15)
"""Moments one after the other."""

_STEPS = ("create", "start", "pick", "watch")
beginnings = st.builds(
    lambda steps, who: [Act(what, 0, who) for what in _STEPS[:steps]],
    st.integers(0, len(_STEPS)),
    st.integers(0, 3),
)
"""How far the first round has come when a season begins, and who takes part in it."""
