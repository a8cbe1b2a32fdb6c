"""The library: the books and films on our shelves, in collections, lent, returned, shared."""
