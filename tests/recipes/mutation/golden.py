"""Places of our own and what each operator makes of them: operator, line before, line after (empty if it is gone)."""

PYTHON = '''\
"""A shelf of notes."""
import logging
import math
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 3 + 1

__version__ = "1.0".strip()
logger = logging.getLogger(__name__)


class Shelf:
    """Keeps notes, é and all."""

    def __init__(self, path, notes=None, size=10):
        if notes is None:
            notes = []
        self.path = path
        self.marks = {}
        self.notes = list(notes)
        self._index = None
        self.size = size

    def __repr__(self):
        return "<Shelf %d>" % (len(self.notes) + 1)

    def add(self, note, *, strict=True):
        # The text "é" keeps its bytes: é
        if strict and len(note) <= self.size:  # short ones
            self.notes.append(note)
        self._index = None
        logger.info(note, self.path)
        assert len(self.notes) < 100
        return self

    def read(self, lines):
        for number in range(len(lines)):
            text = lines[number].strip()
            if not text:
                continue
            try:
                self.put(text, number)
            except (KeyError, TypeError):
                self.marks.clear()

    def put(self, text, number):
        if text is None:
            return
        self.marks[text] = number
        self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="ignore"))

    def half(self):
        return self.notes[1:len(self.notes) // 2], math.floor(len(self.notes))

    def top(self, kinds):
        return sorted(copy(self.notes), key=kinds.get, reverse=True)

    def mark(self, text):
        return self.marks.get(text, 0) + 1
'''

PYTHON_MUTATIONS = [
    (
        "shared-default",
        "def __init__(self, path, notes=None, size=10):",
        "def __init__(self, path, notes=[], size=10):",
    ),
    (
        "wrong-default",
        "def __init__(self, path, notes=None, size=10):",
        "def __init__(self, path, notes=None, size=11):",
    ),
    ("none-or-empty", "if notes is None:", "if not notes:"),
    ("shared-attribute", "self.marks = {}", "marks = {}"),
    ("dropped-copy", "self.notes = list(notes)", "self.notes = notes"),
    ("wrong-default", "def add(self, note, *, strict=True):", "def add(self, note, *, strict=False):"),
    (
        "dropped-condition",
        "if strict and len(note) <= self.size:  # short ones",
        "if len(note) <= self.size:  # short ones",
    ),
    ("dropped-condition", "if strict and len(note) <= self.size:  # short ones", "if strict:  # short ones"),
    (
        "boundary-comparison",
        "if strict and len(note) <= self.size:  # short ones",
        "if strict and len(note) < self.size:  # short ones",
    ),
    ("missed-call", "self.notes.append(note)", "pass"),
    ("stale-cache", "self._index = None", ""),
    ("range-bound", "for number in range(len(lines)):", "for number in range(len(lines) - 1):"),
    ("swapped-strip", "text = lines[number].strip()", "text = lines[number].rstrip()"),
    ("none-or-empty", "if not text:", "if text is None:"),
    ("swapped-loop-exit", "continue", "break"),
    ("missed-call", "self.put(text, number)", "pass"),
    ("swapped-arguments", "self.put(text, number)", "self.put(number, text)"),
    ("narrowed-exception", "except (KeyError, TypeError):", "except KeyError:"),
    ("narrowed-exception", "except (KeyError, TypeError):", "except TypeError:"),
    ("stale-cache", "self.marks.clear()", "pass"),
    ("removed-handler", "self.marks.clear()", "raise"),
    ("removed-return", "if text is None: / return", ""),
    ("none-or-empty", "if text is None:", "if not text:"),
    (
        "missed-call",
        'self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="ignore"))',
        "",
    ),
    (
        "swapped-encoding",
        'self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="ignore"))',
        'self.notes.insert(number, text.encode("latin-1", "strict").decode(errors="ignore"))',
    ),
    (
        "swapped-errors",
        'self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="ignore"))',
        'self.notes.insert(number, text.encode("utf-8", "ignore").decode(errors="ignore"))',
    ),
    (
        "swapped-errors",
        'self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="ignore"))',
        'self.notes.insert(number, text.encode("utf-8", "strict").decode(errors="strict"))',
    ),
    (
        "slice-bound",
        "return self.notes[1:len(self.notes) // 2], math.floor(len(self.notes))",
        "return self.notes[2:len(self.notes) // 2], math.floor(len(self.notes))",
    ),
    (
        "wrong-rounding",
        "return self.notes[1:len(self.notes) // 2], math.floor(len(self.notes))",
        "return self.notes[1:len(self.notes) / 2], math.floor(len(self.notes))",
    ),
    (
        "wrong-rounding",
        "return self.notes[1:len(self.notes) // 2], math.floor(len(self.notes))",
        "return self.notes[1:len(self.notes) // 2], round(len(self.notes))",
    ),
    (
        "dropped-copy",
        "return sorted(copy(self.notes), key=kinds.get, reverse=True)",
        "return sorted(self.notes, key=kinds.get, reverse=True)",
    ),
    (
        "dropped-sort-key",
        "return sorted(copy(self.notes), key=kinds.get, reverse=True)",
        "return sorted(copy(self.notes), reverse=True)",
    ),
    (
        "dropped-sort-key",
        "return sorted(copy(self.notes), key=kinds.get, reverse=True)",
        "return sorted(copy(self.notes), key=kinds.get)",
    ),
    ("dropped-increment", "return self.marks.get(text, 0) + 1", "return self.marks.get(text, 0)"),
    ("wrong-fallback", "return self.marks.get(text, 0) + 1", "return self.marks.get(text, 1) + 1"),
]

JAVASCRIPT = """\
// Notes, é and all.
const fs = require('fs')

class Shelf {
  constructor(notes, { limit = 0 } = {}) {
    this.notes = [...notes]
    this.cache = null
    this.limit = limit
  }

  add(note, position) {
    if (note == null) return this
    if (note.length < this.limit && this.open) {
      this.notes.splice(position, note)
    }
    this.cache = null
    console.log(note)
    return this
  }

  read(path) {
    try {
      for (const line of fs.readFileSync(path, 'utf8').split(',')) {
        if (!line) continue
        this.add(line.trim(), this.notes.length + 1)
      }
    } catch (error) {
      this.broken = true
    }
  }

  half(order) {
    const list = this.notes.slice().sort(order)
    return list.slice(1, Math.floor(list.length / 2))
  }

  size() {
    return this.limit ?? 10
  }
}
"""

JAVASCRIPT_MUTATIONS = [
    ("wrong-default", "constructor(notes, { limit = 0 } = {}) {", "constructor(notes, { limit = 1 } = {}) {"),
    ("dropped-copy", "this.notes = [...notes]", "this.notes = notes"),
    ("removed-return", "if (note == null) return this", ""),
    ("none-or-empty", "if (note == null) return this", "if (!note) return this"),
    ("dropped-condition", "if (note.length < this.limit && this.open) {", "if (this.open) {"),
    (
        "boundary-comparison",
        "if (note.length < this.limit && this.open) {",
        "if (note.length <= this.limit && this.open) {",
    ),
    ("dropped-condition", "if (note.length < this.limit && this.open) {", "if (note.length < this.limit) {"),
    ("missed-call", "this.notes.splice(position, note)", ""),
    ("swapped-arguments", "this.notes.splice(position, note)", "this.notes.splice(note, position)"),
    ("stale-cache", "this.cache = null", ""),
    (
        "swapped-encoding",
        "for (const line of fs.readFileSync(path, 'utf8').split(',')) {",
        "for (const line of fs.readFileSync(path, 'latin1').split(',')) {",
    ),
    ("swapped-loop-exit", "if (!line) continue", "if (!line) break"),
    ("missed-call", "this.add(line.trim(), this.notes.length + 1)", ""),
    (
        "swapped-strip",
        "this.add(line.trim(), this.notes.length + 1)",
        "this.add(line.trimEnd(), this.notes.length + 1)",
    ),
    (
        "dropped-increment",
        "this.add(line.trim(), this.notes.length + 1)",
        "this.add(line.trim(), this.notes.length)",
    ),
    ("removed-handler", "this.broken = true", "throw error;"),
    ("dropped-copy", "const list = this.notes.slice().sort(order)", "const list = this.notes.sort(order)"),
    ("dropped-sort-key", "const list = this.notes.slice().sort(order)", "const list = this.notes.slice().sort()"),
    (
        "slice-bound",
        "return list.slice(1, Math.floor(list.length / 2))",
        "return list.slice(2, Math.floor(list.length / 2))",
    ),
    (
        "wrong-rounding",
        "return list.slice(1, Math.floor(list.length / 2))",
        "return list.slice(1, Math.round(list.length / 2))",
    ),
    ("none-or-empty", "return this.limit ?? 10", "return this.limit || 10"),
    ("wrong-fallback", "return this.limit ?? 10", "return this.limit ?? 11"),
]
