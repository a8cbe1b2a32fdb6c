"""Look-ups: what other people's servers know of a book or a film, offered and never imposed."""

from commonroom.library.service.lookup.books import BookSource, NoBooks, look_up_book
from commonroom.library.service.lookup.films import FilmFinder, look_up_film
from commonroom.library.service.lookup.offers import BookOffer, Offered, VideoOffer

__all__ = [
    "BookOffer",
    "BookSource",
    "FilmFinder",
    "NoBooks",
    "Offered",
    "VideoOffer",
    "look_up_book",
    "look_up_film",
]
