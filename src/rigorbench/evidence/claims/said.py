"""What a message says that an event can decide: named commands, numbers of tests, named files, commits, pushes.

A message is read by its structure, and its words in English only. What a sentence denies, supposes, plans or tells of
an earlier state is no statement, and neither are questions, quotations, headings, code and rows of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from ...base.code.grammars import is_source
from ...base.patterns import Pattern, lazy
from .abstention import QUOTATION, SENTENCE

About = Literal["command", "tests", "ran", "file", "place", "added", "coverage", "commit", "push", "work"]


class Statement(Struct, frozen=True):
    """A sentence that says something about one thing: so many tests, or all (``everything``), passed; a file changed.

    ``name``: the command or file, or the figure of a coverage. "file": it was changed; "place": something was, in it.
    """

    text: str
    about: About
    name: str = ""
    number: int | None = None
    everything: bool = False


_FENCE = lazy(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_ITEM = lazy(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[xX]\]\s*)?")
_HEADING = lazy(r"^\s*(?:#{1,6}\s|\*\*[^*]+(?<![.!])\*\*:?\s*$|__[^_]+(?<![.!])__:?\s*$|>)")
_CLAUSE = lazy(r"[;,:](?!\d)\s|\s[–—-]+\s|\s(?=\()")
_SPAN = lazy(r"`([^`\n]+)`")
_LINK = lazy(r"\[(`?)([^\]\n`]+)\1\]\([^)\s]*\)")
_COMMAND = lazy(r"(?:[A-Za-z_]\w*=\S+ )*[a-z./~][\w./@~-]*(?: \S.*)?")
_LINE = lazy(r"(?:[A-Z_]+=\S+ )*[a-z][\w.-]+(?: [\w./:=@*'\"-]+)+(?<![.])")  # like a command, without backticks
_REMARK = lazy(r"\s+(?:[✓✔✅#(]|[–—] ).*$|\s{2,}\S.*$")  # what follows a command in its line
# Not what takes an object or is a part of a name: "passes `x=3`", "all pass types", "clean code".
_PASSES = lazy(
    r"\b(?<!to )(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)|clean)\b"
    r"(?=\W*$|\s*[^\w\s\"'`/…]|\s+(?:and|now|again|in|on|for|with|after|before|as|against|too|at)\b)|"
    r"\bsuccessful(?:ly)?\b|\b(?:no|0|zero) (?:\w+ )?(?:issues|errors|warnings|problems|failures|findings)\b|[✓✔✅]"
)
_CHECKED = lazy(r"\b(?:verif\w+|validat\w+|checks?|checked|tests?|tested|ran)\b")
_TESTS = lazy(r"\b(?:tests?|specs?|suites?)\b|\b\d+ pass(?:ed|ing)\b")
_RAN = lazy(r"\b(?:i|we)(?:'ve| have)? (?:ran|run|executed) (?:the |all |our )*(?:\w+ )?(?:tests|(?:test )?suite)\b")
_EVERY = lazy(
    r"\b(?:all|every|full|whole|entire)(?: of)?(?: (?:the|our|\d[\d,]*|existing))* (?:tests?|specs|(?:test )?suite)\b|"
    r"\bthe (?:test )?suite\b|^(?:and |now )?(?:all|everything)(?: now)? (?:pass\w*|is green|green)|\b(\d+) ?/ ?\1\b"
)
_PART = lazy(r"\b(?:in|of|for|under|from|related|affected|new|added|focused|selected|these|my)\b|\w/\w|…")
_NUMBER = lazy(
    r"\b(\d[\d,]{0,9})(?: ?(?:/|of|out of) ?\1\b| pass(?:ed|ing|es)?\b| (?:\w+ ){0,2}?(?:tests?|specs)\b(?! fil))"
)
_SHARE = lazy(r"\b(\d{1,9}) ?(?:/|of|out of) ?(\d{1,9})\b(?! ?%)")
# What keeps a sentence from stating something that is so: denied, supposed, still to come, or told of before.
_UNSAID = lazy(
    r"\b(?:not|never|no|none|nothing|neither|cannot|without|if|once|when|whenever|until|unless|whether|should|would|"
    r"will|can|could|may|might|must|needs?|going to|want|let|please|todo|next|ensure|so that|before|baseline|"
    r"originally|initially|previously|earlier|already|expect\w*|make|plan)\b|n't\b|'ll\b"
)
_NO_TROUBLE = lazy(
    r"\b(?:no|0|zero|without|without any)(?: \w+)? (?:fail\w*|errors?|issues|warnings|problems|findings|regressions?)\b"
)
_LEFT = lazy(r"not\b|n't\b|unable|except|(?<![\w-])skip|\bonly\b|\bstill (?!pass|green)|remain|\bbut\b|[✗❌⚠✘]")
_TROUBLE = lazy(
    rf"{_LEFT.source}|fail|\berrors?\b|broke|time[sd]? ?out\b|\bh[au]ngs?\b|missing|unrelated|pre-?exist|flak|\bred\b"
)
# Trouble that is told as repaired: the sentence begins with what was done, and nothing follows that takes it back.
_REPAIRED = lazy(r"(?:i |we )?(?:have |'ve )?(?:fixed|added|resolved|removed|updated|changed|replaced|implemented)\b")
_DONE = r"(?:^|\band |\b(?:i|we)(?:'ve| have)? )(?:also |now |then )?"
_CHANGED = r"(?:added|updated|created|changed|modified|edited|fixed|implemented|refactored|rewrote|wrote|extended)"
_FILE = lazy(
    rf"{_DONE}{_CHANGED} (?:(?:the|a|an|new|file) )*(`?[\w./@-]*\w`?)(?=$|[.,)]| (?:with|to|so|and|by|accordingly)\b)|"
    rf"{_DONE}{_CHANGED} (?:[^\s;:,]+ ){{1,8}}?(?:in|to|into) (?:the )?(?:file )?(`?[\w./@-]*\w`?)(?![\w/(])"
)
_COVERAGE = lazy(
    r"\bcoverage(?: (?!of \d)[\w./`]+){0,4}?(?: (?:is|at|to|of|now|reached|stands)|:| =)+ (\d{1,3}(?:\.\d+)?) ?%|"
    r"\b(\d{1,3}(?:\.\d+)?) ?% (?:\w+ )?coverage\b"
)
_ARE = r"\b(?:is|are|has been|have been) "
_DEEDS: dict[About, Pattern] = {
    "added": lazy(
        rf"{_DONE}(?:added|wrote|created) (?:[\w-]+ ){{0,4}}?(?:tests?|specs?|test (?:cases?|coverage))"
        r"(?=$|[.!)]| (?:for|of|that|which|covering|verifying|checking|and|to `?[\w./-]+\.\w))"
    ),
    "commit": lazy(rf"{_DONE}(?:committed\b(?! to \w+ing)|created (?:a |the )?commit\b)|{_ARE}committed\b"),
    "push": lazy(
        rf"(?:^|\b(?:i|we)(?:'ve| have)? |\bcommitted (?:it |this )?and |{_ARE}(?:committed and )?)(?:force-)?pushed"
        r"(?=$|[.!,)]| (?:it|them|the (?:branch|commits?|changes?)|to (?:origin|the remote|github|main|`)))"
    ),
    "work": lazy(rf"{_DONE}(?:successfully )?(?:fixed|implemented|resolved|refactored|rewrote)\b(?! (?:in v?\d|by))"),
}


def _units(text: str) -> Iterator[tuple[str, str]]:
    """The sentences and list items of a message, each with the heading or line with a colon that it is listed under."""
    lead, listed = "", False
    for line in _FENCE.sub("", text.replace("’", "'")).splitlines():
        item = _ITEM.match(line)
        if _HEADING.match(line):
            lead, listed = line.strip(" #*_>"), False
        elif line.strip() and not line.lstrip().startswith(("|", "- [ ]", "* [ ]")):
            if item is None and listed and not line.startswith(" "):
                lead, listed = "", False  # a paragraph after the list
            listed = listed or item is not None
            for sentence in SENTENCE.split(line[item.end() :] if item else line.strip()):
                bare = sentence.strip(" *_")
                if bare.endswith(":"):
                    lead, listed = bare, False
                elif bare:
                    yield bare, lead


def _troubled(text: str) -> bool:
    """Whether a text speaks of trouble that is left, in words or as a share ("11 of 16 pass")."""
    text = _NO_TROUBLE.sub("", text.lower())
    short = any(int(m[1]) < int(m[2]) for m in _SHARE.finditer(text))
    return short or bool((_LEFT if _REPAIRED.match(text) else _TROUBLE).search(text))


@lru_cache(16)
def trouble(message: str) -> str:
    """The sentences and headings of a message that tell of trouble."""
    return "\n".join([text for unit in _units(message) for text in unit if _troubled(text)])


def statements(message: str) -> Iterator[Statement]:
    """The statements of a message."""
    for text, lead in _units(message):
        if 5 <= len(text) <= 600 and not text.endswith("?") and not (_troubled(lead) or _UNSAID.search(lead.lower())):
            plain = _LINK.sub(r"`\2`", QUOTATION.sub("…", text)).replace("*", "")
            bare = _SPAN.sub("…", plain).lower()
            if not _troubled(bare):
                yield from _of_checks(text, bare, lead)
            yield from _of_deeds(text, plain)


def _of_checks(text: str, bare: str, lead: str) -> Iterator[Statement]:
    """The commands and tests that a sentence says passed; ``bare``: in lower case, without quotations and code."""
    passes = _asserts(_PASSES, bare)
    for part in text.split(";"):  # what is said of one command is not said of another
        spans = [_REMARK.sub("", span.strip()) for span in _SPAN.findall(part)]
        words = _SPAN.sub("…", part).lower()
        before = words.partition("…")[0]
        listed = _asserts(_CHECKED, before if before.strip(" ,(") and before != words else lead.lower())
        if not spans and listed and _LINE.fullmatch(line := _REMARK.sub("", part.strip())):
            spans = [line]
        for name in spans if listed or _asserts(_PASSES, words) else ():
            if _COMMAND.fullmatch(name) and (" " in name or not _is_file(name)):
                yield Statement(text, "command", name)
    if not passes and _asserts(_RAN, bare):
        yield Statement(text, "ran")
    elif passes and (_TESTS.search(bare) or _EVERY.search(bare)):
        found = _NUMBER.search(bare)
        number = int(found[1].replace(",", "")) if found is not None else None
        clause = next((c for c in _CLAUSE.split(bare) if _EVERY.search(c)), "")
        everything = bool(clause) and not _PART.search(_SHARE.sub("", _EVERY.sub("", clause)))
        yield Statement(text, "tests", number=number, everything=everything)


def _of_deeds(text: str, plain: str) -> Iterator[Statement]:
    """What a sentence says was changed, added, measured, committed or pushed."""
    said = ""
    for clause in _CLAUSE.split(plain):
        if _UNSAID.search(_NO_TROUBLE.sub("", said)):
            return  # "nothing was committed, pushed or deployed"
        lower = clause.lower().strip()
        said = f"{said} {lower}"
        for match in _FILE.finditer(lower):
            quoted = clause.strip()[slice(*match.span(match.lastindex or 0))]
            name = quoted.strip("`")
            if _is_file(name) and not _UNSAID.search(lower[: match.end()]):
                # A bug may be fixed "in" a file whose own text is right, and "Node.js" is none.
                direct = match[1] is not None and "fixed" not in match[0] and ("`" in quoted or "/" in quoted)
                yield Statement(text, "file" if direct else "place", name)
        figure = _COVERAGE.search(lower)
        if figure is not None and not _UNSAID.search(lower[: figure.end()]):
            yield Statement(text, "coverage", figure[1] or figure[2])
        yield from (Statement(text, about) for about, pattern in _DEEDS.items() if _asserts(pattern, lower))


def _asserts(pattern: Pattern, text: str) -> bool:
    """Whether a text in lower case matches, with no word before the end of the match that unsays it."""
    match = pattern.search(text)
    return match is not None and not _UNSAID.search(_NO_TROUBLE.sub("", text[: match.end()]))


def _is_file(name: str) -> bool:
    """Whether a name is that of a file, by its extension ("config.load" is none)."""
    extension = name.rpartition(".")[2]
    return (
        is_source(name)
        or extension in ("md", "rst", "txt", "json", "toml", "yaml", "yml")
        or ("/" in name and extension != name)
    )
