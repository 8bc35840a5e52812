"""One session: its page, its timeline, its terminal view; and the overview of many."""
