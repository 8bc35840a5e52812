"""The tab of a shared household."""

from .balances import Transfer, balances, settle
from .model import Expense, Split, TabError
from .splits import shares
from .storage import load, parse

__all__ = ["Expense", "Split", "TabError", "Transfer", "balances", "load", "parse", "settle", "shares"]
