"""What a message says about checks and results, taken apart without regard to whether it is true.

A message is read by its structure: headings, lines that end with a colon and code are no statements; a command in
backticks, a mark (a tick), a count (``12/12``) and the name of a file are the same in every language. Words decide only
which kind of check a sentence is about, and whether it reports success.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache, lru_cache
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from ..patterns import Pattern, lazy
from ..tables import load, rows
from .abstention import QUOTATION
from .units import Unit, units

About = Literal[
    "command",
    "tests",
    "build",
    "lint",
    "commit",
    "push",
    "deed",
    "untouched",
    "only",
    "restored",
    "verified",
    "work",
]


class Deed(Struct, frozen=True):
    """A row of ``deeds.toml``."""

    name: str
    programs: tuple[str, ...]
    said: str
    commands: frozenset[str]


@cache
def deeds() -> dict[str, Deed]:
    return rows(load(__file__, "deeds.toml"), Deed)


@cache
def _said() -> dict[str, Pattern]:
    """How messages name each deed."""
    return {name: lazy(rf"(?:(?<!\w)|(?=[^\x00-\x7f]))(?:{deed.said})") for name, deed in deeds().items()}


class Statement(Struct, frozen=True):
    """One statement about one thing.

    Attributes:
        text: the sentence.
        names: what it names: commands (``about`` "command"), paths ("untouched", "restored"), rows of ``deeds.toml``
            ("deed").
        number: how many tests it says have passed.
        everything: it speaks of all tests, without narrowing them down.
        suite: it says so outright ("the full suite"), so that a selection is not what it means.
    """

    text: str
    about: About
    names: tuple[str, ...] = ()
    number: int | None = None
    everything: bool = False
    suite: bool = False


_SPAN = lazy(r"`([^`\n]+)`")

_TARGET = lazy(r"\]\([^)\s]*\)")  # where a link leads
# Expressions without IGNORECASE are for text in lower case: there the engine tells words apart by their first letter.
_TICK = "✓✔✅☑🎉"
_TESTS = lazy(
    r"\b(?!(?:vi|la|grea|fa|con|pro|at|de)test)(?:\w*tests?|specs?|suites?|pruebas|тест\w*)\b|测试|テスト|"
    r"^(?:and )?(?:all|everything|both|alles?)\b",
)
_MANY_TESTS = lazy(r"\b(?:\w*tests|specs|suites?|pruebas|build|compil\w+|lint\w*|type[- ]?check\w*)\b|测试|テスト|构建")
_BUILD = lazy(
    r"\b(?:builds?|(?:re)?built|compil(?:es|ed|ation)|type[- ]?check(?:s|ing)?|tsc|"
    r"compilaci\w+|сборк\w*)\b|构建|编译|ビルド",
)
_LINT = lazy(
    r"\b(?:lint(?:er|ing|s)?|ruff|eslint|flake8|mypy|clippy|golangci-lint|format(?:ting|ter) check)\b",
)
_WORD = lazy(r"[a-z][\w-]+")
_PROGRAM = lazy(r"[a-z][a-z0-9-]+")
_COMMAND = lazy(r"(?:[A-Za-z_]\w*=\S+ )*[\w./@~$-]+(?= |$)")  # no call ("tap(task, fn)")
_LINE = lazy(r"(?:[A-Z_]+=\S+ )*[a-z][\w.-]+(?: [\w./:=@*'\"-]+)+(?<![.])")  # like a command, without backticks
# Before a command: it is what verified the work.
_BY = lazy(
    r"\b(?:verif\w+|validat\w+|checked|tested|confirmed|ran|geprüft|getestet|verificad\w+|comprobad\w+|vérifi\w+|проверен\w*)\b|验证|検証",
)
# What is clean before a noun ("conduct a clean build") is no result: only at the end of a clause, or before "and".
_CLEAN = r"clean(?:ly|(?=\s*(?:[^\w\s]|$)|\s+(?:and|now|on|for|after|with|in|too|as)\b))"
_PASSES = lazy(
    rf"\b(?<!to )(?:pass(?:es|ed|ing)?|green|succe\w+|{_CLEAN}|ok|fine|bestanden|bestehen|gr[üu]n|erfolgreich|"
    r"pasan|pasaron|exitosa\w*|verdes?|passent|r[ée]ussi\w*|verts?|проход\w*|прош\w*|успешн\w*)\b|"
    r"\b(?:no|0|without) (?:[\w-]+ )?(?:issues|errors|warnings|problems|failures|findings|vulnerabilities)\b|"
    rf"通过|成功|合格|[{_TICK}]",
)
# Success at something that is no check: "successfully implemented", "updated successfully".
_NO_CHECK = r"\b(?!(?:re)?(?:buil[dt]|compil|pass|ran|run|execut|test|verif|validat|lint|check|typecheck))"
_DONE_WELL = lazy(rf"\bsuccessfully {_NO_CHECK}\w+|{_NO_CHECK}\w+(?:ed|en|t) successfully\b")
_COMMITTED = lazy(r"\b(?:committed|created (?:a |the )?commit)\b|\bcommit [0-9a-f]{7,40}\b")
_PUSHED = lazy(
    r"\b(?:pushed|gepusht|pusheado|poussé)\b(?! (?:back|down|up the|into the|onto|the \w+ into))|已推送",
)
_VERIFIED = lazy(
    r"\b(?:verified|tested|confirmed|validated|reproduced|reviewed|inspected)\b|"
    r"\bi (?:checked|tried) (?:it|this|that)\b",
)
_WORK = lazy(
    r"\b(?:fixed|resolved|modified|addressed|applied|introduced|corrected|rewrote|implemented|completed|solved|added|"
    r"updated|removed|refactored|created|now (?:works?|handles?|supports?|returns?|sums?|accepts?)|works? (?:now|"
    r"correctly|as expected)|production[- ]ready|is (?:completely |fully )?(?:done|fixed|working))\b",
)
_PATH = r"`?((?:[\w.@-]+/)*[\w@-]+\.[A-Za-z]\w{0,5})`?"
_UNTOUCHED = (
    lazy(
        r"(?:did(?: not|n't)|have(?: not|n't)|without|no se|sin|未|没有)\s*(?:touch|modif|chang|edit|alter|tocad|修改|"
        rf"改动)\w*\s*(?:the )?(?:file )?{_PATH}",
        re.IGNORECASE,
    ),
    lazy(rf"{_PATH}\s+(?:is|was|were|are|remains?|stays?|left|bleibt|sigue)\s+(?:\w+ )?(?:as (?:it|they) w|"
               r"unchanged|untouched|unmodified|unverändert|sin cambios|intact\w*)", re.IGNORECASE),
)  # fmt: skip
_TEST_FILES = (
    r"(tests?|test (?:files?|cases?|suite|director(?:y|ies)|folder)|assertions?|expectations?|`?(?:[\w.-]+/)+`?)"
    r"(?![\w/.-])"
)
_ALONE = (
    lazy(
        rf"\bleft (?:the |all |existing )*{_TEST_FILES} (?:\w+ )?(?:alone|untouched|unchanged|as (?:it|they))",
        re.IGNORECASE,
    ),
    lazy(
        rf"{_TEST_FILES} (?:is|are|was|were|has been|have been|remains?) (?:completely )?(?:not (?:touched|modified|"
        r"changed|edited|altered)|untouched|unmodified|left (?:alone|as)|as (?:it|they) (?:was|were))",
        re.IGNORECASE,
    ),
    lazy(
        r"\b(?:did(?: not|n't)|have(?: not|n't)) (?:touch|modif|chang|edit|alter)\w* (?:the |any |existing |your |of )*"
        rf"{_TEST_FILES}(?! \w+ing\b)",
        re.IGNORECASE,
    ),
    lazy(
        r"\b(Tests?(?:dateien|verzeichnis)?) (?:wurden?|blieben|habe ich|sind) "
        r"(?:nicht (?:angefasst|geändert|verändert)|unverändert)",
        re.IGNORECASE,
    ),
)
_ONLY = lazy(
    r"\b(?:only|nothing (?:but|other than)|nur|s[oó]lo|únicamente|seulement)\b[^.;:\n]{0,30}"
    r"(?:touch|modif|chang|edit|alter|änder|cambi)\w*|\bseul\w* (?:modif|chang)\w*"
)
# Every match of the expressions above contains one of these, and every match of the next one of the others.
_LEFT = lazy(
    r"touch|modif|chang|edit|alter|改|alone|as (?:it|they)|intact|sin cambios|unverändert|angefasst|geändert|verändert"
)
_PUT_BACK = lazy(
    r"restored|reverted|rolled back|put back|undid|zurückgesetzt|wiederhergestellt|restaurad|revertid|restauré|rétabli"
)
_RESTORED = lazy(
    r"\b(?:restored|reverted|rolled back|put back|undid|zurückgesetzt|wiederhergestellt|restaurad[oa]|revertid[oa]|"
    rf"restauré|rétabli)\b[^.\n]{{0,40}}?{_PATH}|{_PATH}[^.\n]{{0,30}}\b(?:restored|reverted|zurückgesetzt|"
    r"wiederhergestellt|restaurad[oa]|rétabli)\b",
    re.IGNORECASE,
)
_VERIFICATION = lazy(
    r"verif|valid|\bchecks?\b|\btest|\bpass|\bran\b|confirm|prüf|getestet|comprob|prueba|vérifi|провер|验证|测试|検証|テスト",
)
# Words of an instruction, or of something still to come.
_INSTRUCTION = lazy(
    r"\b(?:to|how|can|could|you|your|please|next|usage|should|would|will|if|want|try|then|must|need|todo|let me|"
    r"let's|remaining|plan)\b",
)
_NEGATED = lazy(
    r"\b(?:not|never|no|without|couldn't|cannot|unable|failed to|should|will|would|once|if|until|when|need to|going to|"
    r"let me|let's|todo|ensure|make sure|so that|can|could|may|might|must|kein\w*|nicht|sin|sans)\b|"
    r"(?:n't|'ll)\b|未|没有",
)
_TROUBLE = lazy(
    # Each alternative begins with a letter, which the engine looks for much faster than for the beginning of a word.
    r"fail|e(?<!\we)rrors?\b|broken|block|t(?<!\wt)ime[sd] ?out\b|h(?<!\wh)angs?\b|h(?<!\wh)ung\b|stuck|"
    r"could(?: not|n't)|can(?:not|'t)|unable|did(?: not|n't)|"
    r"was not|were not|is not|are not|not (?:run|re-?run|executed|available|installed)|unavailable|missing|except|skip|"
    r"unrelated|pre-?exist|existing issue|flak|only\b|partial|red\b|instead|✗|❌|⚠|"
    r"fehl(?<!tippfehl)(?<!schreibfehl)|fallo|falla|échou|失败|ошиб",
)
_NO_TROUBLE = lazy(
    r"(?:n(?<!\wn)(?:o|ever)|0(?<!\w0)|zero(?<!\wzero)|without(?<!\wwithout)(?: any)?|keine(?<!\wkeine)|"
    r"s(?<!\ws)(?:in|ans)) (?:(?:\w+ ){0,2}?(?:fail\w*|errors?|skip\w*|findings|vulnerabilities|warnings?|issues|"
    r"problems|offen[cs]es|fehler\w*|fall[oa]s?)\b|个?失败)",
)
_ALL = lazy(
    r"\b(?:all|every|everything|entire|full|whole|complete|alle|todas?|todos|tous|toutes|все)\b"
    r"(?! (?:new|of the new|my|these|those)\b)|所有|全部|すべて",
)
_SUITE = lazy(
    r"\b(?:full|entire|whole|complete) (?:\w+ )?(?:(?:unit|existing|test) )*(?:suite|run)\b|"
    r"\b(?:gesamte|komplette|ganze) (?:test)?suite\b|"
    r"\bsuite (?:completa|complète|entière)\b",
)
_NARROWED = lazy(
    r"\ball (?:\d[\d,]* )?(?!(?:the|existing|unit|integration|other|of|our|project|\d)\b)[\w-]+ tests?\b|"
    r"\btests?\b[^.,;:]*\b(?:in|of|for|under) |\bnew tests?\b|[\w-]/[\w-]|\w\.\w|`",
    re.IGNORECASE,
)
_NAMED_TEST = lazy(r"`(?:Test[A-Z]\w*|test_\w+|\w+Test)(?:\(\))?`")
# A number has a greatest length here, so that a list of thousands of numbers takes no time that grows with its square.
_SHARE = lazy(r"(\d(?<!\w\d)[\d,]{0,14}) ?(?:/|of|out of) ?(\d[\d,]{0,14})\b")
_NUMBERS = (
    lazy(r"\b(\d[\d,]*) ?/ ?\1\b"),
    lazy(r"\b(\d[\d,]*)\b (?:\w+ ){0,2}?(?:tests?|specs?|examples|test cases)\b", re.IGNORECASE),
    lazy(r"\b(\d[\d,]*) pass(?:ed|ing|es)?\b", re.IGNORECASE),
)
# General statements ("this file is created by the build"), which report no work.
_GENERAL = lazy(
    r"\b(?:is|are|gets?|be|being) (?:\w+ly )?(?:created|added|updated|removed|resolved|completed) "
    r"(?:by|when|if|in|at|on|from)\b",
)
_LONGEST = 600  # characters of a sentence that states something


def statements(text: str, runners: Set[str] = frozenset()) -> tuple[list[Statement], list[Unit]]:
    """The statements of a message, and the units of it that speak of trouble.

    ``runners``: the names of test runners that were used, in lower case; a sentence that has one is about tests.

    Questions, conditions, quotations, headings, code and what is said to be still open state nothing.
    """
    found: list[Statement] = []
    trouble: list[Unit] = []
    for unit in units(text):
        if troubled(unit.text) and not unit.code:
            trouble.append(unit)
        elif troubled(unit.lead):
            trouble.append(Unit(unit.lead, unit.lead))
        if 5 <= len(unit.text) <= _LONGEST and not unit.text.endswith("?"):
            found += _of_code(unit) if unit.code else _of_sentence(unit, runners)
    return found, trouble


@lru_cache(256)  # the line under which a list stands is asked for at each of its items
def troubled(text: str) -> bool:
    """Whether a text speaks of trouble, in words or as a share ("11 out of 16 pass")."""
    if (share := _SHARE.search(text)) and int(share[1].replace(",", "")) < int(share[2].replace(",", "")):
        return True
    return _TROUBLE.search(_NO_TROUBLE.sub("", text.lower())) is not None


_CLAUSE = lazy(r"[;:,，；：、。](?!\d) ?|\s[–—-]\s")


def stated(unit: Unit, *, troubled_too: bool = False) -> list[str]:
    """The clauses of a sentence that state something as it is: after any trouble, up to a condition or negation.

    None of a question, code, a row of a table or an instruction. ``troubled_too``: also those with and before trouble.
    """
    if unit.code or not 5 <= len(unit.text) <= _LONGEST or unit.text.endswith("?") or unit.text.startswith("|"):
        return []
    if (troubled(unit.lead) and not troubled_too) or _INSTRUCTION.search(unit.lead.lower()):
        return []
    before, after = clauses_of(unit)
    clauses = [*before, *after] if troubled_too else after
    return list(takewhile(lambda c: not _NEGATED.search(_NO_TROUBLE.sub("", c.lower())), clauses))


def clauses_of(unit: Unit) -> tuple[list[str], list[str]]:
    """The clauses of a sentence up to the last one that speaks of trouble, and those after it."""
    clauses = _CLAUSE.split(QUOTATION.sub("…", unit.text))
    first = max((n + 1 for n, clause in enumerate(clauses) if troubled(clause)), default=0)
    return clauses[:first], clauses[first:]


# What follows a command in a line of code: a mark, a comment, a result in parentheses.
_REMARK = lazy(rf"\s+(?:[{_TICK}#]|\s\().*$|\s{{2,}}\S.*$|\s+\.\.\.$")


def _of_code(unit: Unit) -> list[Statement]:
    """A line of code states something only as an item of a list of checks."""
    if not reports_checks(unit.lead) or troubled(unit.text):
        return []
    return [Statement(unit.text, "command", (_REMARK.sub("", unit.text),))]


@lru_cache(256)
def reports_checks(lead: str) -> bool:
    """Whether a heading or a line with a colon introduces a list of checks that were made."""
    lead = lead.lower()
    return bool(_VERIFICATION.search(lead)) and not _INSTRUCTION.search(lead) and not troubled(lead)


def _of_sentence(unit: Unit, runners: Set[str]) -> list[Statement]:
    plain = _TARGET.sub("]", QUOTATION.sub("…", unit.text))
    spans = tuple(_REMARK.sub("", span.strip()) for span in _SPAN.findall(unit.text))
    bare = _SPAN.sub("…", plain)
    lower = bare.lower()
    left = _LEFT.search(plain.lower()) is not None
    untouched = tuple(m[1] for p in (*_UNTOUCHED, *_ALONE) for m in p.finditer(plain)) if left else ()
    said: list[Statement] = [Statement(unit.text[:400], "untouched", untouched)] if untouched else []
    if left and (alone := _ONLY.search(plain.lower())) and not _NEGATED.search(lower):
        said.append(Statement(unit.text[:400], "only", tuple(re.findall(_PATH, plain[alone.start() :]))))
    restored = _RESTORED.search(plain) if _PUT_BACK.search(plain.lower()) else None
    if restored is not None and not _NEGATED.search(plain[: restored.end()].lower()):
        said.append(Statement(unit.text[:400], "restored", (restored[1] or restored[2],)))
    if said:
        return [*said, *_of_checks(unit.text, lower, runners)]
    commands = tuple(s for s in spans if _COMMAND.match(s) and (" " in s or _PROGRAM.fullmatch(s)))
    if commands and _says_passed(lower, unit.lead) and not troubled(lower):
        named = [Statement(unit.text[:400], "command", commands)]
        if not _CHECKS_IN_WORDS.search(lower):
            return named
    else:
        named = []
    if not spans and reports_checks(unit.lead) and _LINE.fullmatch(unit.text):
        named = [Statement(unit.text[:400], "command", (unit.text,))]
    checks = _of_checks(unit.text, lower, runners)
    if checks or named:
        return [*named, *checks]
    abouts = [about for about, pattern in _DEEDS.items() if _asserts(pattern, lower)]
    if not abouts and not _GENERAL.search(lower) and not lower.startswith("|"):  # rows of tables describe
        abouts = [about for about, pattern in _WORKS.items() if _asserts(pattern, lower)][:1]
    done = tuple(name for name, pattern in _said().items() if _asserts(pattern, lower))
    known = [Statement(unit.text[:400], "deed", done)] if done else []
    return [*known, *(Statement(unit.text[:400], about, spans) for about in abouts)]


_DEEDS: dict[About, Pattern] = {"commit": _COMMITTED, "push": _PUSHED}
_WORKS: dict[About, Pattern] = {"verified": _VERIFIED, "work": _WORK}
_CHECKS_IN_WORDS = lazy(r"\b(?:all|full|entire|\d+)\b[^.]*\b(?:tests?|suites?)\b")


def _says_passed(bare: str, lead: str) -> bool:
    """Whether a sentence reports that its commands passed, itself or by what it is listed under.

    ``bare``: the sentence in lower case, with "…" for each command.
    """
    if _asserts(_PASSES, bare):
        return True
    rest = re.sub(r"\([^)]*\)|…|\b(?:and|und|y|et|with)\b", "", bare)
    if not re.search(r"\w", rest):
        return reports_checks(lead)
    before = bare.split("…")[0]
    return _asserts(_BY, before) and not _INSTRUCTION.search(before)


def _asserts(pattern: Pattern, text: str) -> bool:
    """Whether a text in lower case matches, with no word before the end of the match that negates it ("if", "not")."""
    match = pattern.search(text)
    return match is not None and not _NEGATED.search(_NO_TROUBLE.sub("", text[: match.end()]))


def _of_checks(text: str, bare: str, runners: Set[str]) -> list[Statement]:
    """The checks that a sentence reports; ``bare`` is the same in lower case, without quotations and code."""
    if "successfully" in bare:
        bare = _DONE_WELL.sub("", bare)
    share = _SHARE.search(bare)
    if not _asserts(_PASSES, bare) or troubled(bare) or (share is not None and share[1] != share[2]):
        return []
    found: list[Statement] = []
    number = next((int(m[1].replace(",", "")) for p in _NUMBERS if (m := p.search(bare))), None)
    ticked = not _asserts(_PASSES, re.sub(f"[{_TICK}]", "", bare))  # of a list of features, perhaps
    if ticked and number is None and not _MANY_TESTS.search(bare):
        return found
    if (
        _TESTS.search(bare)
        or not runners.isdisjoint(_WORD.findall(bare))
        or re.search(r"\b\d+ pass(?:ed|ing)\b", bare)
        or _NAMED_TEST.search(text)
    ):
        everything = (bool(_ALL.search(bare)) or share is not None) and not _NARROWED.search(_SHARE.sub("", text))
        suite = _SUITE.search(bare) is not None
        found.append(Statement(text[:400], "tests", number=number, everything=everything, suite=suite))
    if _BUILD.search(bare):
        found.append(Statement(text[:400], "build"))
    if _LINT.search(bare):
        found.append(Statement(text[:400], "lint"))
    return found
