"""What can go wrong with a log or a store, said in one line."""


class FootfallError(Exception):
    """A log or a store cannot be used."""
