"""Reference solutions in every language of the table, and what they say of its factors."""
