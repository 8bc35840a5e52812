"""Pickup codes for parcel lockers."""

from .code import CODE_LENGTH, decode, encode
from .errors import CodeError
from .labels import label
from .parcel import Parcel

__all__ = ["CODE_LENGTH", "CodeError", "Parcel", "decode", "encode", "label"]
