"""A ledger of releases, with a seal on every record."""

from .errors import LedgerError
from .keyring import Keyring
from .ledger import Ledger
from .record import Record

__all__ = ["Keyring", "Ledger", "LedgerError", "Record"]
