"""What was made: the state file. Described in docs/state.md."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .errors import GroundworkError
from .kinds import Value

VERSION = 1


@dataclass
class Made:
    """The object that stands for a resource."""

    id: str
    attributes: dict[str, Value]


@dataclass
class State:
    """``resources`` maps addresses to objects, in the order in which they were made."""

    resources: dict[str, Made] = field(default_factory=dict)


def load_state(path: Path) -> State:
    """The state in a file; an empty one if there is no file.

    Raises:
        GroundworkError: the file is no state, or of a later version.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return State()
    except ValueError:
        raise GroundworkError(f"{path}: no state file") from None
    if not isinstance(document, dict) or not isinstance(document.get("version"), int):
        raise GroundworkError(f"{path}: no state file")
    if document["version"] > VERSION:
        raise GroundworkError(f"{path}: version {document['version']} is later than {VERSION}; update groundwork")
    return State({address: Made(**entry) for address, entry in document["resources"].items()})


def save_state(state: State, path: Path) -> None:
    """Replace the file in one step, so that there is always a whole one."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps({"version": VERSION, **asdict(state)}, indent=1) + "\n", encoding="utf-8")
    os.replace(beside, path)
