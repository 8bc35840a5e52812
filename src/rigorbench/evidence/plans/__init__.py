"""Plans and their revisions, and what the user asked for."""
