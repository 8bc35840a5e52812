"""Plans and their revisions, from todo tools, plan mode, plan files and messages; and facts about each item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ...base.patterns import lazy
from ...session.model import Plan, PlanItem
from ...session.plans import checklist
from ..facts import ItemFacts

_LEAD = lazy(
    r"\b(plan|steps?|approach|strategy|to[- ]?do|i'll|i will|i'm going to|i am going to|let me|we need to|i need to|"
    r"i should|here(?:'s| is) (?:how|what)|going to|needs? to|(?:changes|fixes|edits) (?:are )?(?:needed|required))\b",
    re.IGNORECASE,
)
_PAST = lazy(
    r"^(?:\*\*)?(added|fixed|updated|created|implemented|removed|changed|refactored|verified|ran|done|completed|all|"
    r"moved|renamed|replaced|wrote|tested|committed|found|the|this|it|there|no|both|[✅✓✔])\b",
    re.IGNORECASE,
)
_PATH = lazy(
    r"(?:[\w.@-]+/)+[\w.@-]+|\b[\w-]+\.(?:pyi?|jsx?|tsx?|mjs|cjs|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|sh|md|rst|toml|"
    r"ya?ml|json|html|css|sql|txt|cfg|ini|lock|proto|vue|svelte|swift|scala|exs?)\b"
)
_SYMBOL = lazy(r"`([^`\n]{1,80})`|\b([A-Za-z_]\w*\(\))|\b([a-z]+_[a-z_0-9]+|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+)\b")
_WORD = lazy(r"[A-Za-z][A-Za-z0-9]+")
_NUMBER = lazy(r"\d+")
_CHECK = lazy(
    r"\b(test|tests|testing|verify|verif\w*|check|checks|run|validate|assert|confirm|lint|build|compile|"
    r"reproduce|ci)\b",
    re.I,
)
_ACTION = lazy(
    r"\b(add|fix|implement|write|create|update|remove|delete|rename|refactor|move|extract|run|verify|test|check|read|"
    r"review|build|commit|document|replace|handle|support|parse|validate|investigate|find|reproduce|change|introduce|"
    r"migrate|convert|define|wire|hook|install|configure|set|make|use|call|return|raise|log|cache|sum|store|"
    r"load|explore|"
    r"analy[sz]e|understand|identify|examine|inspect|debug|design|integrate|register|expose|export|split|merge|"
    r"clean)\b",
    re.IGNORECASE,
)
_STOP = frozenset(
    "the a an and or to of in on for with by from into that this these those it its is are be as at all any so then "
    "we i will should must can if when not no do does make sure each every new using use via also their them up "
    "out".split()
)
_GENERIC = lazy(
    r"^(do|start|finish|complete|work on|continue|plan|think about|understand|analy[sz]e|implement|fix|test|review|"
    r"document|deploy|clean ?up|verify|improve|ensure quality|write code|make changes|be done|done)"
    r"(\s+(the|it|this|that|things?|task|work|issue|problem|code|everything|solution|changes?|project|bug|"
    r"requirements?))*\W*$",
    re.IGNORECASE,
)

# Words that fit any task: activities, qualities, and parts of every project. Items of such words alone plan nothing in
# particular.
_ANY_TASK = frozenset(
    "activity affected again all approach architecture asked aspects assumptions automated backward backwards behavior "
    "behaviour best bugs careful carefully case cases change changed changes cleanly code codebase commit commits "
    "compatibility complete completely completeness comprehensive concerns consistent consistently context core "
    "correct correctly correctness coverage date dependencies detail details diff document documentation documented "
    "double double-check edge edges edits efficiency end error errors everything example examples existing expected "
    "failures feature features few file files final finally findings fine first follow full functional functionality "
    "further general goal goals good graceful gracefully handling important integration issue issues last linter "
    "linting logic main maintainability message messages minor module modules more necessary needed next once overall "
    "part parts pass passes passing pattern patterns performance plan possible potential practices problem problems "
    "production progress project proper properly pull quality readability ready related relevant repo repository "
    "request requested required requirement requirements rest result results risks robust robustness scope security "
    "self side small solution sound source structure style submit suite summarise summarize summary surrounding system "
    "task tasks temporary test tests thinking thorough thoroughly tool tools twice type types understanding unit usage "
    "user users valid validation various whole work working works".split()
)


class PlanState:
    """The todo list of one lane, as its tool calls leave it."""

    def __init__(self) -> None:
        self.items: list[PlanItem] = []

    def apply(self, plan: Plan) -> bool:
        """Apply one call; True if the set of items changed (a plan or a revision, not only an item's status)."""
        if plan.mode == "mode":
            self.items = list(plan.items)
            return bool(plan.items)
        before = [i.text for i in self.items if i.status != "cancelled"]
        if plan.update == "replace":
            if not plan.items:
                return False
            self.items = list(plan.items)
        elif plan.update == "add":
            known = {i.key for i in self.items if i.key}
            for item in plan.items:
                if item.key and item.key in known:
                    self._set(item)
                else:
                    self.items.append(item)
        else:
            for item in plan.items:
                self._set(item)
        after = [i.text for i in self.items if i.status != "cancelled"]
        return after != before

    def _set(self, item: PlanItem) -> None:
        for index, known in enumerate(self.items):
            if item.key is not None and known.key == item.key:
                self.items[index] = PlanItem(item.text or known.text, item.status, known.key)
                return

    def live(self) -> list[PlanItem]:
        return [i for i in self.items if i.status != "cancelled" and i.text]


# "### 2. Title", "## Step 2: Title", "**Fix 2**: title", "**2. Title**"
_STEP = re.compile(
    r"^(?:#{2,5}\s+|\*\*)(?:(?:step|phase|task|fix|change|part|schritt|paso|étape|pr)\s*)?#?\d{1,2}\s*(?:[.):—–-]|\*\*:?)?\s*(.+)$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"^(?:(\(?\d{1,2}[.)]|(?:step|phase|task|stage|milestone|pr|pull request)\s*#?\d{1,2}\s*[:.)-])|([-*+]))\s+(\S.*)$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"(?:(?<=\s)|^)\(?(\d{1,2})\)\s+(?=\S)")
_BOX = re.compile(r"\[[ xX~>/-]\]")
# The parts into which work is divided; a scenario has steps, and no such parts.
_PART_OF_WORK = re.compile(r"(?:phase|task|stage|milestone|pr|pull request)\s*#?\d", re.IGNORECASE)
# A line that calls the numbered list after it a plan: "Plan, one commit each:"
_CALLED = lazy(r"(?:^|[.!?] )\W*(?:[\w']+ ){0,3}plan\b(?:[^.?!]|[.?!]\w)*:\W*$", re.IGNORECASE)
# An obligation that runs up to the list: "I need to reply to:"
_OBLIGED = lazy(r"\bI (?:now |also )?(?:need|have) to [a-z]+\b[^.?!]*(?<!where)(?<!that)(?<!when):$")
# What is said after a list, and takes it as the work to be done: "Let me address all three."
_TAKEN_UP = lazy(
    r"^(?:\w+,? )?(?:let me|let's|i'll|i will|i'm going to) (?:now |also )?"
    r"(?:fix|address|resolve|handle|implement|apply|tackle|repair|correct|do|make|add|write|create|test|update|remove)\b"
    r"[^.?!\n]* (?:these\b|those\b|"
    r"(?:them|all|both|each)(?: (?:of (?:them|these)|two|three|four|five|\d+))?(?=\W*$|[.:!,]))",
    re.IGNORECASE | re.MULTILINE,
)
# An item begins with what it does, perhaps behind the file or thing that it is about.
_BEGINS = re.compile(
    r"^(?:\W*(?:`[^`]+`|[\w./-]+\.\w+|\*\*[^*]+\*\*)(?: \([^)]*\))?\**\s*[:—–-]+\s*)?\W*(?:\w+ly )?([a-z]+)\b",
    re.IGNORECASE,
)
# A label of up to three words, and a value of up to five.
_LABELLED = re.compile(r"^\**[A-Z][\w-]*(?: [\w-]+){0,2}\**:\**\s*((?:\S+\s*){0,5})$")
# Verbs that are too common inside sentences to be an action anywhere in an item.
_FURTHER_VERBS = frozenset(
    "adjust apply confirm drop ensure keep locate modify optimise optimize profile rename revert rewrite split".split()
)


class Listing(Struct):
    """A list in a text."""

    lead: str
    items: list[str]
    steps: bool = False
    """Its items are called steps, in headings or in bold."""
    work: bool = False
    """They are called parts of the work (tasks, phases, pull requests)."""
    numbered: bool = False
    after: str = ""
    """The line after it."""
    counted: bool = False
    """A line of prose counts its items off."""


def listings(text: str) -> list[Listing]:
    """The lists of a text at its top level: steps as headings or in bold, numbered lists, bullets.

    Code and what is indented below an item belong to the item; parts of the work in a fence are no code.
    """
    found: list[Listing] = []
    lead = kind = ""
    fenced = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            fenced = not fenced
            continue
        code = fenced and not (_PART_OF_WORK.match(stripped) and _LISTED.match(stripped))
        if code or not stripped or line.startswith((" ", "\t")):
            continue
        step, listed = _STEP.match(stripped), _LISTED.match(stripped)
        now = "step" if step else "" if listed is None else "number" if listed[1] else "bullet"
        if kind == "step" and now != "step" and not stripped.startswith("#"):
            continue  # the text of a step
        item = step[1] if step else listed[3] if listed else ""
        if now and now == kind:
            found[-1].items.append(item.strip())
        elif now and not (kind == "number" and now == "bullet"):
            work = _PART_OF_WORK.match(stripped) is not None
            found.append(Listing(lead, [item.strip()], now == "step", work, now == "number"))
            kind = now
        elif not now:
            found += _inline(stripped)
            if kind:
                found[-1].after = stripped
            kind, lead = "", stripped
    return [f for f in found if len(f.items) >= 2]


def _inline(line: str) -> list[Listing]:
    """The list that a line of prose counts off: "My steps: (1) read, (2) repair, (3) test." """
    marks = list(_COUNTED.finditer(line))
    first = next((n for n, mark in enumerate(marks) if mark[1] == "1"), len(marks))
    run = [mark for number, mark in enumerate(marks[first:], 1) if int(mark[1]) == number]
    if len(run) < 2:
        return []
    ends = [*(mark.start() for mark in run[1:]), len(line)]
    items = [line[mark.end() : end].strip(" ,;.") for mark, end in zip(run, ends, strict=True)]
    items[-1] = re.split(r"[.;] (?=[A-Z])", items[-1])[0]
    return [Listing(line[: run[0].start()].strip(), items, counted=True)]


def items_of_document(text: str) -> list[PlanItem]:
    """The items of a plan document: its numbered steps; without any, its check list, its numbered list, or its bullets.

    What stands below a step, and the bullets of a long document that has steps, explain it.
    """
    steps = [PlanItem(m[1].strip(" *")) for m in map(_STEP.match, _plain_lines(text)) if m]
    listed = [(m, line) for line in _plain_lines(text) if (m := _LISTED.match(line)) and not _is_label(m[3])]
    boxes = [i for m, line in listed if _BOX.match(m[3]) for i in checklist(line)]
    if len(steps) >= 2 or (steps and not boxes):
        return steps
    if boxes:
        return [*steps, *boxes]
    numbered = [i for m, line in listed if m[1] for i in checklist(line)]
    return numbered if len(numbered) >= 2 else [i for _, line in listed for i in checklist(line)]


def _plain_lines(text: str) -> list[str]:
    """The lines at the top level of a text, without code."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        if line.strip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line.strip() and not line.startswith((" ", "\t")):
            lines.append(line.strip())
    return lines


def items_of_message(text: str, *, before_edit: bool = False) -> list[PlanItem]:
    """The items of a plan in a message: a list of what *will* be done, after words that say so.

    A list of findings, of finished work or of a scenario is no plan: its items do not begin with something to do.
    Right before an edit, after such words, it is enough that the first one does, that they are steps or files, or that
    a line of prose counts them off.

    Args:
        before_edit: the message comes with an edit.
    """
    if len(text) > 20_000:
        return []
    found = listings(text)
    for listing in sorted(found, key=lambda f: _LEAD.search(f.lead) is None):
        taken_up = _TAKEN_UP.match(listing.after) is not None
        if not taken_up and not _LEAD.search(listing.lead):
            continue
        open_ = [i for i in listing.items if not _PAST.match(i)]
        doing = [i for i in open_ if _begins(i)]
        called = (listing.numbered or (before_edit and not listing.counted)) and _CALLED.search(listing.lead)
        if taken_up or listing.work or called or (before_edit and listing.counted) or _OBLIGED.search(listing.lead):
            doing = open_ if called and listing.numbered else listing.items
        elif before_edit and open_:
            named = _begins(open_[0]) or listing.steps or all(_PATH.match(i.strip("*` ")) for i in open_)
            doing = open_ if named else doing
        if len(doing) >= 2 and len(doing) * 2 >= len(listing.items):
            return [PlanItem(i.strip("* ")) for i in doing]
    return []


def todo_list(text: str) -> list[PlanItem]:
    """The first list of open check boxes of a message: a todo list as it is kept where no tool keeps one."""
    if "[ ]" not in text or len(text) > 20_000:
        return []
    for listing in listings(text):
        items = checklist("\n".join(f"- {item}" for item in listing.items))
        if all(map(_BOX.match, listing.items)) and any(item.status == "pending" for item in items):
            return items
    return []


def _begins(item: str) -> bool:
    """Whether an item begins with something to do."""
    match = _BEGINS.match(item)
    return match is not None and (match[1].lower() in _FURTHER_VERBS or _ACTION.fullmatch(match[1]) is not None)


def _is_label(item: str) -> bool:
    """Whether an item only gives a property its value ("Status: open", "**Risk:** low"): nothing to be done."""
    match = _LABELLED.match(item)
    return match is not None and not _begins(match[1]) and not _PATH.search(item)


@lru_cache(maxsize=4096)
def _item_facts(text: str) -> ItemFacts:
    paths = list(dict.fromkeys(p.rstrip(".") for p in _PATH.findall(text)))
    symbols: list[str] = []
    for quoted, called, shaped in _SYMBOL.findall(text):
        name = (quoted or called or shaped).strip()
        if name and name not in paths and name not in symbols:
            symbols.append(name)
    words = [w for w in (m.lower() for m in _WORD.findall(text)) if w not in _STOP and len(w) > 1]
    content = [w for w in words if not _ACTION.fullmatch(w)]
    concrete = bool(paths or symbols) or (
        bool(_ACTION.search(text)) and len(content) >= 1 and not _GENERIC.match(text.strip())
    )
    clauses = re.split(r"\b(?:and|then|also|plus)\b|;|, (?=[a-z]+ (?:the|a|an)\b)", text, flags=re.IGNORECASE)
    actions = sum(1 for clause in clauses if (m := _ACTION.search(clause)) and m.start() < 12)
    return ItemFacts(
        text=text,
        concrete=concrete,
        copies_prompt=False,
        single_concern=actions <= 1,
        names_target=bool(paths or symbols) or len(content) >= 2,
        names_check=bool(_CHECK.search(text)),
        right_size=3 <= len(_WORD.findall(text)) <= 30,
        paths=paths,
        symbols=symbols,
        words=words,
        specific=concrete and (bool(paths or symbols) or not _ANY_TASK.issuperset(content)),
    )


class KnownItems:
    """The items so far, to find the one that a new item repeats in (almost) the same words.

    Items that name different paths, symbols or numbers are different, so only those that name the same are compared.
    """

    def __init__(self) -> None:
        self._by_names: dict[tuple[tuple[str, ...], ...], list[tuple[int, str]]] = {}

    def first_index(self, item: ItemFacts, index: int) -> int:
        """The index of the first item that says the same as this one, which is known as ``index`` from now on."""
        names = tuple(item.paths), tuple(item.symbols), tuple(_NUMBER.findall(item.text))
        alike = self._by_names.setdefault(names, [])
        words = _plain(item.text)
        for first, other in alike:
            from rapidfuzz import fuzz

            if words == other or fuzz.token_sort_ratio(words, other, score_cutoff=88) > 0:
                return first
        alike.append((index, words))
        return index


def _plain(text: str) -> str:
    return text.lower().strip(" .")


@lru_cache(maxsize=1)
def _lines(prompt: str) -> tuple[list[str], str]:
    lines = [line.strip().lower() for line in prompt.splitlines() if line.strip()]
    return lines, "\n".join(lines)


@lru_cache(maxsize=256)  # a todo list is written again with every change of an item's status
def _is_copy(text: str, prompt: str) -> bool:
    lines, joined = _lines(prompt)
    if len(text) >= 20 and text in joined and "\n" not in text:
        return True
    from rapidfuzz import fuzz, process

    return process.extractOne(text, lines, scorer=fuzz.ratio, score_cutoff=90.001) is not None


def _only_lists_files(items: Sequence[PlanItem]) -> bool:
    """Whether all items are one sentence about different files, and one that fits into the plan of any task.

    "See to it that a.py does what was requested", the same of b.py, and nothing else: a list of files. "Convert a.py to
    Point" and the same of b.py are a plan, for they say what is to be done.
    """
    sentences = {" ".join(_PATH.sub(" ", item.text).lower().split()) for item in items}
    if len(items) < 2 or len(sentences) > 1:
        return False
    sentence = sentences.pop()
    # Names alone may be headings, with what is to be done below them.
    return _WORD.search(sentence) is not None and not _item_facts(sentence).specific


def describe(items: Sequence[PlanItem], prompt: str) -> list[ItemFacts]:
    """Facts about each item; one that copies the prompt (rapidfuzz ratio > 90) or repeats an earlier item is marked."""
    described: list[ItemFacts] = []
    known = KnownItems()
    only_files = _only_lists_files(items)
    for index, item in enumerate(items):
        facts = _item_facts(item.text)
        copies = _is_copy(_plain(item.text), prompt)
        first = known.first_index(facts, index)
        described.append(
            replace(
                facts,
                concrete=facts.concrete and not copies and not only_files,
                copies_prompt=copies,
                duplicate_of=first if first != index else None,
                completed=item.status == "completed",
                specific=facts.specific and not copies and not only_files,
            )
        )
    return described
