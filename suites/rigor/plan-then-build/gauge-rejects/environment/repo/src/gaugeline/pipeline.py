"""A pipeline: stages in their order, made from a TOML file."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from .errors import GaugeError
from .stages import STAGES, Stage

PARSE = "parse"


class Pipeline:
    def __init__(self, tables: list[dict[str, Any]], place: str = "pipeline") -> None:
        """Stages from tables of their name and options.

        Raises:
            GaugeError: a stage or an option that there is not, or a stage twice.
        """
        self.stages: list[Stage] = []
        for table in tables:
            options = dict(table)
            name = options.pop("name", None)
            if name not in STAGES:
                raise GaugeError(f"{place}: no such stage: {name}; there are {', '.join(sorted(STAGES))}")
            if any(stage.name == name for stage in self.stages):
                raise GaugeError(f"{place}: {name}: the stage is there twice")
            known = option_names(STAGES[name])
            for option, value in options.items():
                if option not in known:
                    raise GaugeError(f"{place}: {name}: no such option: {option}")
                if isinstance(value, bool) or not isinstance(value, int | float):
                    raise GaugeError(f"{place}: {name}: {option}: a number is needed")
            self.stages.append(STAGES[name](**options))

    @property
    def names(self) -> list[str]:
        """Where a reading may be rejected, in order: reading the line comes first."""
        return [PARSE, *(stage.name for stage in self.stages)]

    def fingerprint(self) -> str:
        """The same for the same stages with the same options in the same order."""
        told = [[stage.name, {o: float(getattr(stage, o)) for o in option_names(type(stage))}] for stage in self.stages]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def option_names(kind: type[Stage]) -> list[str]:
    return [option.name for option in dataclasses.fields(kind) if option.init]  # type: ignore[arg-type]


def load_pipeline(path: Path) -> Pipeline:
    """The pipeline in a TOML file.

    Raises:
        GaugeError: the file is not as it should be.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GaugeError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise GaugeError(f"{path}: {error}") from None
    tables = document.get("stage", [])
    if set(document) - {"stage"} or not isinstance(tables, list):
        raise GaugeError(f"{path}: only [[stage]] tables may stand here")
    return Pipeline(tables, str(path))
