"""The judge as a service: HTTP, a queue on disk, tokens and budgets."""

from .model import Budget, ServerError, Settings, Token
from .owner import Record
from .server import JudgeServer
from .work import JudgeFunction

__all__ = ["Budget", "JudgeFunction", "JudgeServer", "Record", "ServerError", "Settings", "Token"]
