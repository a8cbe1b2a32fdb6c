"""Files as other services export them: their shapes are real, their rows are made up."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import msgspec

LETTERBOXD: dict[str, str] = {
    "profile.csv": "Date Joined,Username,Email Address,Favorite Films\n2020-01-01,mo,m@x.test,\n",
    "comments.csv": "Date,Content,Comment\n2021-01-01,https://boxd.it/c,Nice\n",
    "watchlist.csv": (
        "Date,Name,Year,Letterboxd URI\n"
        "2024-01-05,Alien,1979,https://boxd.it/2awY\n"
        '2024-01-06,"Crouching Tiger, Hidden Dragon",2000,https://boxd.it/2aXx\n'
    ),
    "watched.csv": (
        "Date,Name,Year,Letterboxd URI\n"
        "2022-02-01,The Matrix,1999,https://boxd.it/2a1m\n"
        "2022-02-02,Heat,1995,https://boxd.it/29pq\n"
        "2022-02-03,Alien,1979,https://boxd.it/2awY\n"
    ),
    "ratings.csv": (
        "Date,Name,Year,Letterboxd URI,Rating\n"
        "2022-02-01,The Matrix,1999,https://boxd.it/2a1m,4.5\n"
        "2022-02-02,Heat,1995,https://boxd.it/29pq,0.5\n"
    ),
    "diary.csv": (
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
        "2022-02-02,The Matrix,1999,https://boxd.it/e1,3,,cinema,2022-01-31\n"
        "2023-05-06,The Matrix,1999,https://boxd.it/e2,4,Yes,,2023-05-05\n"
    ),
    "reviews.csv": (
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
        "2023-05-06,The Matrix,1999,https://boxd.it/e2,4,Yes,"
        '"Still <b>good</b>,<br>&amp; green.",,2023-05-05\n'
    ),
    "likes/films.csv": "Date,Name,Year,Letterboxd URI\n2022-03-01,Heat,1995,https://boxd.it/29pq\n",
    "lists/autumn-evenings.csv": (
        "Letterboxd list export v7\n"
        "Date,Name,Tags,URL,Description\n"
        '2021-11-06,Autumn evenings,"rain, tea",https://boxd.it/list1,"Two lines,\nwith tea."\n'
        "\n"
        "Position,Name,Year,URL,Description\n"
        "1,Heat,1995,https://boxd.it/29pq,\n"
        "2,Alien,1979,https://boxd.it/2awY,Still holds up\n"
    ),
    "deleted/lists/regrets.csv": (
        "Letterboxd list export v7\n"
        "Date,Name,Tags,URL,Description\n"
        "2020-01-01,Regrets,,https://boxd.it/list2,\n"
        "\n"
        "Position,Name,Year,URL,Description\n"
        "1,Gigli,2003,https://boxd.it/e9,\n"
    ),
    "deleted/diary.csv": (
        "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
        "2020-01-01,Gigli,2003,https://boxd.it/e9,0.5,,,2020-01-01\n"
    ),
}

IMDB_LIST = (
    "Position,Const,Created,Modified,Description,Title,Original Title,URL,Title Type,IMDb Rating,"
    "Runtime (mins),Year,Genres,Num Votes,Release Date,Directors,Your Rating,Date Rated\n"
    "2,tt0903747,2024-02-11,2024-02-11,,Breaking Bad,Breaking Bad,https://www.imdb.com/title/"
    'tt0903747/,TV Series,9.5,49,2008,"Crime, Drama",2100000,2008-01-20,,9,2023-01-02\n'
    "1,tt0078748,2024-01-05,2024-01-05,In space,Alien,Alien,https://www.imdb.com/title/tt0078748/,"
    'Movie,8.5,117,1979,"Horror, Sci-Fi",900000,1979-05-25,Ridley Scott,,\n'
    "3,tt0959621,2024-01-05,2024-01-05,,Pilot,Pilot,https://www.imdb.com/title/tt0959621/,"
    "TV Episode,9,58,2008,Crime,40000,2008-01-20,Vince Gilligan,,\n"
)
IMDB_RATINGS = (
    "Const,Your Rating,Date Rated,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,"
    "Num Votes,Release Date,Directors\n"
    "tt0133093,9,2020-01-02,The Matrix,https://www.imdb.com/title/tt0133093/,movie,8.7,136,1999,"
    '"Action, Sci-Fi",1900000,1999-03-31,"Lana Wachowski, Lilly Wachowski"\n'
)
IMDB_OLD = (
    '"position","const","created","modified","description","Title","Title type","Directors",'
    '"You rated","IMDb Rating","Runtime (mins)","Year","Genres","Num. Votes",'
    '"Release Date (month/day/year)","URL"\n'
    '"1","tt0113277","Mon Jan  5 00:00:00 2015","","","Heat","Feature Film","Michael Mann","8",'
    '"8.2","170","1995","action, crime","400000","1995-12-15","http://www.imdb.com/title/tt0113277/"\n'
)

MATRIX = {
    "title": "The Matrix",
    "year": 1999,
    "ids": {"trakt": 481, "slug": "the-matrix-1999", "imdb": "tt0133093", "tmdb": 603},
}
BREAKING_BAD = {
    "title": "Breaking Bad",
    "year": 2008,
    "ids": {"trakt": 1388, "slug": "breaking-bad", "imdb": "tt0903747", "tmdb": 1396},
}
TRAKT: dict[str, object] = {
    "user-profile.json": {"username": "mo", "private": True},
    "watched-history-1.json": [
        {
            "id": 1,
            "watched_at": "2024-03-01T23:30:00.000Z",
            "action": "watch",
            "type": "movie",
            "movie": MATRIX,
        },
        {
            "id": 2,
            "watched_at": "2024-03-02T20:00:00.000Z",
            "action": "scrobble",
            "type": "episode",
            "episode": {"season": 1, "number": 1, "title": "Pilot", "ids": {"trakt": 73482}},
            "show": BREAKING_BAD,
        },
    ],
    "watched-movies.json": [
        {"plays": 2, "last_watched_at": "2024-04-01T20:00:00.000Z", "movie": MATRIX}
    ],
    "ratings-movies.json": [
        {"rated_at": "2024-03-02T09:00:00.000Z", "rating": 9, "type": "movie", "movie": MATRIX}
    ],
    "ratings-episodes.json": [
        {
            "rated_at": "2024-03-02T09:00:00.000Z",
            "rating": 7,
            "type": "episode",
            "episode": {"season": 1, "number": 1},
            "show": BREAKING_BAD,
        }
    ],
    "comments-movies.json": [
        {
            "type": "movie",
            "movie": MATRIX,
            "comment": {"id": 5, "comment": "Follow the rabbit.", "created_at": "2024-03-02"},
        }
    ],
    "collection-movies.json": [{"collected_at": "2024-01-01T00:00:00.000Z", "movie": MATRIX}],
    "lists-watchlist.json": [
        {
            "rank": 1,
            "id": 9,
            "listed_at": "2024-01-01T10:00:00.000Z",
            "notes": "With popcorn",
            "type": "show",
            "show": BREAKING_BAD,
        }
    ],
    "lists-lists.json": [
        {
            "name": "Mind benders",
            "description": "Red pills.",
            "privacy": "private",
            "display_numbers": True,
            "ids": {"trakt": 77, "slug": "mind-benders"},
        }
    ],
    "lists-list-77-mind-benders.json": [
        {"rank": 2, "listed_at": "2024-01-02T10:00:00.000Z", "type": "show", "show": BREAKING_BAD},
        {"rank": 1, "listed_at": "2024-01-03T10:00:00.000Z", "type": "movie", "movie": MATRIX},
        {"rank": 3, "listed_at": "2024-01-03T10:00:00.000Z", "type": "person", "person": {}},
    ],
    "hidden-recommendations.json": [],
}
TRAKT_HISTORY = (
    "watched_at,action,type,title,year,trakt_rating,trakt_id,imdb_id,tmdb_id,tvdb_id,url,released,"
    "runtime,season_number,episode_number,episode_title,genres\n"
    "2024-03-01T20:00:00Z,watch,movie,The Matrix,1999,8.6,481,tt0133093,603,,https://trakt.tv/m,"
    '1999-03-31,136,,,,"action"\n'
)
TRAKT_RATINGS = (
    "rated_at,type,title,year,trakt_rating,trakt_id,imdb_id,tmdb_id,tvdb_id,url,released,"
    "season_number,episode_number,genres,rating\n"
    "2024-03-01T20:00:00Z,show,Breaking Bad,2008,9.2,1388,tt0903747,1396,81189,https://trakt.tv/s,"
    "2008-01-20,,,drama,10\n"
)
TRAKT_LIST = (
    "rank,listed_at,type,title,year,trakt_id,imdb_id,tmdb_id,tvdb_id,url,released,runtime,genres\n"
    "2,2024-01-02T10:00:00Z,show,Breaking Bad,2008,1388,tt0903747,1396,81189,u,2008-01-20,49,d\n"
    "1,2024-01-01T10:00:00Z,movie,The Matrix,1999,481,tt0133093,603,,u,1999-03-31,136,a\n"
)


def zipped(files: Mapping[str, object], folder: str = "") -> bytes:
    """An archive of files, those that are no text as JSON."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            text = content if isinstance(content, str | bytes) else msgspec.json.encode(content)
            archive.writestr(f"{folder}{name}", text)
    return written.getvalue()
