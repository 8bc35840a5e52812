"""Captured runs made by hand: a journal and its store of trees, whose truth is known because the test says it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rigorbench.base.journal import JOURNAL, SCHEMA, STORE

START = 1_700_000_000.0
ROOT = "/work/shop"
FEATURES = ("commands", "output", "trees", "models", "decoys")
Files = dict[str, str]


class Store:
    """Loose git objects, written without git."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in ("objects/info", "objects/pack", "refs/heads"):
            (path / name).mkdir(parents=True, exist_ok=True)
        (path / "HEAD").write_text("ref: refs/heads/main\n")
        (path / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")

    def put(self, kind: str, content: bytes) -> str:
        data = f"{kind} {len(content)}\0".encode() + content
        sha = hashlib.sha1(data).hexdigest()
        place = self.path / "objects" / sha[:2] / sha[2:]
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(zlib.compress(data))
        return sha

    def tree(self, files: Mapping[str, str | bytes]) -> str:
        children: dict[str, dict[str, str | bytes]] = {}
        entries: list[tuple[str, str, str]] = []
        for path, text in files.items():
            top, slash, rest = path.partition("/")
            if slash:
                children.setdefault(top, {})[rest] = text
            else:
                data = text if isinstance(text, bytes) else text.encode()
                entries.append((top, "100755" if top.endswith(".sh") else "100644", self.put("blob", data)))
        entries += [(name, "40000", self.tree(inside)) for name, inside in children.items()]
        entries.sort(key=lambda e: e[0] + ("/" if e[1] == "40000" else ""))
        return self.put("tree", b"".join(f"{m} {n}\0".encode() + bytes.fromhex(s) for n, m, s in entries))


class Capture:
    """Writes a run record by record. The clock goes on by a second with each thing that happens."""

    def __init__(
        self,
        directory: Path,
        files: Files,
        *,
        prompt: str | None = "Fix the price of the shop.",
        overlay: Files | None = None,
        features: Sequence[str] = FEATURES,
        agent: str = "react",
        task: dict[str, Any] | None = None,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.store = Store(directory / STORE)
        self.lines: list[str] = []
        self.clock = START
        self.counter = 0
        self.base = self.store.tree(files)
        self.files: Files = {**files, **(overlay or {})}
        self.known = self.store.tree(self.files)
        self.pending: list[dict[str, Any]] = []
        self.told = prompt is None
        self.prompt = prompt
        self.conversation = "main"
        self.waiting: dict[str, list[dict[str, Any]]] = {}
        self.record(
            "run",
            schema=SCHEMA,
            id="run-1",
            root=ROOT,
            start_commit="c" * 40,
            start_tree=self.known,
            base_tree=self.base,
            prompt=prompt,
            task=task or {"name": "shop"},
            agent={"name": agent, "version": "1.0"},
            harness={"name": "baseline"},
            model="scripted/disciplined",
            scripted=True,
            features=list(features),
        )
        self.record("tree", tree=self.known, cause="start")

    # -- records -------------------------------------------------------------------------------------------------

    def record(self, kind: str, **values: Any) -> int:
        """Append a record; its line number."""
        self.clock += 1
        self.lines.append(json.dumps({"type": kind, "time": self.clock, **values}))
        return len(self.lines)

    def snapshot(self, cause: str, command: str | None = None) -> None:
        """A tree record, if the files differ from the last."""
        tree = self.store.tree(self.files)
        if tree != self.known:
            self.known = tree
            self.record("tree", tree=tree, cause=cause, **({} if command is None else {"command": command}))

    def change(self, edits: Mapping[str, str | None]) -> None:
        for path, text in edits.items():
            if text is None:
                del self.files[path]
            else:
                self.files[path] = text

    # -- what happens --------------------------------------------------------------------------------------------

    def model(self, text: str = "", calls: Sequence[tuple[str, str, Any]] = (), *, tools: int = 3, **more: Any) -> None:
        """One model call; ``calls`` are (id, name, arguments)."""
        shown = self.waiting.pop(self.conversation, [])
        if not self.told and self.conversation == "main":
            shown.insert(0, {"role": "user", "content": self.prompt})
            self.told = True
        self.snapshot("model")
        self.counter += 1
        output: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            output["tool_calls"] = [{"id": i, "name": n, "arguments": a} for i, n, a in calls]
        self.record(
            "model",
            id=f"m{self.counter}",
            conversation=self.conversation,
            model="scripted/disciplined",
            started=self.clock + 0.5,
            input=shown,
            output=output,
            usage={"input": 100, "cache_read": 0, "cache_write": 0, "output": 20},
            tools=tools,
            **more,
        )

    def answer(self, call: str, text: str, *, error: Any = None) -> None:
        """What came back from a call: shown to the model with its next turn."""
        message: dict[str, Any] = {"role": "tool", "tool_call_id": call, "content": text}
        if error is not None:
            message["error"] = error
        self.waiting.setdefault(self.conversation, []).append(message)

    def run(
        self,
        argv: Sequence[str],
        *,
        output: str = "",
        status: int | None = 0,
        edits: Mapping[str, str | None] | None = None,
        reason: str = "exit",
        origin: str = "tool",
        parent: str | None = None,
        tag: str | None = None,
        ends: bool = True,
        heard: bool = True,
        pid: int | None = None,
    ) -> str:
        """A command of the sandbox, with what it printed, changed and left as exit status; its id."""
        self.counter += 1
        name = f"k{self.counter}"
        if origin == "tool":
            self.snapshot("before", name)
        values: dict[str, Any] = {
            "id": name,
            "pid": pid or 100 + self.counter,
            "argv": list(argv),
            "cwd": ROOT,
            "origin": origin,
        }
        values |= {k: v for k, v in (("parent", parent), ("tag", tag)) if v is not None}
        self.record("command", **values)
        if output and heard:
            self.record("output", id=name, text=output)
        self.change(edits or {})
        if ends:
            self.record("exit", id=name, status=status, reason=reason)
            self.snapshot("after", name)
        return name

    def bash(
        self,
        command: str,
        output: str = "",
        *,
        status: int | None = 0,
        edits: Mapping[str, str | None] | None = None,
        says: str | None = None,
        text: str = "",
        **more: Any,
    ) -> Capture:
        """A model call with one shell call, its command, and what came back (``says``: other than the output)."""
        call = f"call-{self.counter + 1}"
        self.model(text, [(call, "bash", {"command": command})])
        self.run(["bash", "--login", "-c", command], output=output, status=status, edits=edits, **more)
        self.answer(call, output if says is None else says)
        return self

    def during(self, command: str, output: str, *changes: Mapping[str, str | None], status: int = 0) -> None:
        """A call in which files change one after the other, each change seen when it is made."""
        call = f"call-{self.counter + 1}"
        self.model("", [(call, "bash", {"command": command})])
        shell = self.run(["bash", "-c", command], output=output, ends=False)
        for change in changes:
            self.change(change)
            self.snapshot("background", shell)
        self.record("exit", id=shell, status=status, reason="exit")
        self.answer(call, output)

    def tool(
        self, name: str, arguments: Any, edits: Mapping[str, str | None] | None = None, says: str = "ok"
    ) -> Capture:
        """A model call with a tool that works without any command (an editing tool of an agent CLI)."""
        call = f"call-{self.counter + 1}"
        self.model("", [(call, name, arguments)])
        self.change(edits or {})
        self.clock += 1
        self.answer(call, says)
        return self

    def write(self, path: str, text: str) -> Capture:
        return self.tool("write_file", {"path": f"{ROOT}/{path}", "content": text}, {path: text})

    def pytest(self, passed: int, failed: Sequence[str] = (), command: str = "python -m pytest -q") -> Capture:
        words = ", ".join(f"{n} {w}" for n, w in ((len(failed), "failed"), (passed, "passed")) if n)
        lines = [
            "." * passed + "F" * len(failed),
            *(f"FAILED {t} - assert 1 == 2" for t in failed),
            f"{words} in 0.01s",
        ]
        return self.bash(command, "\n".join(lines) + "\n", status=1 if failed else 0)

    def commit(self, message: str, parents: Sequence[str] = ("c" * 40,)) -> str:
        """``git commit -am``, as the shell and the watcher of ``.git`` see it; the commit's hash."""
        sha = hashlib.sha1(f"{message}{self.counter}".encode()).hexdigest()
        self.bash(f"git add -A && git commit -m '{message}'", f"[main {sha[:7]}] {message}\n 1 file changed\n")
        self.record(
            "note", name="commit", data={"sha": sha, "tree": self.known, "message": message, "parents": list(parents)}
        )
        return sha

    def done(self, text: str = "Done.", state: str = "completed") -> Path:
        """The closing message, the last snapshot and the end; the run's directory."""
        self.model(text)
        self.snapshot("end")
        self.record("end", state=state, final_tree=self.known)
        return self.save()

    def save(self, *, cut: bool = False) -> Path:
        """Write the journal; ``cut``: the last line only in part."""
        data = "\n".join(self.lines) + "\n"
        if cut:
            data = data[: -(len(self.lines[-1]) // 2 + 1)]
        (self.directory / JOURNAL).write_text(data)
        return self.directory


def fsck(store: Path) -> None:
    """git itself finds the store well made."""
    subprocess.run(["git", f"--git-dir={store}", "fsck", "--full"], check=True, capture_output=True)
