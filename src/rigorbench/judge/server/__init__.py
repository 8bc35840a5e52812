"""The judge as a service: HTTP, a queue on disk, tokens and budgets."""

from .model import ServerError, ServerSettings, SubmissionBudget, Token
from .owner import OwnerRecord
from .server import JudgeServer
from .work import JudgeFunction

__all__ = ["JudgeFunction", "JudgeServer", "OwnerRecord", "ServerError", "ServerSettings", "SubmissionBudget", "Token"]
