"""Reports from the documents of the invoicing program."""

from .errors import BookError
from .model import Account, Book, Document
from .periods import Quarter, calendar_quarter, fiscal_quarter
from .reading import load

__all__ = ["Account", "Book", "BookError", "Document", "Quarter", "calendar_quarter", "fiscal_quarter", "load"]
