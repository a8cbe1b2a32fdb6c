"""What watchlists store: their data model's one table, named WorthWatch."""

from commonroom.titles.tables import worth_watch
from commonroom.watchlists.tables.discovery import *
from commonroom.watchlists.tables.imports import *
from commonroom.watchlists.tables.lists import *
from commonroom.watchlists.tables.opinions import *
from commonroom.watchlists.tables.people import *

tables = [worth_watch]
