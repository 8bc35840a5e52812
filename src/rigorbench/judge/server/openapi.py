"""The description of the API: ``openapi.yaml`` beside this file, schemas of bodies, and what a token may know."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import msgspec

from ...base.version import __version__
from . import answers
from .records import GIT, ServerSettings

Schema = dict[str, Any]
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_REFERENCE: Final = "#/components/schemas/{name}"


def document() -> Schema:
    """The file, without what depends on the token and the settings."""
    import yaml

    text = Path(__file__).with_suffix(".yaml").read_text("utf-8")
    found: Schema = yaml.safe_load(text)
    del found["shared"]
    names = sorted(set(re.findall(_REFERENCE.format(name=r"(\w+)"), text)))
    bodies = [getattr(answers, name) for name in names]
    _, found["components"]["schemas"] = msgspec.json.schema_components(bodies, ref_template=_REFERENCE)
    found["info"]["version"] = __version__
    return found


def _submit_form(languages: list[str]) -> Schema:
    """One of: source text; a file; a revision, of the repository or of a bundle."""
    code = {"type": "string", "minLength": 1, "description": "source text; for the language git, a revision"}
    file = {
        "type": "string",
        "format": "binary",
        "description": "a source file, a tar archive (plain or compressed), or a git bundle",
    }
    others = [name for name in languages if name != GIT]

    def one(names: list[str], required: str, **fields: Any) -> Schema:
        # A text of a form that is no program: a zero byte in it is refused.
        language = {"type": "string", **({"enum": names} if names else {"pattern": r"^[^\x00]*$"})}
        return {"type": "object", "properties": {"language": language, **fields}, "required": ["language", required]}

    forms = [one(languages, "code", code=code, file=False)]
    if others or not languages:
        forms.append(one(others, "file", file=file, code=False))
    if GIT in languages or not languages:
        forms.append(one([GIT], "file", file=file, code=code))
    return {"oneOf": forms}


def describe(problem: str | None, languages: list[str], settings: ServerSettings) -> Schema:
    """The whole document for a token's problem and its languages; None and none of them: for anybody."""
    found = document()
    found["info"]["description"] += f" A request may have at most {settings.request} bytes."
    for path, item in found["paths"].items():
        if "{problem}" in path and problem is not None:
            item["parameters"][0]["schema"] = {"type": "string", "enum": [problem]}
        if path.endswith("/submit"):
            content = {kind: {"schema": _submit_form(languages)} for kind in (MULTIPART, URLENCODED)}
            item["post"]["requestBody"] = {"required": True, "content": content}
    return found
