"""Who borrowed what in the demonstration, in the last year and now."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Loan(Struct, frozen=True):
    """A loan; days count back from today."""

    title: str
    to: str
    lent: int
    returned: int | None = None
    """None while it lasts."""
    due: int | None = None
    """In so many days; a negative one was so long ago."""
    has_account: bool = False


RUTH, KARL, OKAFOR, SAM = "Grandma Ruth", "Uncle Karl", "Mrs Okafor", "Sam from work"
INES, TOM = "Inès", "Tom"

LOANS: Sequence[Loan] = (
    Loan("Pride and Prejudice", RUTH, 340, 301),
    Loan("Mort", TOM, 330, 318),
    Loan("The Name of the Rose", KARL, 322, 240),
    Loan("Asterix in Britain", TOM, 310, 296),
    Loan("Akira", SAM, 305, 290),
    Loan("Guards! Guards!", TOM, 298, 281),
    Loan("Amélie", INES, 290, 283),
    Loan("My Brilliant Friend", OKAFOR, 276, 251),
    Loan("The Story of a New Name", OKAFOR, 251, 228),
    Loan("Dune", SAM, 247, 198),
    Loan("Those Who Leave and Those Who Stay", OKAFOR, 228, 205),
    Loan("Comet in Moominland", INES, 221, 207),
    Loan("Blade Runner", TOM, 214, 200),
    Loan("The Story of the Lost Child", OKAFOR, 205, 176),
    Loan("Emma", RUTH, 190, 162),
    Loan("Dune", TOM, 181, 139),
    Loan("The Hidden Life of Trees", KARL, 170, 121),
    Loan("Tintin in Tibet", TOM, 166, 158),
    Loan("Persuasion", RUTH, 160, 131),
    Loan("Spirited Away", INES, 150, 143),
    Loan("Mort", INES, 132, 104),
    Loan("Run Lola Run", SAM, 118, 111),
    Loan("Beloved", OKAFOR, 109, 77),
    Loan("Hot Fuzz", TOM, 96, 88),
    Loan("Piranesi", INES, 84, 61),
    Loan("The Lives of Others", KARL, 70, 63),
    Loan("Emma", OKAFOR, 58, 33),
    Loan("Watchmen", SAM, 45, 20),
    Loan("The Master and Margarita", RUTH, 52, due=-9),
    Loan("Station Eleven", INES, 27, due=1, has_account=True),
    Loan("The Hitchhiker's Guide to the Galaxy", TOM, 12, due=18, has_account=True),
    Loan("Jerusalem", OKAFOR, 6),
    Loan("Parasite", SAM, 3, due=11),
)
