"""Takes the bodies of here-documents out of shell text, before a grammar sees them.

``cat > a.py <<'EOF'`` and the lines up to ``EOF`` become ``cat > a.py <MARK``: a redirection from a marker in place of
the body. Bodies are arbitrary text in other languages; without them, the rest of the line parses reliably.
"""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from ...base.patterns import lazy

# A control character that never occurs in a command; the number of the here-document follows, then it again.
MARK = "\x01"
_START = lazy(r"(?<![<\\])<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([A-Za-z_][\w.-]*))")
# Operators without a document, after which no more are looked for: each costs a search of the whole text.
_MAX_MISSES = 100
# PowerShell's: @' and the lines up to '@.
_HERE_STRING = lazy(r"@(['\"])[ \t]*\r?\n(.*?)^\1@", re.DOTALL | re.MULTILINE)
_MARKER = lazy(MARK + r"(\d+)" + MARK)
_REDIRECTION = lazy("<" + MARK + r"(\d+)" + MARK)
# With the closing parenthesis of a substitution on a line of its own.
_HEAD = lazy("<" + MARK + r"(\d+)" + MARK + r"(\s*\n\s*\))?")
_CAT = lazy(r"\$\(\s*cat\s+<" + MARK + r"(\d+)" + MARK + r"\s*\)")


class Heredoc(NamedTuple):
    operator: str  # as written: <<'EOF'
    delimiter: str
    body: str
    literal: bool  # quoted delimiter: nothing in the body is expanded
    closed: bool


class Extracted(NamedTuple):
    text: str
    documents: list[Heredoc]

    def document(self, target: str) -> Heredoc | None:
        """The here-document behind a redirection's target; None if the target is no marker."""
        match = _MARKER.fullmatch(target)
        return self.documents[int(match.group(1))] if match else None

    def in_word(self, word: str) -> str:
        """A word with its markers resolved: ``$(cat <<EOF ...)`` is the text, anything else as it was written."""
        if MARK not in word:
            return word
        return self.restore(_CAT.sub(lambda m: self.documents[int(m.group(1))].body.rstrip("\n"), word))

    def heads(self, text: str) -> str:
        """Source text with the operators back, the bodies left out."""
        if MARK not in text:
            return text
        return _HEAD.sub(lambda m: self.documents[int(m.group(1))].operator + (" ...)" if m.group(2) else ""), text)

    def restore(self, text: str) -> str:
        """Source text with operators and bodies back in their places."""
        if MARK not in text:
            return text
        lines: list[str] = []
        for line in text.split("\n"):
            lines.append(_REDIRECTION.sub(lambda m: self.documents[int(m.group(1))].operator, line))
            for match in _REDIRECTION.finditer(line):
                document = self.documents[int(match.group(1))]
                if document.closed or document.body:  # of what is cut off, nothing is made up
                    lines.append(document.body + (document.delimiter if document.closed else ""))
        return "\n".join(lines)


def extract(text: str) -> Extracted:
    """``text`` without the bodies of its here-documents, and the bodies."""
    if MARK in text:
        text = text.replace(MARK, "\ufffd")
    if ("@'" in text or '@"' in text) and "<<" not in text.partition("@")[0]:
        text = _HERE_STRING.sub(lambda m: shlex.quote(m[2].rstrip("\r\n")), text)
    if "<<" not in text:
        return Extracted(text, [])
    documents: list[Heredoc] = []
    parts: list[str] = []
    position = misses = 0
    while True:
        start = _START.search(text, position)
        if start is None:
            break
        line_end = _line_end(text, start.end())
        starts = [start, *_START.finditer(text, start.end(), line_end)]
        body_at = line_end + 1
        kept = position
        for match in starts:
            found = _body(text, match, body_at, position)
            if found is None:
                continue
            document, body_at = found
            parts.append(text[kept : match.start()])
            parts.append(f"<{MARK}{len(documents)}{MARK}")
            kept = match.end()
            documents.append(document)
        if kept == position:  # none of them was a here-document
            misses += 1
            if misses > _MAX_MISSES:
                break
            parts.append(text[position:line_end])
            position = line_end
            continue
        parts.append(text[kept:line_end])
        if body_at <= len(text):
            parts.append("\n")
        position = body_at
    parts.append(text[position:])
    return Extracted("".join(parts), documents)


def _line_end(text: str, position: int) -> int:
    """Where the line of ``position`` ends: a newline that no backslash joins to the next line."""
    while True:
        end = text.find("\n", position)
        if end < 0:
            return len(text)
        if text[end - 1] != "\\":
            return end
        position = end + 1


def _body(text: str, start: re.Match[str], at: int, since: int) -> tuple[Heredoc, int] | None:
    """The document that begins at ``at``, and where the text goes on after it; None if there is no such document."""
    dash, single, double, bare = start.groups()
    delimiter = single or double or bare
    literal = bare is None or text[start.start() : start.end()].find("\\") >= 0
    position = at
    while 0 < position <= len(text):
        found = text.find(delimiter, position)
        if found < 0:
            break
        line_start = text.rfind("\n", at - 1, found) + 1
        end = found + len(delimiter)
        lead = text[line_start:found]
        # "EOF)" closes a substitution as well: shells warn and accept it. Blanks around the word are forgiven.
        if (not lead or lead.isspace()) and (end == len(text) or text[end] in "\n\r \t)"):
            line_end = text.find("\n", end)
            line_end = len(text) if line_end < 0 else line_end
            rest = text[end:line_end].strip()
            if not rest or rest[0] == ")":
                body = text[at:line_start]
                if dash:
                    body = re.sub(r"^\t+", "", body, flags=re.MULTILINE)
                after = end + text[end:line_end].find(")") if rest else line_end + 1
                return Heredoc(start.group(), delimiter, body, literal, True), after
        position = found + 1
    # No end: a cut text. Accepted only where the operator cannot be part of a quoted string.
    before = text[since : start.start()]
    if at > len(text) or before.count('"') % 2 or before.count("'") % 2:
        return None
    if single or double or delimiter.isupper():
        return Heredoc(start.group(), delimiter, text[at:], literal, False), len(text) + 1
    return None
