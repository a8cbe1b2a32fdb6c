"""What hangouts store: their data model's one table, with canonical and pointer records."""

from commonroom.hangouts.tables.agenda import *
from commonroom.hangouts.tables.attachments import *
from commonroom.hangouts.tables.bring_list import *
from commonroom.hangouts.tables.carpool import *
from commonroom.hangouts.tables.groups import *
from commonroom.hangouts.tables.hangouts import *
from commonroom.hangouts.tables.ideas import *
from commonroom.hangouts.tables.inviter import *
from commonroom.hangouts.tables.offers import *
from commonroom.hangouts.tables.patterns import *
from commonroom.hangouts.tables.places import *
from commonroom.hangouts.tables.polls import *
from commonroom.hangouts.tables.rsvps import *
from commonroom.hangouts.tables.series import *
from commonroom.hangouts.tables.talk import *
from commonroom.hangouts.tables.tickets import *

tables = [inviter]
