"""YAML files of a package, read strictly: every error is one line with the file, the key and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NoReturn

from ...base.extras import install
from .problem import PackageError

# A description is small; more is a mistake or an attack.
_LARGEST: Final = 1 << 20
# The largest number: exact in a float, and as a limit in MiB still a number of bytes in 64 bits.
_GREATEST: Final = 1 << 42


class YamlMapping:
    """A mapping of a YAML file. Its keys are read one by one; `done` fails when one is left, such as a misspelt one."""

    def __init__(self, file: str, values: dict[str, Any], where: str = "") -> None:
        self.file = file
        self.where = where
        self._values = values
        self._taken: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def fail(self, key: str, what: str) -> NoReturn:
        raise PackageError(f"{self.file}: {self.where}{key}: {what}")

    def take(self, key: str) -> Any:
        """The raw value; None when the key is missing or null."""
        self._taken.add(key)
        return self._values.get(key)

    def text(self, key: str, default: str | None = None, *, choices: tuple[str, ...] = ()) -> str | None:
        value = self.take(key)
        if value is None:
            return default
        if not isinstance(value, str):
            self.fail(key, f"must be a text, not {_kind(value)}; put it in quotes")
        if choices and value not in choices:
            self.fail(key, f"{value!r} is not one of {', '.join(choices)}")
        return value

    def number(self, key: str, default: float | None = None, *, least: float = 0, above: bool = False) -> float | None:
        value = self.take(key)
        if value is None:
            return default
        if not is_number(value):
            self.fail(key, f"must be a number, not {_kind(value)}")
        if value < least or (above and value == least):
            self.fail(key, f"must be {'above' if above else 'at least'} {least:g}, not {value:g}")
        return float(value)

    def whole(self, key: str, default: int | None = None, *, least: int = 0) -> int | None:
        value = self.take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(key, f"must be a whole number, not {_kind(value)}")
        if value < least:
            self.fail(key, f"must be at least {least}, not {_kind(value)}")
        if value > _GREATEST:
            self.fail(key, "is too large")
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key)
        if value is None:
            return False
        if not isinstance(value, bool):
            self.fail(key, f"must be true or false, not {_kind(value)}")
        return value

    def texts(self, key: str, *, one: bool = False) -> tuple[str, ...] | None:
        """A sequence of texts; with ``one`` a single text counts as a sequence of one."""
        value = self.take(key)
        if value is None:
            return None
        if one and isinstance(value, str):
            return (value,)
        if not isinstance(value, list):
            self.fail(key, f"must be a list of texts, not {_kind(value)}")
        for item in value:
            if not isinstance(item, str):
                self.fail(key, f"every item must be a text, not {_kind(item)}; put it in quotes")
        return tuple(value)

    def table(self, key: str) -> YamlMapping | None:
        value = self.take(key)
        return None if value is None else self._nested(key, value)

    def tables(self, key: str) -> list[YamlMapping]:
        value = self.take(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(key, f"must be a list, not {_kind(value)}")
        return [self._nested(f"{key}[{index}]", item) for index, item in enumerate(value)]

    def items(self) -> Iterator[tuple[str, Any]]:
        """The keys that were not read yet, with their values."""
        for key in self._values:
            if key not in self._taken:
                self._taken.add(key)
                yield key, self._values[key]

    def done(self) -> None:
        """Raises: PackageError: there is a key that was not read."""
        for key in self._values:
            if key not in self._taken:
                self.fail(key, f"unknown key; known keys here: {', '.join(sorted(self._taken))}")

    def nested(self, key: str) -> YamlMapping:
        """The mapping under a key. Raises: PackageError: the value is not one."""
        return self._nested(key, self.take(key))

    def _nested(self, key: str, value: Any) -> YamlMapping:
        if not isinstance(value, dict):
            self.fail(key, f"must be a mapping (key: value), not {_kind(value)}")
        for name in value:
            if not isinstance(name, str):
                self.fail(key, f"its key {name!r} must be a text; put it in quotes")
        return YamlMapping(self.file, value, f"{self.where}{key}.")


def is_number(value: object) -> bool:
    """Whether a value of YAML is a finite number that fits into a float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -_GREATEST <= value <= _GREATEST


def read_table(path: Path, notes: list[str] | None = None) -> YamlMapping:
    """The mapping in a YAML file; an empty file is an empty mapping.

    Args:
        notes: gets a line for each key that is given twice, of which the last one counts; None: that is an error.

    Raises:
        PackageError: it cannot be read, is not YAML or not a mapping; or PyYAML is not installed.
    """
    return parse_table(read_text(path), str(path), notes)


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


def parse_table(text: str, shown: str, notes: list[str] | None = None) -> YamlMapping:
    """Like `read_table`, from text."""
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
        raise PackageError(f"{shown}: must be a mapping (key: value), not {_kind(value)}")
    for name in value:
        if not isinstance(name, str):
            raise PackageError(f"{shown}: the key {name!r} must be a text; put it in quotes")
    return YamlMapping(shown, value)


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        text = str(value) if isinstance(value, float) or abs(value) <= _GREATEST else "..."
        return f"the number {text}"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, list):
        return "a list"
    return "a mapping" if isinstance(value, dict) else f"a {type(value).__name__}"
