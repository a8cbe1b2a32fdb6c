"""Two libraries for the demonstration: what is on the shelves, and a year of lending."""
