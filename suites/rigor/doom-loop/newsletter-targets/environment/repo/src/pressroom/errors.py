"""What can go wrong with a build, said in one line."""


class PressError(Exception):
    """A build file, a target or one of its files cannot be used."""
