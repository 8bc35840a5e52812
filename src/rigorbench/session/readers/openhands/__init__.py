"""OpenHands: V0 and V1 logs."""

from .reader import READERS as READERS
