"""What can go wrong."""


class LedgerError(ValueError):
    """A ledger or a keyring cannot be used; the message names the file and says why."""


class UnknownKey(LedgerError):
    """A key is not in the ring."""
