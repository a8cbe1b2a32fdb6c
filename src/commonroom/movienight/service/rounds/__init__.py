"""The life of a round, a module for each step; every step is one write, which happens or not."""
