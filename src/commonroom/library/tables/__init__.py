"""What the library stores: its data model's one table, and an index for what is given away."""

from commonroom.library.tables.imports import *
from commonroom.library.tables.items import *
from commonroom.library.tables.libraries import *
from commonroom.library.tables.patterns import *

tables = [media]
