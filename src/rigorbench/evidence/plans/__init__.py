"""Plans and their revisions, and the user's request."""
