"""The judge as a service: HTTP, a queue on disk, tokens and budgets."""

from .owner import OwnerRecord
from .records import ServerError, ServerSettings, SubmissionBudget, Token
from .server import JudgeServer
from .work import JudgeFunction

__all__ = ["JudgeFunction", "JudgeServer", "OwnerRecord", "ServerError", "ServerSettings", "SubmissionBudget", "Token"]
