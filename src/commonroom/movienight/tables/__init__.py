"""What movie night stores: its data model's eleven tables and three of the same style."""

from commonroom.accounts.tables import users
from commonroom.movienight.tables.films import *
from commonroom.movienight.tables.households import *
from commonroom.movienight.tables.rounds import *
from commonroom.titles.tables import tmdb_cache

tables = [
    users,
    groups,
    group_memberships,
    preferences,
    invites,
    rounds,
    suggestions,
    votes,
    picks,
    ratings,
    tmdb_cache,
    wish_list,
    watched_films,
    pending_picks,
]
