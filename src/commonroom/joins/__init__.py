"""The contracts between rooms: what a room offers to the house and to others."""
