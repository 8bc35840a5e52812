"""Hex maps, gazetteers and chronicles for an evening of play."""

from .chronicle import chronicle
from .errors import WorldError
from .gazetteer import gazetteer
from .render import render
from .world import World, generate

__all__ = ["World", "WorldError", "chronicle", "gazetteer", "generate", "render"]
