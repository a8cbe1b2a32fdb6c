"""Notifications as people see them: their list, the bell, and the browsers that show them."""
