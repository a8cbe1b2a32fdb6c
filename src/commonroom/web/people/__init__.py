"""People in the browser: the front door, one's own pages, and who may come in."""
