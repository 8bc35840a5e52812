"""The panel: judges that answer yes/no questions about excerpts of a session, and their votes, which are kept."""
