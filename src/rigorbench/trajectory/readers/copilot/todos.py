"""Copilot keeps its todo list in a SQL table: what the statements on ``todos`` do to the list."""

from __future__ import annotations

import re

from ...model import Plan, PlanItem
from ...plans import plan_status

_INSERT = re.compile(
    r"\s*insert\s+(?:or\s+\w+\s+)?into\s+[\"'`\[]?todos[\"'`\]]?\s*(?:\(([^()]*)\))?\s*values\s*(?=\()", re.IGNORECASE
)
_UPDATE = re.compile(r"\s*update\s+[\"'`\[]?todos[\"'`\]]?\s+set\s+", re.IGNORECASE)
_DELETE = re.compile(r"\s*delete\s+from\s+[\"'`\[]?todos[\"'`\]]?\b", re.IGNORECASE)
_STATUS = re.compile(r"\bstatus\s*=\s*'([^']*)'", re.IGNORECASE)
_TITLE = re.compile(r"\btitle\s*=\s*'((?:[^']|'')*)'", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_IDENTITY = re.compile(r"\bid\s*(?:=\s*|in\s*\()", re.IGNORECASE)
_STRING = re.compile(r"'((?:[^']|'')*)'")
_COLUMNS = ("id", "title", "description", "status")


class Todos:
    """The list after the statements so far."""

    def __init__(self) -> None:
        self.items: dict[str, PlanItem] = {}

    def apply(self, query: str) -> Plan | None:
        """The plan after a query, or None if the query does not touch the list."""
        if "todos" not in query.lower():
            return None
        before = set(self.items)
        touched: list[str] = []
        for statement in statements(query):
            touched += self._insert(statement) or self._update(statement) or self._delete(statement)
        if not touched:
            return None
        items = [_copy(self.items[key]) for key in dict.fromkeys(touched) if key in self.items]
        if before.isdisjoint(touched):
            return Plan(items, update="add" if before else "replace")
        if before.issuperset(touched):
            return Plan(items, update="update")
        return Plan([_copy(item) for item in self.items.values()])

    def _insert(self, statement: str) -> list[str]:
        found = _INSERT.match(statement)
        if found is None:
            return []
        named = found[1]
        columns = [c.strip().strip("\"'`[]").lower() for c in named.split(",")] if named else list(_COLUMNS)
        touched: list[str] = []
        for values in _tuples(statement[found.end() :]):
            row = dict(zip(columns, values, strict=False))
            text = row.get("title") or row.get("description") or row.get("content") or row.get("id")
            if text:
                key = row.get("id") or text
                self.items[key] = PlanItem(text, plan_status(row.get("status") or "pending"), key)
                touched.append(key)
        return touched

    def _update(self, statement: str) -> list[str]:
        found = _UPDATE.match(statement)
        if found is None:
            return []
        where = _WHERE.search(statement, found.end())
        changes = statement[found.end() : where.start() if where else len(statement)]
        status, title = _STATUS.search(changes), _TITLE.search(changes)
        if status is None and title is None:
            return []
        keys = self._chosen(statement[where.end() :] if where else None)
        for key in keys:
            item = self.items.setdefault(key, PlanItem("", "pending", key))
            if status is not None:
                item.status = plan_status(status[1])
            if title is not None:
                item.text = title[1].replace("''", "'")
        return keys

    def _delete(self, statement: str) -> list[str]:
        found = _DELETE.match(statement)
        if found is None:
            return []
        where = _WHERE.search(statement, found.end())
        keys = self._chosen(statement[where.end() :] if where else None)
        for key in keys:
            self.items.setdefault(key, PlanItem("", "pending", key)).status = "cancelled"
        return keys

    def _chosen(self, condition: str | None) -> list[str]:
        if condition is None:
            return list(self.items)
        named = _IDENTITY.search(condition)
        if named is not None:
            return [text.replace("''", "'") for text in _STRING.findall(condition[named.end() :])]
        status = _STATUS.search(condition)
        if status is not None:
            chosen = plan_status(status[1])
            return [key for key, item in self.items.items() if item.status == chosen]
        return []


def statements(query: str) -> list[str]:
    """The statements of a query, split at semicolons outside strings."""
    found: list[str] = []
    start, inside = 0, False
    for at, char in enumerate(query):
        if char == "'":
            inside = not inside
        elif char == ";" and not inside:
            found.append(query[start:at])
            start = at + 1
    found.append(query[start:])
    return [text for text in found if text.strip()]


def _tuples(text: str) -> list[list[str]]:
    """The rows of ``('a', 'b'), (...)``: strings unquoted, anything else as written."""
    rows: list[list[str]] = []
    row: list[str] | None = None
    word: list[str] = []
    quoted = False
    depth = at = 0
    while at < len(text):
        char = text[at]
        if quoted:
            if char == "'" and text[at + 1 : at + 2] == "'":
                word.append("'")
                at += 1
            elif char == "'":
                quoted = False
            else:
                word.append(char)
        elif char == "'":
            quoted = True
        elif char == "(" and row is None:
            row, word = [], []
        elif row is not None and char in "()" and (depth or char == "("):
            depth += 1 if char == "(" else -1
            word.append(char)
        elif char in ",)" and row is not None and not depth:
            row.append("".join(word).strip())
            word = []
            if char == ")":
                rows.append(row)
                row = None
        elif row is not None and not (char.isspace() and not word):
            word.append(char)
        at += 1
    return rows


def _copy(item: PlanItem) -> PlanItem:
    return PlanItem(item.text, item.status, item.key)
