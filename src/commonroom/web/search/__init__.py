"""Search for people and programs: one box over all that they may see."""
