"""What follows from changes of hangouts."""
