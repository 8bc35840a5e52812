"""``config.json`` of an ACMOJ package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

from ..model import PackageError

MARKER: Final = "config.json"
# SPJ -> what a submission is, and how its output is judged.
KINDS: Final = {
    0: ("source", "compare"),
    1: ("source", "checker"),
    2: ("header", "score"),
    3: ("header", "compare"),
    4: ("header", "checker"),
    5: ("output", "checker"),
}


class AcmojGroup(Struct, rename="pascal"):
    group_score: float
    test_points: list[int]
    group_name: str | None = None
    # The field is GroupID.
    group_id: int = msgspec.field(default=0, name="GroupID")


class Detail(Struct, rename="pascal"):
    id: int = msgspec.field(name="ID")
    dependency: int | None = None
    time_limit: int | None = None
    memory_limit: int | None = None
    disk_limit: int | None = None
    file_number_limit: int | None = None
    valgrind_test_on: bool = False


class Config(Struct, rename="pascal"):
    groups: list[AcmojGroup]
    details: list[Detail]
    compile_time_limit: int | None = None
    spj: int = msgspec.field(default=0, name="SPJ")
    scorer: int = 0
    supported_files: list[str] = field(default_factory=list)
    verilog: bool = False
    quiz: bool = False


def read_config(path: Path) -> Config:
    try:
        config = msgspec.json.decode(path.read_bytes(), type=Config)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PackageError(f"{path}: {error}") from None
    for what, there in (("Verilog", config.verilog), ("Quiz", config.quiz), ("Scorer", config.scorer)):
        if there:
            raise PackageError(f"{path}: {what}: such problems cannot be judged here")
    if config.spj not in KINDS:
        raise PackageError(f"{path}: SPJ: {config.spj} is not one of 0 to 5")
    if not config.groups or not config.details:
        raise PackageError(f"{path}: Groups and Details must not be empty")
    count = len(config.details)
    for group in config.groups:
        wrong = [point for point in group.test_points if not 1 <= point <= count]
        if wrong or not group.test_points or not 0 <= group.group_score < 1e9:
            raise PackageError(f"{path}: group {group.group_id}: TestPoints or GroupScore out of range")
    for index, detail in enumerate(config.details, start=1):
        if not 0 <= (detail.dependency or 0) <= count or detail.dependency == index:
            raise PackageError(f"{path}: Details {index}: Dependency {detail.dependency} is not another entry")
    return config
