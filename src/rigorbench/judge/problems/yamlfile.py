"""YAML files of a package, read strictly: every error is one line with the file, the key and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import msgspec

from ...base.extras import install
from ...base.strict import with_key
from .problem import GREATEST, PackageError

# A description is small; more is a mistake or an attack.
_LARGEST: Final = 1 << 20
# The values of a type as it is written.
_LITERAL: Final = re.compile(r"Literal\[(.*?)\]")
_ENUM: Final = re.compile(r"Invalid enum value ('.*')")
_FIELD: Final = re.compile(r"Object (contains unknown|missing required) field `(.*)`")
T = TypeVar("T")
# One text, or several.
Texts = str | tuple[str, ...]


def texts(value: Texts) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def convert(
    values: Any, kind: type[T], where: str, place: str = "", hook: Callable[[type, Any], Any] | None = None
) -> T:
    """The content of a file or a part of it as `kind`; a key without a value counts as missing.

    `where`: the file, `place`: the keys in it that lead to the part. `hook`: makes what YAML does not have, such as
    paths. Its ValueError is the user's. Raises: PackageError.
    """
    try:
        return msgspec.convert(_given(values, kind), kind, dec_hook=hook)
    except msgspec.ValidationError as error:
        text = with_key(str(error).replace(" | null", ""), place)
        keys, _, problem = text.rpartition(": ")
        if match := _FIELD.fullmatch(problem):
            known = ", ".join(sorted(_fields(_type_at(kind, keys, place))))
            what = f"unknown key; known keys here: {known}" if match[1] == "contains unknown" else "missing"
            text = f"{keys}.{match[2]}: {what}".lstrip(".")
        elif match := _ENUM.fullmatch(problem):
            choices = "".join(_LITERAL.findall(str(_type_at(kind, keys, place)))[:1]).replace("'", "")
            text = f"{keys}: {match[1]} is not one of {choices}"
        elif "Expected `str`, got" in text and not text.endswith(("`object`", "`array`")):
            text += "; put it in quotes"
        raise PackageError(f"{where}: {text}") from None


def _type_at(kind: Any, keys: str, place: str) -> Any:
    for key in filter(None, keys.removeprefix(place.rstrip(".")).split(".")):
        kind = _fields(kind).get(key.partition("[")[0])
    return kind


@cache
def _fields(kind: Any) -> dict[str, Any]:
    """Key -> type of a class, or of the first class in a type; empty: there is none."""
    found = next((one for one in (kind, *get_args(kind)) if hasattr(one, "__struct_fields__")), None)
    return {field.encode_name: field.type for field in msgspec.structs.fields(found)} if found is not None else {}


def _given(value: Any, kind: Any) -> Any:
    fields = _fields(kind)
    if not isinstance(value, dict) or not fields:
        return value
    return {key: _given(v, fields.get(key)) for key, v in value.items() if v is not None or key not in fields}


def is_number(value: object) -> bool:
    """Whether a value of YAML is a finite number that fits into a float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -GREATEST <= value <= GREATEST


def read_yaml(path: Path, notes: list[str] | None = None) -> dict[str, Any]:
    """The mapping in a YAML file; an empty file is an empty mapping.

    `notes`: gets a line for each key that is given twice, of which the last one counts; None: that is an error. Raises:
    PackageError: it cannot be read, is not YAML or not a mapping; or PyYAML is not installed.
    """
    return parse_yaml(read_text(path), str(path), notes)


def read_text(path: Path) -> str:
    """UTF-8 text of a file of bounded size. Raises: PackageError."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise PackageError(f"{path}: {error.strerror or error}") from None
    if len(data) > _LARGEST:
        raise PackageError(f"{path}: larger than {_LARGEST >> 10} KiB; shorten it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None


def dump_yaml(path: Path, value: dict[str, Any]) -> None:
    """Write a YAML file, and the directories above it. Raises: OSError."""
    import yaml

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=120), "utf-8")


def parse_yaml(text: str, shown: str, notes: list[str] | None = None) -> dict[str, Any]:
    """Like `read_yaml`, from text."""
    try:
        import yaml
    except ImportError:
        raise PackageError(f"packages are YAML, and PyYAML is not installed; {install('judge')}") from None

    class Loader(yaml.SafeLoader):
        pass

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
        loader.flatten_mapping(node)
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int, float, bool, type(None))):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a text", key_node.start_mark)
            if key in found and notes is not None:
                notes.append(f"{Path(shown).name}: the key {key!r} is given twice; the last one counts")
            elif key in found:
                # PyYAML would silently take the last one.
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is given twice", key_node.start_mark
                )
            found[key] = loader.construct_object(value_node, deep=True)
        return found

    Loader.add_constructor("tag:yaml.org,2002:map", mapping)
    try:
        value = yaml.load(text, Loader)
    except RecursionError:
        raise PackageError(f"{shown}: nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        line = f" line {error.problem_mark.line + 1}:" if error.problem_mark is not None else ""
        raise PackageError(f"{shown}:{line} {error.problem or error.context or 'not YAML'}") from None
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())[:160]
        raise PackageError(f"{shown}: not YAML: {reason}") from None
    value = {} if value is None else value
    if not isinstance(value, dict):
        raise PackageError(f"{shown}: must be a mapping (key: value)")
    for name in value:
        if not isinstance(name, str):
            raise PackageError(f"{shown}: the key {name!r} must be a text; put it in quotes")
    return value
