"""Edits and commits: how tools, the shell and git change the files of the project."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Literal

from msgspec.structs import replace as copy

from ...base.code.grammars import is_source
from ...session.model import FileChange, ObservedCommit, Shell
from ..code.memory import FileMemory
from ..commands.classify import Classified, classify_line
from ..commands.formatters import has_option
from ..commands.targets import Targets
from ..commands.vcs import TAKES_COMMITS, exchanges_files, git_subcommand, revision
from ..commits import content as commits
from ..edits.facts import edit_facts, symbols
from ..edits.shell import shell_edits
from ..events import CommitEvent, EditEvent, Outcome, Position, VcsEvent
from ..facts import EditFacts, Exchange, Unplaced
from ..paths import is_absolute_outside, is_plan_document
from ..plans import revisions as plans
from ..shell.parse import SimpleCommand
from ..shell.tables import programs
from ..testruns.trust import Trust
from .found import Found, ShellCall
from .late_runs import LateRuns
from .workspace import SessionFiles

_LONGEST_MESSAGE = 10_000  # characters
_LIST_MARK = re.compile(r"^(?:[-*+]|\d+[.)]|#+)\s+(?:\[[ xX~>/-]\]\s*)?")


class FileChanges:
    """Files as the session edits and commits them.

    Attributes:
        authored: base names of the files that the agent created.
        planned: documents that contain a plan of the agent's.
        messages: texts from which a commit may take its message, by path.
        recorded: commits that the recording shows and no command has claimed yet, by the call in which they were made;
            None: commits were not recorded.
    """

    def __init__(self, found: Found, trust: Trust, runs: LateRuns) -> None:
        self.found, self.trust, self.runs = found, trust, runs
        self.authored: set[str] = set()
        self.planned: set[str] = set()
        self.memory = FileMemory()
        self.workspace = SessionFiles()
        self.targets = Targets()
        self.trees = runs.trees
        self.index = self.trees.index
        self.uncommitted: list[EditEvent] = []
        self.made: list[CommitEvent] = []
        self.repositories: set[str] = set()
        self.switches: list[str] = []
        # The edits of each file, and below each directory.
        self.under: defaultdict[str, list[EditEvent]] = defaultdict(list)
        self.last_commit: tuple[CommitEvent, list[EditEvent]] | None = None
        self.messages: dict[str, str] = {}
        self.recorded: dict[str | None, list[ObservedCommit]] | None = None
        # Lines of the files that the harness added to the project, without their list marks: not the agent's plan.
        self.overlay_lines: set[str] = set()
        recording = found.trajectory.recording
        if recording is not None:
            lines = (line.strip() for c in recording.overlay for line in (c.after or "").splitlines())
            self.overlay_lines = {bare for line in lines if (bare := _LIST_MARK.sub("", line).strip())}
        if recording is not None and recording.commits is not None:
            self.recorded = {}
            for commit in recording.commits:
                self.recorded.setdefault(commit.call, []).append(commit)

    def edit(
        self,
        change: FileChange,
        at: Position,
        *,
        via: Literal["tool", "shell", "background"],
        cwd: str | None = None,
        observed: bool = False,
        restoring: Exchange = "",
    ) -> EditEvent | None:
        """The event of an edit; None if it names no file.

        ``observed``: the recording shows it; ``restoring``: version control exchanged the whole tree.
        """
        path = self.found.path(change.path, cwd)
        if not path:
            return None
        new_path = self.found.path(change.new_path, cwd) if change.new_path else None
        if new_path is not None and (path.startswith(("/", "~", "../")) and not new_path.startswith(("/", "~", "../"))):
            # A file made elsewhere and moved into the project counts as the file that it becomes.
            change = FileChange(change.new_path or "", "create", after=self.messages.get(path))
            path, new_path = new_path, None
        seen = self.memory.text(path) if change.operation == "create" else ""
        facts = edit_facts(change, root=self.found.root, path=new_path or path, seen=seen)
        facts.observed, facts.restoring = observed, restoring
        facts.blind = via == "tool" and change.operation != "delete" and not change.hunks and change.after is None
        event = EditEvent(
            **self.found.head(at),
            path=path,
            operation=change.operation if observed else "modify" if seen else self.workspace.operation(path, change),
            role=self.workspace.role(new_path or path, change),
            symbols=self.symbols(change, facts, path, new_path) if facts.in_root else [],
            new_path=new_path,
            via="git" if restoring else via,
        )
        if not restoring:
            self.trees.edited(path, in_root=facts.in_root and event.role != "document")
        if event.operation == "create":
            self.authored.add(posixpath.basename(path))
        self.workspace.apply(event)
        self.trust.record_edit(path, change, new_path)
        self.targets.edited(new_path or path, change.after)
        self.runs.files.pop(posixpath.basename(path), None)  # no longer the output of tests
        facts.scratch = facts.scratch or self.workspace.is_trial(new_path or path)
        self.found.add(event)
        self.found.edits[event.id] = facts
        place = path
        while place:
            self.under[place].append(event)
            place = place.rpartition("/")[0]
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
            self.plan_file(change, at)
        return event

    def symbols(self, change: FileChange, facts: EditFacts, path: str, new_path: str | None) -> list[str]:
        """Units that the change touches: those that its text defines, or that contain it in the file as last seen."""
        if not is_source(new_path or path):
            return []
        if change.operation == "delete":
            self.memory.forget(path)
        elif new_path:
            self.memory.move(path, new_path)
        # In a test file the units are its tests, which are already known.
        named = [t.name for t in facts.tests if t.name] + [n for n in facts.removed_tests if n != "*"]
        found = named or symbols(change, new_path or path)
        if change.after is not None:
            self.memory.write(new_path or path, change.after)
        elif change.hunks:
            found = self.memory.apply(new_path or path, change, names=not found) or found
        return found

    def mark_scratch(self, path: str) -> None:
        """Mark a file that the agent made and removed again: a tool of its work, not a part of the project."""
        edits = [e for e in self.under.get(path, ()) if e.id in self.found.edits]
        made = {e.path for e in edits if e.operation == "create"}
        for event in edits:
            # A directory counts as its files do: they show whether the agent made it.
            if event.path in made or (event.operation == "delete" and made):
                self.found.edits[event.id].scratch = True

    def plan_file(self, change: FileChange, at: Position) -> None:
        """The plan in a document. Further edits of the same document refine that plan."""
        path = self.found.path(change.path)
        if path in self.planned and change.after is None:
            return
        text = change.after if change.after is not None else "\n".join(new for _, new in change.hunks)
        if change.before is not None and change.hunks and path not in self.workspace.mine:
            text = "".join(new for _, new in change.hunks)  # the document existed: only its new text
        items = [i for i in plans.items_of_document(text) if i.text.strip() not in self.overlay_lines]
        if len(items) >= 2:
            self.planned.add(path)
            self.found.add_plan(at, items, "file")

    def script_edits(self, part: Classified, call: ShellCall) -> bool:
        """The edits that a script of the agent's own makes when it is run (``python apply_fix.py``); False: none."""
        cwd = call.action.cwd
        changes = self.of_program(shell_edits(part.command, self.script(cwd), call.whole_output), cwd)
        edited = [self.edit(c, call.at, via="shell", cwd=cwd) for c in changes]
        if any(edited):
            for target in part.command.args[:1]:
                self.mark_scratch(self.found.path(target, part.command.cwd or cwd))
        return any(edited)

    def by_command(
        self, changes: Sequence[FileChange], at: Position, cwd: str | None, restoring: Exchange = ""
    ) -> list[EditEvent]:
        """The events of the edits of a command. ``restoring``: how it exchanges the whole tree, if it names no file.

        What is removed together with throwaway files, and was never shown, is something that those have made.
        """
        each = [pair for c in changes for pair in self._named(c, cwd)]
        unseen = {p for c, where in each if not self.workspace.knows(p := self.found.path(c.path, where))}
        made = [
            e for c, where in each if (e := self.edit(c, at, via="shell", cwd=where, restoring=restoring)) is not None
        ]
        removed = [e for e in made if e.operation == "delete"]
        if any(self.found.edits[e.id].scratch and e.path not in unseen for e in removed):
            for event in removed:
                self.found.edits[event.id].scratch |= event.path in unseen
        return made

    def _named(self, change: FileChange, cwd: str | None) -> list[tuple[FileChange, str | None]]:
        """A removal by a pattern (``rm test-*.js``) as that of each file that the agent had made by such a name."""
        pattern = self.found.path(change.path, cwd)
        if change.operation != "delete" or not {"*", "?"}.intersection(pattern):
            return [(change, cwd)]
        made = dict.fromkeys(e.path for e in self.found.events if isinstance(e, EditEvent) and e.operation == "create")
        fit = [p for p in made if p.count("/") == pattern.count("/") and fnmatchcase(p, pattern)]
        return [(FileChange(path, "delete"), None) for path in fit] or [(change, cwd)]

    def forget(self, joined: Sequence[EditEvent]) -> None:
        """Take out events that became part of others."""
        gone = {e.id for e in joined}
        if gone:
            self.uncommitted = [e for e in self.uncommitted if e.id not in gone]
            if self.last_commit is not None:
                self.last_commit = (self.last_commit[0], [e for e in self.last_commit[1] if e.id not in gone])

    def of_program(self, changes: Sequence[FileChange], cwd: str | None) -> list[FileChange]:
        """The changes that a program makes to the work tree, without the removal of what it has made itself.

        A program that tries the project's code clears away its own output, which the log has never shown.
        """
        made = {c.path for c in changes if c.operation == "create"}
        return [
            c
            for c in changes
            if c.operation != "delete" or c.path in made or self.workspace.knows(self.found.path(c.path, cwd))
        ]

    def used_up(self, part: Classified, cwd: str | None) -> None:
        """Mark a script of the agent's own that edits files when it is run: a tool of its work."""
        for target in part.command.args[:1]:
            path = self.found.path(target, part.command.cwd or cwd)
            if self.trust.whole_text(path) is not None:
                self.mark_scratch(path)

    def script(self, cwd: str | None) -> Callable[[str], str | None]:
        """Gives the text of the agent's own script by its path as a command of a call in ``cwd`` names it."""
        return lambda path: self.trust.whole_text(self.found.path(path, cwd))

    def shown_texts(self, parts: Sequence[Classified], action: Shell) -> list[str]:
        """The texts of the agent's own files that a line shows beside the tests it runs."""
        paths = [
            self.found.path(a, p.command.cwd or action.cwd) for p in parts if p.kind == "read" for a in p.command.args
        ]
        return [text for path in paths if (text := self.messages.get(path) or self.memory.text(path))]

    def with_patch(self, command: SimpleCommand, action: Shell) -> SimpleCommand:
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
        texts = [t for s in sources if (t := self.messages.get(self.found.path(s, command.cwd or action.cwd)))]
        return copy(command, stdin="\n".join(texts)) if texts else command

    def believed(self, script: str) -> bool:
        return script not in self.authored or self.trust.can_fail(script)

    def moves(self, command: SimpleCommand, call: ShellCall, *, failed: bool) -> bool:
        """Whether a command of version control may change files, as far as its output shows it."""
        if command.program != "git":
            return True
        return self.trees.git(command, call.output, command.cwd or call.action.cwd, failed=failed)

    def elsewhere(self, command: SimpleCommand, action: Shell) -> bool:
        """Whether a git command is about another repository than the project's: a scratch one, or one made inside it.

        A directory that the log does not name, and in which the line makes a repository, is such a one.
        """
        cwd = self.found.path(command.cwd or action.cwd or ".").rstrip("/") + "/"
        named = [a for a in command.args if a.startswith("--git-dir=")] or command.env.get("GIT_DIR")
        if named or is_absolute_outside(cwd, self.found.root):
            return True
        # A repository that has all of the work is the project.
        edited = [e.path for e in self.found.events if isinstance(e, EditEvent)]
        made = [r for r in self.repositories if cwd.startswith(r)]
        if made and not (edited and all(path.startswith(tuple(made)) for path in edited)):
            return True
        line = [p.command for p in classify_line(action.command)]
        unnamed = any(c.program in programs().change_directory and any("$" in a for a in c.args) for c in line)
        return unnamed and any(c.program == "git" and git_subcommand(c.args)[0] in ("init", "clone") for c in line)

    def note_repository(self, command: SimpleCommand, action: Shell) -> None:
        """A repository that is made somewhere below the project's root is no part of the project's."""
        sub, rest = git_subcommand(command.args)
        words = [a for a in rest if not a.startswith("-")]
        name = posixpath.basename(words[0]).removesuffix(".git") if sub == "clone" and len(words) == 1 else words[-1:]
        place = self.found.path("".join(name) or ".", command.cwd or action.cwd).rstrip("/") + "/"
        if sub in ("init", "clone") and place not in ("/", "./"):
            self.repositories.add(place)

    def vcs(self, part: Classified, call: ShellCall, status: int | None, *, failed: bool) -> None:
        command, at = part.command, call.at
        failed = failed or commits.was_refused(command, call.output)
        outcome: Outcome = "failed" if failed else "unknown" if status is None else "passed"
        event = VcsEvent(**self.found.head(at), command=command.text, outcome=outcome)
        cwd = command.cwd or call.action.cwd
        if command.program == "git" and not failed:
            self.note_repository(command, call.action)
        if command.program == "git" and not failed and not self.elsewhere(command, call.action):
            if exchanges_files(command):
                self.found.exchanges.add(event.id)
                self.trees.taken_back(command, at, cwd)
            if revision(command) is not None:
                self.switches.append(event.id)
                if not self.trees.away:
                    self.found.exchanges.difference_update(self.switches)  # it is back
            if git_subcommand(command.args)[0] in TAKES_COMMITS and self.recorded is None:
                self.found.unplaced.append(
                    Unplaced(f"`{command.text}`", frozenset(("edit",)), at.step, at.call, at.lane)
                )
            self.take_back(self.index.git(command, lambda p: self.found.path(p, cwd)))
        self.found.add(event)

    def commit(self, part: Classified, status: int | None, call: ShellCall, *, flag: bool | None) -> None:
        """The event of a command that may have made a commit."""
        found, at, action = self.found, call.at, call.action
        cwd = part.command.cwd or action.cwd
        if self.elsewhere(part.command, action):
            return
        no_commit = VcsEvent(**found.head(at), command=part.command.text, outcome="failed")
        if self.recorded is not None:
            seen = self.recorded.get(call.id)
            if seen:
                self.recorded_commit(seen.pop(0), at, amend=part.amend)
            else:
                found.add(no_commit)
            return
        parts = classify_line(action.command)
        same = [p for p in parts if p.kind == "commit"]
        number = next((n for n, p in enumerate(same) if p is part), 0)
        output = commits.report(call.output, number, len(same))
        failed = call.result is not None and (call.result.exit_status or call.result.is_error)
        # Git reports each commit that it makes, unless it is told to be quiet, or the report went elsewhere.
        unreported = status is None and failed and not commits.message_of_output(output)
        unreported = unreported and not has_option(part.command.args, "-q")
        forgiven = action.command.partition(part.command.text)[2].lstrip().startswith("||")
        if unreported or not commits.was_made(output, status, flag, forgiven=forgiven):
            if unreported or (status is None and flag is None and not output.strip()):
                no_commit.outcome = "unknown"
            found.add(no_commit)
            return
        files = self.index.commit(
            everything=part.all_files or part.command.program != "git",
            untracked=part.command.program == "jj",
            only=[found.path(t, cwd) for t in part.targets],
        )
        files += [found.path(f) for f in commits.listed_files(output)]
        message = part.message or self.messages.get(found.path(part.message_file or "", cwd))
        mine = self.edits_of(files)
        if part.amend and self.last_commit is not None:
            former, its_edits = self.last_commit
            files, mine = [*former.files, *files], [*its_edits, *mine]
            message = message or former.message
            self.take_back(1)
            self.index.amended()
        files = list(dict.fromkeys(files))
        message = message or commits.message_of_output(output)
        empty = commits.is_empty(output, part.command.args, files)
        certain = [found.path(f) for f in commits.created_files(output)]
        self.add_commit(message, files, mine, at, empty=empty, certain=certain)

    def take_back(self, count: int) -> None:
        """Mark the last commits: they are replaced, or reset away."""
        for commit in self.made[len(self.made) - count :]:
            commit.amended = True
        del self.made[len(self.made) - count :]

    def edits_of(self, files: list[str]) -> list[EditEvent]:
        """The uncommitted edits of these files."""
        chosen = set(files)
        return [e for e in self.uncommitted if (e.new_path or e.path) in chosen or e.path in chosen]

    def unexplained_commits(self, call: str | None, at: Position, line: str = "") -> None:
        """The recorded commits of a call that none of its commands names: by scripts.

        Those of a merge or a rebase are no commits of the agent's own making.
        """
        commands = [p.command for p in classify_line(line)]
        taken = any(c.program == "git" and git_subcommand(c.args)[0] in TAKES_COMMITS for c in commands)
        for commit in (self.recorded or {}).pop(call, ()):
            if not taken:
                self.recorded_commit(commit, at, amend=False)

    def recorded_commit(self, commit: ObservedCommit, at: Position, *, amend: bool) -> None:
        """A commit as recorded: its message and files are exact."""
        known = commit.files is not None
        files = list(commit.files or ()) if known else self.index.commit(everything=True, untracked=True)
        mine = self.edits_of(files)
        if amend and self.last_commit is not None:
            former, its_edits = self.last_commit
            mine = [*its_edits, *mine]
            files = files if known else list(dict.fromkeys([*former.files, *files]))
            self.take_back(1)
            self.index.amended()
        self.add_commit(commit.message, files, mine, at, empty=known and not files and len(commit.parents) < 2)

    def add_commit(
        self,
        message: str,
        files: list[str],
        edits: list[EditEvent],
        at: Position,
        *,
        empty: bool,
        certain: list[str] | None = None,
    ) -> None:
        """The event of a commit of these files (``certain``: of these for sure), which contains these edits."""
        event = CommitEvent(**self.found.head(at), message=message.strip(), files=files)
        self.found.add(event)
        self.found.commits[event.id] = commits.describe(
            message,
            files,
            [(e.new_path or e.path, e.symbols, self.found.edits[e.id]) for e in edits],
            empty=empty,
            certain=certain,
        )
        self.made.append(event)
        self.last_commit = (event, edits)
        self.trees.committed = True
        committed = {e.id for e in edits}
        self.uncommitted = [e for e in self.uncommitted if e.id not in committed]
        self.index.committed(files)
