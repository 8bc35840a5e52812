"""The walk over a line: its structure, the words of its commands, and how each exit status reaches the line's."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from .heredocs import MARK, Extracted, extract
from .tables import programs
from .types import Redirect, SimpleCommand, StatusLink
from .values import (
    DOUBLE_QUOTE_ESCAPE,
    ESCAPE,
    EXPANSION,
    LITERAL,
    VARIABLE,
    ansi_c,
    join,
    printed,
    set_options,
    unescape,
    unescape_unquoted,
)
from .wrappers import is_shell, program_name, unwrap

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

Input = tuple[str, bool]  # text on standard input, and whether it is literal
# Longer lines are cut (bodies of here-documents not counted). The grammar's time grows with the square of the number of
# pipes and of open arrays, so a line with very many of them is cut much earlier; real lines stay far below either.
_MAX_TEXT = 200_000
_MAX_PIPES = 1000
_MAX_TEXT_OF_PIPES = 10_000
MAX_DEPTH = 40
_MAX_VALUE = 256
# Backslashes that separate directories, not escapes.
_WINDOWS_PATH = re.compile(r"(?:[A-Za-z]:|\.{1,2})\\|(?:[\w.-]+\\)+[\w-]+(?:\.\w+)+$|[\w.\\-]+\\(?:Scripts|bin)\\")
_SUBSTITUTIONS = frozenset(("command_substitution", "process_substitution"))
_TEMPORARY = re.compile(r"(?:\$\(|`)\s*mktemp\b[^()$`]*[)`]")  # a place outside the project, whatever its name
_MAX_NESTED = 5
_MAX_COMMANDS = 2_000  # of one line
_MAX_EXPANSIONS = 64
_MAX_STAGES = 20


@lru_cache(1)
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


class _Element:
    """A command or compound command with the redirections that follow it."""

    __slots__ = ("node", "redirects")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.redirects: list[Node] = []


_Item = _Element | str
_Links = list[tuple[SimpleCommand, StatusLink]]
_OPERATORS = frozenset(("&&", "||", ";", "&", "|", "|&", ";;", "!", "\n", ";&", ";;&"))
_SEPARATORS = frozenset((";", "&", ";;", "\n", ";&", ";;&"))
_FLATTENED = frozenset(
    "program list pipeline redirected_statement negated_command heredoc_redirect do_group elif_clause else_clause "
    "case_item variable_assignments ERROR".split()
)
_LEAVES = frozenset(
    "command test_command declaration_command unset_command variable_assignment subshell "
    "compound_statement if_statement while_statement for_statement c_style_for_statement case_statement "
    "function_definition".split()
)
_COMPOUND = frozenset("if_statement while_statement for_statement c_style_for_statement case_statement".split())
_REDIRECTIONS = frozenset(("file_redirect", "herestring_redirect"))
_LETTERS = bytes(b if b < 128 else ord("x") for b in range(256))
_NEVER = re.compile(r"if\s+false\s*[;\n](?![\s\S]*\bel(?:se|if)\b)")
_PIPE_STATUS = re.compile(r"\$\{PIPESTATUS\[(\d+)\]\}")


class LineWalk:
    """The walk over one line. ``out`` collects the commands; ``cwd``, ``errexit`` and ``pipefail`` move along."""

    def __init__(self, text: str, nested: int = 0) -> None:
        self.nested = nested
        self.heredocs: Extracted = extract(text)
        text = self.heredocs.text
        if len(text) > _MAX_TEXT_OF_PIPES:
            text = text[: _MAX_TEXT_OF_PIPES if text.count("|") + text.count("=(") > _MAX_PIPES else _MAX_TEXT]
        self.source = text.encode("utf-8", "replace")
        self.out: list[SimpleCommand] = []
        self.cwd: str | None = None
        self.previous_cwd: str | None = None
        self.pipefail = False
        self.errexit = False
        self.variables: dict[str, str] = {}
        self.functions: dict[str, Node] = {}
        self.depth = 0
        self.expansions = _MAX_EXPANSIONS
        # The last pipeline: of each stage, the commands with their link to the stage's own status.
        self.stages: list[_Links] = []

    def run(self) -> None:
        # The grammar's scanner looks characters up in a table of 256 and crashes the process on others. So it gets a
        # letter for each byte that is not ASCII: shells treat these as letters, and no position changes.
        source = self.source if self.source.isascii() else self.source.translate(_LETTERS)
        tree = _parser().parse(source)  # must outlive its nodes
        self.statements(tree.root_node.children)

    # Each of these methods walks a construct. Afterwards the `status` of the commands that it appended to `out` is
    # relative to the status of that construct; the construct around it weakens it further.

    def statements(self, nodes: Iterable[Node]) -> None:
        if self.depth >= MAX_DEPTH:
            return
        self.depth += 1
        items = _flatten(nodes)
        start = len(self.out)
        segments: list[tuple[int, int]] = []
        previous: _Links = []
        previous_stages: list[_Links] = []
        saved: dict[str, _Links] = {}
        final: _Links | None = None
        ended = False
        for chunk, background in _split_statements(items):
            if ended:
                break
            begin = len(self.out)
            self.stages = []
            self.and_or(chunk)
            new = self.out[begin:]
            single = chunk[0] if len(chunk) == 1 else None
            word = None
            if len(new) == 1 and new[0].program in ("exit", "return") and single is not None:
                ended = True
                word = new[0].args[0] if new[0].args else "$?"
                name = ""
            elif not new and isinstance(single, _Element) and single.node.type == "variable_assignment":
                name, _, word = self.slice(single.node).partition("=")
            if word is not None and word.startswith("$"):
                stage = _PIPE_STATUS.fullmatch(word)
                if stage is not None:
                    source = dict(enumerate(previous_stages)).get(int(stage.group(1)), [])
                elif word == "$?":
                    source = previous
                else:
                    source = saved.get(word.strip("${}"), [])
                if name:
                    saved[name] = source
                    final = []
                else:
                    final = source
            elif background:
                for c in new:
                    c.background = True
                    c.status = "none"
                final = []
            else:
                segments.append((begin, len(self.out)))
                final = None
                previous = [(c, c.status) for c in new]
                previous_stages = self.stages
        if final is not None:
            for c in self.out[start:]:
                c.status = "none"
            for c, link in final:
                c.status = link
        elif self.errexit:
            guards: list[str] = []
            for begin, end in segments:
                for c in self.out[begin:end]:
                    c.guards = c.guards or guards
                guards = guards + [c.text for c in self.out[begin:end] if c.status == "exact"]
            self.chain(segments)
        elif segments:
            for c in self.out[start : segments[-1][0]]:
                c.status = "none"
        self.depth -= 1

    def chain(self, segments: list[tuple[int, int]]) -> None:
        """Links of commands that run while all before them succeed; the one that can fail decides."""
        fallible = [s for s in segments if not self.infallible(*s)]
        decisive = fallible[0] if len(fallible) == 1 else segments[-1] if not fallible else None
        for segment in segments:
            if segment != decisive:
                for c in self.out[segment[0] : segment[1]]:
                    if c.status == "exact":
                        c.status = "if_zero"

    def infallible(self, begin: int, end: int) -> bool:
        return all(c.program in programs().infallible and not c.negated for c in self.out[begin:end])

    def and_or(self, items: list[_Item]) -> None:
        start = len(self.out)
        segments: list[tuple[int, int]] = []
        operators: list[str] = []
        pipeline: list[_Item] = []
        for item in (*items, ""):
            if item in ("&&", "||", ""):
                begin = len(self.out)
                if pipeline:
                    if not (operators and self.never_follows(segments[-1], operators[-1])):
                        self.pipeline(pipeline)
                    segments.append((begin, len(self.out)))
                    operators.append(str(item))
                    pipeline = []
            else:
                pipeline.append(item)
        if len(segments) < 2:
            return
        operators.pop()
        for guard, segment, operator in zip(segments, segments[1:], operators, strict=False):
            if operator == "||":
                break
            for c in self.out[segment[0] : segment[1]]:
                c.guards = c.guards or [g.text for g in self.out[guard[0] : guard[1]] if g.status != "none"]
        if "||" not in operators:
            self.chain(segments)
        elif operators.count("||") == 1 and operators[-1] == "||" and self.gives_up(*segments[-1]):
            # a && b || exit 1: whichever failed, the line fails.
            self.chain(segments[:-1])
            for c in self.out[segments[-1][0] :]:
                c.status = "none"
        else:
            for c in self.out[start:]:
                c.status = "none"

    def never_follows(self, segment: tuple[int, int], operator: str) -> bool:
        """Whether the command after ``operator`` cannot run: ``true || pytest``, ``false && pytest``."""
        begin, end = segment
        if end - begin != 1 or self.out[begin].negated:
            return False
        return self.out[begin].program in (("true", ":") if operator == "||" else ("false",))

    def gives_up(self, begin: int, end: int) -> bool:
        """Whether these commands end the line with the failure before them (``exit``, ``exit 1``)."""
        last = self.out[end - 1] if end > begin else None
        return last is not None and (
            (last.program in ("exit", "return") and last.args[:1] in ([], ["1"], ["$?"])) or last.program == "false"
        )

    def pipeline(self, items: list[_Item]) -> None:
        start = len(self.out)
        negated = False
        stages: list[tuple[int, int]] = []
        for item in items:
            if isinstance(item, str):
                negated = negated != (item == "!")
                continue
            begin = len(self.out)
            self.element(item)
            stages.append((begin, len(self.out)))
        if len(stages) > 1:
            self.stages = [[(c, c.status) for c in self.out[a:b]] for a, b in stages]
            # With pipefail the line fails with the one command that can: `pytest | tail`.
            passing = all(c.program in programs().passing for c in self.out[stages[1][0] :])
            heads = [self.out[a].program if b > a else "" for a, b in stages]
            shells: list[int] = []
            for i, (a, b) in enumerate(stages):
                for c in self.out[a:b]:
                    c.piped_into = [h for h in heads[i + 1 : i + 1 + _MAX_STAGES] if h]
                    if i:
                        c.piped_from = heads[i - 1] or None
                    if self.pipefail:
                        if (i or not passing) and c.status == "exact":
                            c.status = "if_zero"
                    elif i < len(stages) - 1:
                        c.status = "none"
                if i and b - a == 1 and self.out[a].stdin is None and stages[i - 1][1] - stages[i - 1][0] == 1:
                    source = self.out[stages[i - 1][0]]
                    self.out[a].stdin, self.out[a].stdin_literal = printed(source), source.stdin_literal
                    if is_shell(self.out[a].program):
                        shells.append(a)
            for a in reversed(shells):  # from the end, because each adds commands
                self.feed_shell(a)
        if negated:
            for c in self.out[start:]:
                c.negated = True
                c.status = "none"

    def element(self, element: _Element) -> None:
        node, redirects = element.node, element.redirects
        kind = node.type
        start = len(self.out)
        if kind in ("subshell", "compound_statement"):
            if node.children and node.children[0].type == "((":
                return
            before = self.cwd, self.errexit, self.pipefail
            self.statements(node.children)
            if kind == "subshell":
                self.cwd, self.errexit, self.pipefail = before
            self.redirect_group(start, redirects)
        elif kind in _COMPOUND:
            if kind == "for_statement":
                self.for_loop(node)
            elif kind == "if_statement" and _NEVER.match(self.slice(node)):
                pass
            else:
                self.statements(node.children)
            for c in self.out[start:]:
                c.status, c.guards = "none", []  # it may run several times
            self.redirect_group(start, redirects)
        elif kind == "function_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                self.functions[self.slice(name)] = body
        else:
            self.simple(node, redirects)

    def redirect_group(self, start: int, nodes: list[Node]) -> None:
        """Redirections of ``{ a; b; } > file``: what a writes is followed by what b writes."""
        if not nodes:
            return
        redirects: list[Redirect] = []
        stdin = self.redirections(nodes, redirects)
        for i, c in enumerate(self.out[start:]):
            for r in redirects:
                c.redirects.append(Redirect(">>", r.target) if i and r.operator == ">" else r)
            if c.stdin is None and stdin is not None:
                c.stdin, c.stdin_literal = stdin

    def for_loop(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        variable = node.child_by_field_name("variable")
        if body is None:
            return
        name = self.slice(variable) if variable is not None else ""
        found = [value for v in node.children_by_field_name("value") for value in self.fields(v)] or [f"${name}"]
        # What is not known stays the variable, once; of a pattern, its matches count as one.
        values = list(dict.fromkeys(f"${name}" if EXPANSION.search(value) else value for value in found))
        for value in values:
            self.expansions -= 1
            if self.expansions < 0 and value is not values[0]:
                break
            self.variables.pop(name, None)
            if value != f"${name}":
                self.variables[name] = value
            self.statements(body.children)
        self.variables.pop(name, None)

    # Simple commands

    def simple(self, node: Node, redirect_nodes: list[Node]) -> None:
        kind = node.type
        if kind == "variable_assignment":
            name, value = self.assignment(node)
            self.remember(name, value)
            return
        words: list[str] = []
        env: dict[str, str] = {}
        redirects: list[Redirect] = []
        stdin: Input | None = None
        if kind in _REDIRECTIONS:  # `> file` without a command empties the file; its program is the operator
            stdin = self.redirections((node, *redirect_nodes), redirects, words)
            if redirects:
                self.add(words or [redirects[0].operator], env, self.slice(node), redirects, stdin)
            return
        if kind == "test_command":
            words = self.slice(node).split()
        else:
            for child in node.children:
                t = child.type
                if t == "variable_assignment":
                    name, value = self.assignment(child)
                    if kind == "command" and not words:
                        env[name] = value
                    elif kind == "declaration_command":
                        words.append(f"{name}={value}")
                        self.remember(name, value)
                elif t == "command_name":
                    words.append(self.word(child.children[0]) if child.children else self.slice(child))
                elif t in _REDIRECTIONS:
                    stdin = self.redirections((child,), redirects, words) or stdin
                elif t == "subshell":  # time ( ... )
                    self.element(_Element(child))
                elif t not in ("<", ">", "comment"):
                    words += self.fields(child)
        if not words or not words[0] or (words == ["time"] and node.child_count > 1):
            return
        end = node.end_byte
        if redirect_nodes:
            stdin = self.redirections(redirect_nodes, redirects, words) or stdin
            end = max(end, redirect_nodes[-1].end_byte)
        text = self.heredocs.heads(self.source[node.start_byte : end].decode("utf-8", "ignore")).strip()
        if words[0] in self.functions:
            self.expansions -= 1
            if self.expansions < 0:
                return
            body = self.functions.pop(words[0])
            start = len(self.out)
            self.statements(body.children)
            for c in self.out[start:]:
                c.status = "none"
            self.functions[words[0]] = body
            return
        self.add(words, env, text, redirects, stdin)

    # Their arguments: wrappers, nested scripts, working directories

    def add(
        self, words: list[str], env: dict[str, str], text: str, redirects: list[Redirect], stdin: Input | None
    ) -> None:
        if len(self.out) >= _MAX_COMMANDS:
            return
        unwrapped = unwrap(words)
        env = {**env, **unwrapped.env} if unwrapped.env else env
        cwd = self.cwd
        if unwrapped.directory:
            cwd = join(cwd, unwrapped.directory)
        command = SimpleCommand(
            program="", text=text, wrappers=unwrapped.wrappers, cwd=cwd, env=env, redirects=redirects
        )
        if stdin is not None:
            command.stdin, command.stdin_literal = stdin
        script = unwrapped.script
        if script is not None:
            if self.nested < _MAX_NESTED:
                self.nested_script(script, command, unwrapped.pipefail, unwrapped.errexit)
            return
        words = unwrapped.words
        program = program_name(words[0])
        if not program:
            return
        command.program, command.path, command.args = program, words[0], words[1:]
        if is_shell(program) and stdin is not None and (not command.args or command.args[0] in ("-s", "-", "-x", "-e")):
            self.out.append(command)
            self.feed_shell(len(self.out) - 1)
            return
        if (options := programs().directories.get(program)) is not None:
            self.directory_option(command, options)
        elif program in programs().change_directory:
            self.change_directory(command)
        elif program == "set":
            self.errexit, self.pipefail = set_options(command.args, self.errexit, self.pipefail)
        self.out.append(command)

    def nested_script(self, script: str, outer: SimpleCommand, pipefail: bool, errexit: bool) -> None:
        """Commands of ``bash -c SCRIPT``: they inherit from the command around them."""
        line = LineWalk(script, self.nested + 1)
        line.cwd, line.pipefail, line.errexit = outer.cwd, pipefail, errexit
        line.variables = self.variables
        line.run()
        single = len(line.out) == 1
        for i, c in enumerate(line.out):
            c.wrappers = outer.wrappers + c.wrappers
            c.env = {**outer.env, **c.env} if outer.env else c.env
            c.background = c.background or outer.background
            for r in outer.redirects:
                c.redirects.append(Redirect(">>", r.target) if i and r.operator == ">" else r)
            if c.stdin is None:
                c.stdin, c.stdin_literal = outer.stdin, outer.stdin_literal
            if single and outer.text:
                c.text = outer.text
        if outer.wrappers and outer.wrappers[-1] == "eval":
            self.cwd = line.cwd
        self.out.extend(line.out)

    def feed_shell(self, index: int) -> None:
        """``bash <<EOF``: replaces the shell at ``index`` by the commands it is fed."""
        shell = self.out[index]
        script = shell.stdin
        if script is None or self.nested >= _MAX_NESTED or shell.args[:1] not in ([], ["-s"], ["-"], ["-x"], ["-e"]):
            return
        tail = self.out[index + 1 :]
        del self.out[index:]
        outer = SimpleCommand(
            program="",
            wrappers=[*shell.wrappers, shell.program],
            cwd=shell.cwd,
            env=shell.env,
            redirects=shell.redirects,
            background=shell.background,
        )
        self.nested_script(script, outer, False, shell.args[:1] == ["-e"])
        for c in self.out[index:]:
            c.piped_into = c.piped_into or shell.piped_into
            if shell.status != "exact" and c.status != "none":
                c.status = shell.status
        self.out.extend(tail)

    def directory_option(self, command: SimpleCommand, options: frozenset[str]) -> None:
        args = command.args
        for i, arg in enumerate(args):
            name, equals, value = arg.partition("=")
            if name in options:
                value = value if equals else args[i + 1] if i + 1 < len(args) else ""
                if value.endswith((".toml", ".xml")):
                    value = posixpath.dirname(value)
                if value:
                    command.cwd = join(command.cwd, value)
            elif (
                command.program in ("git", "go") and not arg.startswith("-") and args[i - 1 : i] not in (["-C"], ["-c"])
            ):
                break

    def change_directory(self, command: SimpleCommand) -> None:
        args = [a for a in command.args if a not in ("-P", "-L", "--", "-Path", "/d")]
        before = self.cwd
        if command.program == "popd" or args[:1] == ["-"]:
            self.cwd = self.previous_cwd
        elif not args:
            self.cwd = "~"
        elif "$" in args[0] or "`" in args[0]:
            # Unknown; mostly the top of the repository, where the call itself runs.
            self.cwd = None
        else:
            self.cwd = join(self.cwd, args[0])
        self.previous_cwd = before
        command.cwd = self.cwd

    # Words, redirections, and the commands inside substitutions

    def slice(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "ignore")

    def word(self, node: Node) -> str:
        """The value of a word; commands inside its substitutions are walked on the way."""
        kind = node.type
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "ignore")
        if kind == "word":
            if "\\" in text and not _WINDOWS_PATH.match(text):
                text = ESCAPE.sub(unescape, text)
        elif kind == "number":
            return text
        elif kind == "raw_string":
            text = text.strip(" \t\n")[1:-1]
        elif kind == "string":
            if "$(" in text or "`" in text:
                self.substitutions(node)
            text = text.strip(" \t\n") if not text.startswith('"') else text
            text = text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:]
            text = self.expand(text)
            if "\\" in text:
                text = DOUBLE_QUOTE_ESCAPE.sub(unescape, text)
        elif kind == "concatenation":
            parts = node.children
            # In broken text the grammar joins what blanks separate: then it stays as written.
            if all(a.end_byte == b.start_byte for a, b in pairwise(parts)) and not node.has_error:
                return "".join([self.word(c) for c in parts])
        elif kind == "ansi_c_string":
            text = ansi_c(text.strip(" \t\n")[2:-1])
        elif kind in ("simple_expansion", "expansion"):
            text = self.expand(text)
        elif "$(" in text or "`" in text or "(" in text:
            self.substitutions(node)
        return self.heredocs.in_word(text) if MARK in text else _TEMPORARY.sub("/tmp/mktemp", text)

    def fields(self, node: Node) -> list[str]:
        """The words that a word becomes: a variable without quotes is split at blanks."""
        value = self.word(node)
        return value.split() if node.type in ("simple_expansion", "expansion") and "$" not in value else [value]

    def expand(self, text: str) -> str:
        if "$" in text and self.variables:
            return VARIABLE.sub(lambda m: self.variables.get(m[1] or m[2], m[0]), text)
        return text

    def remember(self, name: str, value: str) -> None:
        """Keeps a variable's value, if it is literal (and short: a long one could grow without bound)."""
        if len(value) <= _MAX_VALUE and LITERAL.fullmatch(value):
            self.variables[name] = value
        else:
            self.variables.pop(name, None)

    def assignment(self, node: Node) -> tuple[str, str]:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        return (self.slice(name) if name is not None else ""), (self.word(value) if value is not None else "")

    def substitutions(self, node: Node) -> None:
        """Walks the commands in ``$(...)``; those that only compute a word leave nothing."""
        if self.depth >= MAX_DEPTH:
            return
        todo = [node]
        while todo:
            node = todo.pop()
            if node.type not in _SUBSTITUTIONS:
                todo.extend(reversed(node.children))
                continue
            start = len(self.out)
            before = self.cwd, self.errexit, self.pipefail
            self.statements(node.children)
            self.cwd, self.errexit, self.pipefail = before
            inner = self.out[start:]
            if all(c.program in programs().computing or c.args[:1] == ["rev-parse"] for c in inner):
                del self.out[start:]
            for c in inner:
                c.status = "none"

    def redirections(self, nodes: Iterable[Node], into: list[Redirect], words: list[str] | None = None) -> Input | None:
        """Adds redirections to ``into``; returns the standard input, if one of them provides it.

        The grammar takes words after a target (``cat > out file``) for more targets; they are arguments: ``words``.
        """
        stdin: Input | None = None
        for node in nodes:
            operator, target = "", ""
            for child in node.children:
                kind = child.type
                if kind == "file_descriptor" or not child.is_named:
                    operator += self.slice(child).strip()
                elif kind == "ERROR":
                    continue
                elif target:
                    if words is not None:
                        words.append(self.word(child))
                else:
                    target = self.source[child.start_byte : child.end_byte].decode("utf-8", "ignore")
                    if not target.startswith(MARK):
                        target = self.word(child)
            if operator == "<" and self.source[max(node.start_byte - 2, 0) : node.start_byte] == b"<<":
                operator = "<<<"  # which the grammar misses after another redirection
            if operator == "<<<":
                stdin = target + "\n", not EXPANSION.search(target)
            elif target.startswith(MARK):
                stdin = self.here_document(target)
            elif target:
                into.append(Redirect(operator, target))
        return stdin

    def here_document(self, marker: str) -> Input | None:
        document = self.heredocs.document(marker)
        if document is None:
            return None
        body = document.body
        if document.literal or ("$" not in body and "`" not in body and "\\" not in body):
            return body, True
        body = self.expand(body)
        literal = not EXPANSION.search(body)
        return DOUBLE_QUOTE_ESCAPE.sub(unescape_unquoted, body), literal


def _flatten(nodes: Iterable[Node]) -> list[_Item]:
    """The commands, operators and redirections below ``nodes`` in source order, whatever the grammar nested."""
    items: list[_Item] = []
    stack = [iter(nodes)]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        kind = node.type
        if kind in _LEAVES:
            if items and isinstance(items[-1], _Element):
                items.append(";")
            items.append(_Element(node))
        elif kind in _OPERATORS:
            items.append(kind)
        elif kind in _REDIRECTIONS:
            if items and isinstance(items[-1], _Element):
                items[-1].redirects.append(node)
            else:
                items.append(_Element(node))
        elif kind in _FLATTENED:
            stack.append(iter(node.children))
        elif kind in ("then", "else", "do", "in", ")"):
            items.append(";")
    return items


def _split_statements(items: list[_Item]) -> Iterable[tuple[list[_Item], bool]]:
    chunk: list[_Item] = []
    for item in items:
        if isinstance(item, str) and item in _SEPARATORS:
            if chunk:
                yield chunk, item == "&"
                chunk = []
        else:
            chunk.append(item)
    if chunk:
        yield chunk, False
