"""The way through the house: its menus, and the page where anything new begins."""
