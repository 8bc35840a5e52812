"""Edits and commits: what happens to the files of the project, by tools, by the shell and in git."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, Literal

from msgspec.structs import replace as copy

from ...trajectory.model import FileChange, ObservedCommit, Shell
from ..code.grammars import is_source
from ..code.memory import FileMemory
from ..commands.classify import Classified, classify_line
from ..commits import content as commits
from ..edits.facts import edit_facts, symbols
from ..edits.index import Index
from ..edits.shell import shell_edits
from ..events import CommitEvent, EditEvent, PlanEvent, VcsEvent
from ..facts import EditFacts, PlanFacts
from ..paths import is_plan_document
from ..plans import revisions as plans
from ..shell.parse import Command
from ..testruns.echoes import unprinted
from ..testruns.trust import Trust
from .late_runs import Runs
from .ledger import Ledger
from .workspace import Workspace

_LONGEST_MESSAGE = 10_000  # characters


class Changes:
    """Files as the session edits and commits them."""

    def __init__(self, ledger: Ledger, trust: Trust, runs: Runs) -> None:
        self.ledger, self.trust, self.runs = ledger, trust, runs
        self.authored: set[str] = set()
        self.memory = FileMemory()
        self.workspace = Workspace(ledger.root)
        self.index = Index()
        self.uncommitted: list[EditEvent] = []
        self.last_commit: tuple[CommitEvent, list[EditEvent]] | None = None
        # Texts that a commit may take its message from.
        self.messages: dict[str, str] = {}
        # Commits that a witness saw and no command has claimed yet, by the call in which they were made.
        self.witnessed: dict[str | None, list[ObservedCommit]] | None = None
        witness = ledger.trajectory.recording
        if witness is not None and witness.commits is not None:
            self.witnessed = {}
            for commit in witness.commits:
                self.witnessed.setdefault(commit.call, []).append(commit)

    def edit(
        self,
        change: FileChange,
        place: dict[str, Any],
        *,
        via: Literal["tool", "shell", "background"],
        cwd: str | None = None,
        observed: bool = False,
        restoring: bool = False,
    ) -> EditEvent | None:
        """Take an edit in. ``observed``: a witness saw it; ``restoring``: version control put the whole tree back."""
        path = self.ledger.path(change.path, cwd)
        if not path:
            return None
        new_path = self.ledger.path(change.new_path, cwd) if change.new_path else None
        if new_path is not None and _comes_from_outside(path, new_path):
            # Made elsewhere and put into the project: what matters is the file that it becomes.
            change = FileChange(change.new_path or "", "create", after=self.messages.get(path))
            path, new_path = new_path, None
        seen = self.memory.text(path) if change.operation == "create" else ""
        facts = edit_facts(change, root=self.ledger.root, path=new_path or path, seen=seen)
        facts.observed, facts.restoring = observed, restoring
        event = EditEvent(
            **place,
            path=path,
            operation=change.operation if observed else "modify" if seen else self.workspace.operation(path, change),
            role=self.workspace.role(new_path or path, change),
            symbols=self.symbols(change, facts, path, new_path) if facts.in_root else [],
            new_path=new_path,
            via=via,
        )
        if event.operation == "create":
            self.authored.add(posixpath.basename(path))
        self.workspace.apply(change, event)
        self.trust.edited(path, change, new_path)
        self.runs.files.pop(posixpath.basename(path), None)  # no longer what the tests wrote into it
        facts.scratch = facts.scratch or self.workspace.is_trial(new_path or path)
        self.ledger.add(event)
        self.ledger.edit_facts[id(event)] = facts
        if change.operation == "delete":
            self.mark_scratch(path)
        if change.after is not None and not facts.code and len(change.after) < _LONGEST_MESSAGE:
            self.messages[path] = change.after
        if facts.in_root and not restoring:
            if new_path is not None:
                self.index.edited(path, created=False, deleted=True)
            self.index.edited(
                new_path or path, created=event.operation == "create", deleted=event.operation == "delete"
            )
            self.uncommitted.append(event)
        if change.operation != "delete" and not restoring and is_plan_document(path):
            self.plan_file(change, place)
        return event

    def symbols(self, change: FileChange, facts: EditFacts, path: str, new_path: str | None) -> list[str]:
        """Units that the change touches: those its text defines, or those it stands in by what was seen of the file."""
        if not is_source(new_path or path):
            return []
        if change.operation == "delete":
            self.memory.forget(path)
        elif new_path:
            self.memory.move(path, new_path)
        # In a test file the units are its tests, which are known already.
        named = [t.name for t in facts.tests if t.name] + [n for n in facts.removed_tests if n != "*"]
        found = named or symbols(change, new_path or path)
        if change.after is not None:
            self.memory.write(new_path or path, change.after)
        elif change.hunks:
            found = self.memory.apply(new_path or path, change, names=not found) or found
        return found

    def mark_scratch(self, path: str) -> None:
        """A file that the agent made and removed again was a tool of its work, not a part of it."""
        edits = [
            e
            for e in self.ledger.events
            if isinstance(e, EditEvent) and (e.path == path or e.path.startswith(path + "/"))
        ]
        made = {e.path for e in edits if e.operation == "create"}
        for event in edits:
            # A directory goes as its files do; whether the agent made it, only they tell.
            if event.path in made or (event.path == path and event.operation == "delete" and made):
                self.ledger.edit_facts[id(event)].scratch = True

    def plan_file(self, change: FileChange, place: dict[str, Any]) -> None:
        text = change.after if change.after is not None else "\n".join(new for _, new in change.hunks)
        if change.before is not None and change.hunks and not self.workspace.is_mine(self.ledger.path(change.path)):
            text = "".join(new for _, new in change.hunks)  # of a document that was there, what is new in it
        # What the harness brought along is nobody's plan.
        items = [i for i in plans.items_of_document(text) if i.text.strip() not in self.ledger.brought]
        if len(items) >= 2:
            event = PlanEvent(
                **place,
                items=[i.text for i in items],
                origin="file",
                completed=[i.text for i in items if i.status == "completed"],
            )
            self.ledger.add(event)
            self.ledger.plan_facts[id(event)] = PlanFacts(plans.describe(items, self.ledger.prompt.text), "file")

    def script_edits(self, part: Classified, output: str, place: dict[str, Any], cwd: str | None) -> None:
        """The edits that a script of the agent's own makes when it is run (``python apply_fix.py``)."""
        if "Traceback (most recent call last)" in output:
            return
        changes = shell_edits(part.command, self.workspace.scripts)
        edited = [self.edit(c, place, via="shell", cwd=cwd) for c in changes]
        if any(edited):
            for target in part.command.args[:1]:
                self.mark_scratch(self.ledger.path(target, part.command.cwd or cwd))

    def used_up(self, part: Classified, cwd: str | None) -> None:
        """A script of the agent's own that edits files when it is run is a tool of its work."""
        for target in part.command.args[:1]:
            path = self.ledger.path(target, part.command.cwd or cwd)
            if path in self.workspace.scripts:
                self.mark_scratch(path)

    def shown_texts(self, parts: Sequence[Classified], action: Shell) -> list[str]:
        """The texts of the agent's own files that a line shows beside the tests it runs."""
        paths = [
            self.ledger.path(a, p.command.cwd or action.cwd) for p in parts if p.kind == "read" for a in p.command.args
        ]
        return [text for path in paths if (text := self.messages.get(path) or self.memory.text(path))]

    def with_patch(self, command: Command, action: Shell) -> Command:
        """``patch < fix.patch`` and ``git apply fix.patch`` with the text of a patch that the agent wrote before."""
        words = [a for a in command.args if not a.startswith("-")]
        if command.stdin is not None or not (command.program == "patch" or words[:1] in (["apply"], ["am"])):
            return command
        sources = [r.target for r in command.redirects if r.operator == "<"]
        sources += (
            words[1:]
            if command.program == "git"
            else [command.args[i + 1] for i, a in enumerate(command.args[:-1]) if a in ("-i", "--input")]
        )
        texts = [t for s in sources if (t := self.messages.get(self.ledger.path(s, command.cwd or action.cwd)))]
        return copy(command, stdin="\n".join(texts)) if texts else command

    def believed(self, script: str) -> bool:
        return script not in self.authored or self.trust.checks(script)

    def vcs(self, part: Classified, place: dict[str, Any], *, failed: bool) -> None:
        command = part.command
        self.ledger.add(VcsEvent(**place, command=command.text, destructive=part.destructive))
        if command.program == "git" and not failed:
            self.ledger.stashed = _is_stashed(command, self.ledger.stashed)
            self.index.git(command, lambda p: self.ledger.path(p, command.cwd))

    def commit(
        self,
        part: Classified,
        status: int | None,
        output: str,
        action: Shell,
        place: dict[str, Any],
        *,
        call: str | None,
        flag: bool | None,
    ) -> None:
        """The event of a command that may have made a commit. ``call``: the id of the call it stands in."""
        if self.witnessed is not None:
            seen = self.witnessed.get(call)
            if seen:
                self.seen_commit(seen.pop(0), place, amend=part.amend)
            else:
                self.ledger.add(VcsEvent(**place, command=part.command.text, destructive=False))
            return
        parts = classify_line(action.command)
        same = [p for p in parts if p.kind == "commit"]
        number = next((n for n, p in enumerate(same) if p is part), 0)
        output = commits.report(unprinted(parts, output), number, len(same))
        if not commits.was_made(output, status, flag, forgiven=commits.is_forgiven(action.command, part.command.text)):
            self.ledger.add(VcsEvent(**place, command=part.command.text, destructive=False))
            return
        args = part.command.args
        cwd = part.command.cwd or action.cwd
        everything = part.all_files or part.command.program != "git"
        files = self.index.commit(
            everything=everything,
            untracked=part.command.program == "jj",
            only=[self.ledger.path(t, cwd) for t in part.targets],
        )
        files += [self.ledger.path(f) for f in commits.listed_files(output)]
        message = part.message or self.messages.get(self.ledger.path(part.message_file or "", cwd))
        chosen = set(files)
        mine = [e for e in self.uncommitted if (e.new_path or e.path) in chosen or e.path in chosen]
        if part.amend and self.last_commit is not None:
            former, its_edits = self.last_commit
            files, mine = [*former.files, *files], [*its_edits, *mine]
            message = message or former.message
            self.replaced(former)
        files = list(dict.fromkeys(files))
        message = message or commits.message_of_output(output)
        self.made(message, files, mine, place, empty=commits.is_empty(output, args, files))

    def unexplained_commits(self, call: str | None, place: dict[str, Any]) -> None:
        """The commits of a call that none of its commands said it would make (by scripts, merges, rebases)."""
        for seen in (self.witnessed or {}).pop(call, ()):
            self.seen_commit(seen, place, amend=False)

    def seen_commit(self, seen: ObservedCommit, place: dict[str, Any], *, amend: bool) -> None:
        """A commit that a witness saw: its message and files are what they are."""
        known = seen.files is not None
        files = list(seen.files or ()) if known else self.index.commit(everything=True, untracked=True)
        chosen = set(files)
        mine = [e for e in self.uncommitted if (e.new_path or e.path) in chosen or e.path in chosen]
        if amend and self.last_commit is not None:
            former, its_edits = self.last_commit
            mine = [*its_edits, *mine]
            files = files if known else list(dict.fromkeys([*former.files, *files]))
            self.replaced(former)
        self.made(seen.message, files, mine, place, empty=known and not files and len(seen.parents) < 2)

    def made(
        self, message: str, files: list[str], mine: list[EditEvent], place: dict[str, Any], *, empty: bool
    ) -> None:
        """A commit was made of these files, in which these edits are."""
        event = CommitEvent(**place, message=message.strip(), files=files)
        self.ledger.add(event)
        self.ledger.commit_facts[id(event)] = commits.describe(
            message,
            files,
            [(e.new_path or e.path, e.symbols, self.ledger.edit_facts[id(e)]) for e in mine],
            empty=empty,
        )
        self.last_commit = (event, mine)
        committed = {id(e) for e in mine}
        self.uncommitted = [e for e in self.uncommitted if id(e) not in committed]
        self.index.committed(files)

    def replaced(self, commit: CommitEvent) -> None:
        """An amended commit is none any more: what remains of it is that git was called."""
        place = self.ledger.place(commit.step, commit.call, commit.lane, commit.source, commit.time)
        self.ledger.commit_facts.pop(id(commit), None)
        self.ledger.events[:] = [
            VcsEvent(**place, command="git commit", destructive=False) if e is commit else e for e in self.ledger.events
        ]


def _comes_from_outside(path: str, new_path: str) -> bool:
    return path.startswith(("/", "~", "../")) and not new_path.startswith(("/", "~", "../"))


def _is_stashed(command: Command, before: bool) -> bool:
    """Whether the agent's changes lie in the stash after a git command, so that what runs next runs without them."""
    words = [a for a in command.args if not a.startswith("-")]
    if words[:1] != ["stash"]:
        return before
    if words[1:2] in (["pop"], ["apply"], ["branch"]):
        return False
    return before or words[1:2] in ([], ["push"], ["save"])
